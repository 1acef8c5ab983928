import { realpath } from 'node:fs/promises'
import { type HidAddress, hidText, parseHid } from '../hid/hid-address.ts'
import { LineTrouble } from './line-trouble.ts'
import { areEqual, type PluggedIn, pluggedIn, type UsbIdentity } from './plugged-in.ts'

/** The address of a device of this machine. */
type OwnAddress = HidAddress | { transport: 'serial'; path: string }

/** Where the device of an address was at its last opening. */
export interface RememberedPort {
  /** See {@link PluggedIn}. */
  place: string
  /** The USB port. */
  port: string
  /** The USB ids and the serial number, which are the same for equal devices. */
  device: string
}

/** What is known of the openings before, by address. */
export interface PortMemory {
  get(address: string): RememberedPort | undefined
  set(address: string, port: RememberedPort): void
  entries(): Iterable<[address: string, port: RememberedPort]>
}

/**
 * Returns the address to open for a configured address. One that does not name a port, such as a link in
 * `/dev/serial/by-id`, may mean another device after a restart: the device must be at the port of the last opening, or be the
 * only one of its kind that was ever plugged in. Rejects with LineTrouble for a device at another port where there was an
 * equal one, and for one of several equal devices of which none was open before. An address at which nothing is plugged in is
 * returned unchanged.
 */
export async function settledAddress(
  address: OwnAddress,
  memory: PortMemory,
  list: () => Promise<PluggedIn[]> = pluggedIn,
): Promise<OwnAddress> {
  const text = address.transport === 'hid' ? hidText(address) : address.path
  const meant = await meantBy(text, await list())
  const [first, ...equal] = meant
  if (!first?.place) return address
  const found = chosen(text, meant, memory)
  const before = memory.get(text)?.place
  if (equal.length > 0) for (const each of meant) remember(memory, `${seenEqual}${each.place}`, each)
  if (!found) throw refused(text, meant, before)
  // Other addresses of the device, such as an earlier one by number, go with it.
  for (const [other, { place }] of [...memory.entries()]) if (place === before) remember(memory, other, found)
  remember(memory, text, found)
  if (!isVague(text)) return address
  if (address.transport === 'serial') return { ...address, path: openAt(found) }
  return { ...address, port: found.place ?? '' }
}

/**
 * Returns the device that {@link settledAddress} would open, or that the address means now where none was open before; null
 * when it is not plugged in there. Remembers nothing.
 */
export async function deviceAt(
  text: string,
  there: readonly PluggedIn[],
  memory: Omit<PortMemory, 'set'>,
): Promise<PluggedIn | null> {
  const meant = await meantBy(text, there)
  return chosen(text, meant, memory) ?? (memory.get(text) ? null : meant[0]) ?? null
}

/** The device at an address now, followed by those that report the same identity. */
async function meantBy(text: string, there: readonly PluggedIn[]): Promise<PluggedIn[]> {
  const hid = parseHid(text)
  if ('address' in hid)
    return there.filter(({ transport, usb }) => transport === 'hid' && usb !== null && isAt(hid.address, usb))
  const node = text.startsWith('/') ? await realpath(text).catch(() => null) : null
  const now = there.find((each) => each.transport === 'serial' && each.node === node)
  if (!now) return []
  const equal = there.filter((each) => each.usb?.port !== now.usb?.port && areEqual(now.usb, each.usb))
  return [now, ...equal]
}

function isAt({ vendorId, productId, port, serialNumber }: HidAddress, usb: UsbIdentity): boolean {
  return (
    hidText({ transport: 'hid', vendorId, productId }) === `hid://${idsOf(usb)}`.toLowerCase() &&
    (port === undefined || port === usb.port) &&
    (serialNumber === undefined || serialNumber === usb.serialNumber)
  )
}

/**
 * Whether an address may mean another device after a restart. A link by path means its port, and a link of an own udev rule
 * means what its rule says.
 */
function isVague(text: string): boolean {
  if (text.startsWith('hid:')) return !/\?port=/i.test(text)
  return text.includes('/serial/by-id/') || isNumbered(text)
}

/** Whether a line is numbered in the order of plugging in, as `/dev/ttyUSB0` is. */
export function isNumbered(path: string): boolean {
  return /\/tty(USB|ACM)\d+$/.test(path)
}

/** The device that an address means, by what is known of the openings before; undefined where that is open. */
function chosen(
  text: string,
  meant: readonly PluggedIn[],
  memory: Omit<PortMemory, 'set'>,
): PluggedIn | undefined {
  const [first] = meant
  if (!isVague(text)) return first
  const known = memory.get(text)
  const others = [...memory.entries()].filter(([other]) => other !== text)
  if (!known) {
    // An address by number means at its first opening what the installer saw; one by id may mean any of its make.
    if (isNumbered(text)) return first
    const isTaken = ({ place }: PluggedIn) =>
      others.some(([other, at]) => at.place === place && !isVague(other) && !other.startsWith(seenEqual))
    const free = meant.length > 1 ? meant.filter((each) => !isTaken(each)) : meant
    return free.length === 1 ? free[0] : undefined
  }
  const same = meant.find(({ place }) => place === known.place)
  if (same || !first?.usb || meant.length > 1) return same
  const { place, usb } = first
  // An address with the ids of a HID device alone means any of its kind, whatever its serial number.
  const kind = /^hid:[^?]*$/.test(text) ? idsOf(usb) : deviceOf(usb)
  const isKind = (device: string) => device === kind || device.startsWith(`${kind}:`)
  // A dual adapter has two lines at one port: the other one may have been opened there before.
  const isSecond = (at: RememberedPort) =>
    isKind(at.device) && at.port !== known.port && (at.port !== usb.port || at.place === place)
  return isKind(known.device) && !others.some(([, at]) => isSecond(at)) ? first : undefined
}

/** The prefix under which the memory keeps equal devices that were plugged in at the same time. */
const seenEqual = 'equal: '

function remember(memory: PortMemory, address: string, { place, usb }: PluggedIn): void {
  if (place && usb) memory.set(address, { place, port: usb.port, device: deviceOf(usb) })
}

function idsOf({ vendorId, productId }: UsbIdentity): string {
  return `${vendorId}:${productId}`
}

function deviceOf(usb: UsbIdentity): string {
  return `${idsOf(usb)}:${usb.serialNumber ?? ''}`
}

function refused(text: string, meant: readonly PluggedIn[], place: string | undefined): LineTrouble {
  const count = new Set(meant.map(({ usb }) => usb?.port)).size
  const paths = meant
    .map(({ path }) => path)
    .sort()
    .join(', ')
  if (place === undefined) {
    const message = `${text} may mean any of ${count} equal devices, so it is not opened: choose the device again by the port that it is plugged into (${paths})`
    return new LineTrouble('equal-devices', message, { count, paths })
  }
  const message = `${text} was at the port ${place}, and a device at another port cannot be told from it, so it is not opened: plug it into its port again, or choose the device again by its new port (${paths})`
  return new LineTrouble('device-moved', message, { place, paths })
}

/** The path that stays at the port of a serial line. */
function openAt({ place, node }: PluggedIn): string {
  return place?.startsWith('/') ? place : node
}
