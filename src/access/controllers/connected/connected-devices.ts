import { realpath } from 'node:fs/promises'
import type { Driver } from '../../../devices/driver.ts'
import { reachProblem } from '../../../devices/network/reach.ts'
import type { TerminalDriver } from '../../../devices/payment-terminal.ts'
import { type Probed, probe, probeTerminal } from '../../../devices/probe.ts'
import type { PluggedIn } from '../../../devices/wires/plugged-in.ts'
import { candidatesFor, type DeviceCandidate } from '../../../devices/wires/recognise.ts'
import { deviceAt, type PortMemory } from '../../../devices/wires/usb-ports.ts'
import type { WhenGone } from '../../../resource/keeper.ts'
import { invalidValue, Problem } from '../../../resource/problem.ts'
import type { Machines } from '../../access.ts'
import type { DispenserHandle, EncoderHandle } from '../../handles/device-handle.ts'
import { allOf } from '../../lookups.ts'
import { type AccessController, accessController } from '../../resources/access-controller.ts'
import { driverOf } from '../../resources/device-address.ts'
import { type Dispenser, dispenser } from '../../resources/dispenser.ts'
import { type CheckOptions, unknownDriver } from '../config-checks.ts'

interface ConnectedDevice extends Pick<PluggedIn, 'path' | 'usb' | 'equals'> {
  transport: PluggedIn['transport'] | 'network' | 'simulated'
  /** Null where the presence cannot be determined, as behind a network. */
  isPresent: boolean | null
  node: string | null
  candidates: DeviceCandidate[]
  configured: Omit<ReturnType<typeof configuredDevices>[number], 'path'>[]
}

/** The drivers of this build, and what is known of the connected devices and of addresses. */
export interface ConnectedOptions extends Pick<CheckOptions, 'drivers' | 'addressProblem'> {
  terminalDrivers: readonly TerminalDriver[]
  pluggedIn(): Promise<PluggedIn[]>
  ports: Omit<PortMemory, 'set'>
}

/** Every device that is connected or configured, each once. No device is opened. */
export async function connectedDevices(
  access: Machines,
  { drivers, pluggedIn, ports }: ConnectedOptions,
): Promise<ConnectedDevice[]> {
  const there = await pluggedIn()
  const devices = there.map((each): ConnectedDevice => {
    const { path, transport, node, usb, equals } = each
    const candidates = candidatesFor(each, drivers)
    return { path, transport, isPresent: true, node, usb, equals, candidates, configured: [] }
  })
  for (const { path, ...configured } of configuredDevices(access)) {
    const at = await deviceAt(path, there, ports)
    const found = devices.find((each) => each.path === (at?.path ?? path))
    if (found) found.configured.push(configured)
    else devices.push({ ...(await unlisted(path)), configured: [configured] })
  }
  return devices
}

/** A configured device that is not listed: absent, unless its path exists, as for a simulated line. */
async function unlisted(path: string): Promise<ConnectedDevice> {
  const node = path.startsWith('/') ? await realpath(path).catch(() => null) : null
  const rest = { node, usb: null, equals: 1, candidates: [], configured: [] }
  if (path.startsWith('tcp:')) return { path, transport: 'network', isPresent: null, ...rest }
  if (path.startsWith('hid:')) return { path, transport: 'hid', isPresent: false, ...rest }
  if (path.startsWith('/')) return { path, transport: 'serial', isPresent: node !== null, ...rest }
  return { path, transport: 'simulated', isPresent: true, ...rest }
}

/**
 * The dispensers and encoders that have a path. `state` is that of the line, `closed` until its first use; `identity`
 * is what the device reported at its last start, null before.
 */
function configuredDevices(access: Machines) {
  const { dispenserAt, encoderAt } = access.devices
  const dispensers = allOf(access, dispenser).map((row) => configured('dispenser', row, dispenserAt(row.id)))
  const encoders = allOf(access, accessController).map((row) => configured('encoder', row, encoderAt(row.id)))
  return [...dispensers, ...encoders].flat()
}

