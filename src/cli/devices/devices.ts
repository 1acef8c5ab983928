import { drivers } from '../../composition/drivers.ts'
import type { Driver } from '../../devices/driver.ts'
import { type Probed, probe } from '../../devices/probe.ts'
import { type PluggedIn, pluggedIn, type UsbIdentity } from '../../devices/wires/plugged-in.ts'
import { candidatesFor, type DeviceCandidate } from '../../devices/wires/recognise.ts'
import { openWire, parseAddress } from '../../devices/wires/wire.ts'
import { systemClock } from '../../host/clock.ts'
import { isLoopback } from '../../host/machine/reachable.ts'
import type { Client } from '../client.ts'
import { CommandFailed } from '../exit-codes.ts'

export interface DevicesOptions {
  url: string
  probe?: boolean
  yesMove?: boolean
  json?: boolean
}

interface Listed {
  path: string
  transport: string
  isPresent: boolean | null
  node: string | null
  usb: UsbIdentity | null
  equals: number
  candidates: DeviceCandidate[]
  /** Null when no appliance answered. */
  configured: { kind: string; name: string; driver: string; state: string }[] | null
  probed?: (Probed & { driver: string })[]
}

/**
 * Lists the devices plugged into this machine and how the appliance is configured for them. With `probe`, also sends a
 * request to each device. Throws CommandFailed `usage` for a probe of another machine.
 */
export async function listDevices(ask: Client, options: DevicesOptions): Promise<void> {
  if (options.probe && !isHere(options.url))
    throw new CommandFailed(
      'usage',
      '--probe asks the devices of this machine. Run it on the machine of the appliance.',
    )
  const { list, without } = await known(ask)
  if (options.probe) for (const each of list) await probeInto(each, options)
  if (options.json)
    return console.log(JSON.stringify({ appliance: without === null, devices: list }, null, 2))
  if (without !== null)
    console.log(`The configuration is not known, because no appliance was asked: ${without}`)
  if (list.length === 0) console.log('No serial line and no HID device is plugged in.')
  for (const each of list) console.log([title(each), ...details(each)].join('\n    '))
}

function isHere(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

/**
 * Asks the appliance, which also knows the configuration. Without an appliance, lists the devices of this machine
 * itself.
 */
async function known(ask: Client): Promise<{ list: Listed[]; without: string | null }> {
  try {
    const { body } = await ask<Page>('GET', '/api/config/v1/connected-devices')
    return { list: body.data.map(({ id, attributes }) => ({ path: id, ...attributes })), without: null }
  } catch (error) {
    if (!(error instanceof CommandFailed) || error.exit === 'usage') throw error
    const here = await pluggedIn()
    return { list: here.map(unknownToAll), without: error.message }
  }
}

interface Page {
  data: { id: string; attributes: Omit<Listed, 'path'> }[]
}

function unknownToAll(device: PluggedIn): Listed {
  const candidates = candidatesFor(device, drivers)
  return { ...device, isPresent: true, candidates, configured: null }
}

/** Probes only a device that is plugged in and not in use. Probing that turns a motor needs `--yes-move`. */
async function probeInto(
  device: Listed,
  { yesMove = false }: Pick<DevicesOptions, 'yesMove'>,
): Promise<void> {
  const address = parseAddress(device.path)
  const isInUse = (device.configured ?? []).length > 0
  if (isInUse || device.isPresent !== true || 'problem' in address || device.transport === 'simulated') return
  device.probed = []
  for (const { driver: name, probing } of device.candidates) {
    const driver = drivers.find((each): each is Driver => each.name === name)
    if (!driver || (probing === 'motor' && !yesMove)) continue
    const open = (baudRate: number, signal: AbortSignal) =>
      openWire(address.address, { clock: systemClock, baudRate, signal })
    const found = await probe(driver, open, systemClock)
    device.probed.push({ driver: name, ...found })
    if (found.isThere) return
  }
}

function title({ path, transport, usb, isPresent }: Listed): string {
  const words = [usb && `USB ${usb.vendorId}:${usb.productId}`, usb?.manufacturer, usb?.product]
  const serial = usb?.serialNumber ? `serial number ${usb.serialNumber}` : null
  const away = isPresent === false ? 'not plugged in' : null
  const what = [...words, serial].filter(Boolean).join(' ') || transport
  return `${path}  ${[what, away].filter(Boolean).join(', ')}`
}

const moves: Record<DeviceCandidate['probing'], string> = {
  nothing: 'a probe moves nothing',
  motor: 'a probe moves a motor',
  radio: 'a probe uses its radio',
}

function details({ equals, candidates, configured, probed, isPresent }: Listed): string[] {
  const twins = equals > 1 ? [`${equals} equal adapters: choose by the port they are plugged into`] : []
  const used = (configured ?? []).map(
    ({ kind, name, driver, state }) => `set up as the ${kind} ${name} (${driver}): ${state}`,
  )
  if (used.length > 0) return [...twins, ...used]
  const may = candidates.map(
    ({ driver, vendor, capability, by, probing }) =>
      `${by === 'descriptor' ? 'is' : 'may be'} a ${capability} of the driver ${driver} (${vendor}); ${moves[probing]}`,
  )
  const unknown = may.length === 0 && isPresent ? ['no driver of this build fits'] : []
  return [
    ...twins,
    ...unknown,
    ...may,
    ...(probed ?? []).map(foundText),
    ...(configured === null ? [] : ['not set up']),
  ]
}

function foundText({
  driver,
  isThere,
  baudRate,
  identity,
  problem: said,
}: Probed & { driver: string }): string {
  if (!isThere) return `asked as ${driver}: no (${said})`
  const { model = '', firmware = '', serialNumber = '' } = identity ?? {}
  const who = [model, firmware, serialNumber].filter(Boolean).join(' ')
  return `asked as ${driver}: yes, at ${baudRate} baud${who && `, ${who}`}${said ? ` (${said})` : ''}`
}
