import { realpath } from 'node:fs/promises'
import type { Identity } from '../../../devices/capability.ts'
import type { Driver } from '../../../devices/driver.ts'
import type { PluggedIn, UsbIdentity } from '../../../devices/plugged-in.ts'
import { candidatesFor, type DeviceCandidate } from '../../../devices/recognise.ts'
import type { Machines, Property } from '../../access.ts'
import { accessController } from '../../resources/access-controller.ts'
import { dispenser } from '../../resources/dispenser.ts'
import type { DeviceAddress } from '../device-address.ts'
import type { DispenserHandle, EncoderHandle } from '../device-handle.ts'

/** A dispenser or an encoder that is configured for a device. */
interface Configured {
  kind: 'dispenser' | 'encoder'
  id: string
  name: string
  driver: string
  /** The state of its line; `closed` until its first use. */
  state: 'offline' | 'starting' | 'online' | 'closed'
  /** The identity that it reported at its last start; null before. */
  identity: Identity | null
}

interface ConnectedDevice {
  /** The path for a device's configuration. */
  path: string
  transport: 'serial' | 'hid' | 'network' | 'simulated'
  /** Null where the presence cannot be determined, as behind a network. */
  isPresent: boolean | null
  node: string | null
  usb: UsbIdentity | null
  candidates: DeviceCandidate[]
  configured: Configured[]
}

/** The drivers of this build, and a function that lists the connected devices. */
export interface ConnectedOptions {
  drivers: readonly Driver[]
  pluggedIn(): Promise<PluggedIn[]>
}

/** Every device that is connected or configured, each once. No device is opened. */
export async function connectedDevices(
  access: Property & Machines,
  { drivers, pluggedIn }: ConnectedOptions,
): Promise<ConnectedDevice[]> {
  const there = await pluggedIn()
  const devices: ConnectedDevice[] = there.map(({ path, transport, node, usb }, index) => ({
    path,
    transport,
    isPresent: true,
    node,
    usb,
    candidates: candidatesFor(there[index]!, drivers),
    configured: [],
  }))
  for (const [path, configured] of setUp(access)) {
    const node = path.startsWith('/') ? await realpath(path).catch(() => null) : null
    const found = devices.find(
      (each) => each.path === path || (node && each.node === node) || isHid(each, path),
    )
    if (found) found.configured.push(configured)
    else devices.push({ ...unlisted(path, node), configured: [configured] })
  }
  return devices
}

/** Whether a HID address matches the device: by its ids, and by port or serial number where the address names one. */
function isHid({ transport, usb }: ConnectedDevice, path: string): boolean {
  const [, ids = '', by, choice] = /^hid:\/\/([\da-f:]+)(?:\?(port|serial)=(.+))?$/i.exec(path) ?? []
  if (transport !== 'hid' || !usb || ids.toUpperCase() !== `${usb.vendorId}:${usb.productId}`) return false
  return by === undefined || choice === (by === 'port' ? usb.port : usb.serialNumber)
}

const transports: readonly [
  beginning: string,
  transport: ConnectedDevice['transport'],
  present: boolean | null,
][] = [
  ['tcp:', 'network', null],
  ['hid:', 'hid', false],
  ['/', 'serial', false],
]

/**
 * A configured device that the system does not list. It is absent, unless its path exists, as for a line that another
 * program simulates.
 */
function unlisted(path: string, node: string | null): ConnectedDevice {
  const [, transport, isPresent] = transports.find(([beginning]) => path.startsWith(beginning)) ?? [
    '',
    'simulated' as const,
    true,
  ]
  const isThere = isPresent === false && node !== null ? true : isPresent
  return { path, transport, isPresent: isThere, node, usb: null, candidates: [], configured: [] }
}

const all = { filters: [], sort: [], page: { size: 1_000 } }

function setUp({ reader, devices }: Property & Machines): [path: string, configured: Configured][] {
  const one = (
    kind: Configured['kind'],
    { id, name }: { id: string; name: string },
    device: DeviceAddress,
    handle: DispenserHandle | EncoderHandle | null,
  ): [string, Configured][] => {
    const { path, driver } = device
    if (!path) return []
    const state = handle?.bay.state() ?? 'closed'
    return [[path, { kind, id, name, driver, state, identity: handle?.identity ?? null }]]
  }
  return [
    ...reader
      .rows(dispenser, all)
      .flatMap((row) => one('dispenser', row, row.device, devices.dispenserAt(row.id))),
    ...reader
      .rows(accessController, all)
      .flatMap((row) => (row.device ? one('encoder', row, row.device, devices.encoderAt(row.id)) : [])),
  ]
}