function configured(
  kind: 'dispenser' | 'encoder',
  { id, name, device }: Dispenser | AccessController,
  handle: DispenserHandle | EncoderHandle | null,
) {
  if (!device?.path) return []
  const { path, driver } = device
  const state = handle?.bay.state() ?? ('closed' as const)
  return [{ path, kind, id, name, driver, state, identity: handle?.identity ?? null }]
}

const moves = ({ provenance }: Driver) => provenance.probing === 'motor'

/** What to ask, and how. */
export interface ProbeRequest {
  /** The address. */
  path: string
  /** Asks in the protocol of this driver only, also that of a payment terminal. */
  driver?: string
  /** Whether drivers may be tried whose probe moves a motor. */
  mayMove?: boolean
}

/**
 * Returns a function that asks the device at an address in the protocol of each driver that may fit, until one answers.
 * `asked` are the drivers in whose protocols it was asked. Drivers whose probe moves a motor come last, and only with
 * `mayMove`; otherwise `left` names them if no other has answered. No further driver is tried once the client is gone.
 * A driver that shares the line of another one cannot be asked alone: nothing is asked. Throws validation-failed for a
 * wrong address or driver and for a configured device, and busy while another probe runs.
 */
export function deviceProbes(access: Machines, options: ConnectedOptions) {
  const { openWire, clock } = access.workshop
  let isBusy = false
  return async ({ path, driver: name, mayMove = false }: ProbeRequest, whenGone: WhenGone) => {
    const problem = options.addressProblem(path)
    if (problem !== null) throw new Problem('validation-failed', problem, { pointer: '/path' })
    const terminal = options.terminalDrivers.find((each) => each.name === name)
    const fitting = await fittingDrivers(access, options, path, terminal ? null : name)
    if (isBusy)
      throw new Problem('busy', 'Another device is being asked. Wait until it is done.', {
        meta: { retryAfterSeconds: 5 },
      })
    isBusy = true
    let isGone = false
    whenGone(() => {
      isGone = true
    })
    const open = (baudRate: number, signal: AbortSignal) => openWire(path, { baudRate, signal })
    const [still, moving] = [fitting.filter((each) => !moves(each)), fitting.filter(moves)]
    const asked: (Probed & { driver: string })[] = []
    try {
      if (terminal) asked.push({ driver: terminal.name, ...(await probeTerminal(terminal, open, clock)) })
      for (const driver of mayMove ? [...still, ...moving] : still) {
        if (isGone) break
        const probed = await probe(driver, open, clock)
        asked.push({ driver: driver.name, ...probed })
        if (probed.isThere) return { asked, left: [] }
      }
      return { asked, left: mayMove ? [] : moving.map(({ name: each }) => each) }
    } finally {
      isBusy = false
    }
  }
}

/** The drivers to try at an address: one of a name, none for null. Throws for a device that the box uses. */
async function fittingDrivers(
  access: Machines,
  options: ConnectedOptions,
  path: string,
  name: string | null | undefined,
): Promise<Driver[]> {
  const wanted = typeof name === 'string' ? wantedDriver(options, path, name) : null
  if (wanted?.joins !== undefined) return []
  const devices = await connectedDevices(access, options)
  const known = devices.find((each) => each.path === path || each.node === path)
  const [user] = known?.configured ?? []
  if (user) throw invalidValue('/path', `${user.name} already uses ${path}.`)
  if (name === null) return []
  if (wanted) return [wanted]
  const names = known?.candidates.map(({ driver }) => driver)
  return options.drivers.filter(
    (driver) =>
      driver.joins === undefined &&
      (names ? names.includes(driver.name) : reachProblem(driver, path) === null),
  )
}

/** Returns the driver, or that of the model, of this name. Throws validation-failed. */
function wantedDriver({ drivers, terminalDrivers }: ConnectedOptions, path: string, name: string): Driver {
  const driver = driverOf(drivers, { driver: name })
  if (!driver) throw unknownDriver('/driver', name, [...drivers, ...terminalDrivers])
  const problem = reachProblem(driver, path)
  if (problem !== null) throw new Problem('validation-failed', problem, { pointer: '/path' })
  return driver
}
