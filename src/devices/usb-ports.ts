import { realpath } from 'node:fs/promises'
import { type HidAddress, hidText } from './hid/hid-address.ts'
import { LineTrouble } from './line-trouble.ts'
import { areEqual, type PluggedIn, pluggedIn } from './plugged-in.ts'

/** The address of a device of this machine. */
type OwnAddress = HidAddress | { transport: 'serial'; path: string }

/** The place (see {@link PluggedIn}) of the device of each address that does not name a port itself. */
export interface PortMemory {
  get(address: string): string | undefined
  set(address: string, place: string): void
}

/**
 * Returns the address to open for a configured address. One that does not name a port, such as a link in
 * `/dev/serial/by-id`, may mean another device after a restart: the device must be at the port of the first opening, or be
 * told by its serial number from all others. Rejects with LineTrouble for a device at another port, and for one of several
 * equal devices of which none was open before. An address at which nothing is plugged in is returned unchanged.
 */
export async function settledAddress(
  address: OwnAddress,
  memory: PortMemory,
  list: () => Promise<PluggedIn[]> = pluggedIn,
): Promise<OwnAddress> {
  const text = address.transport === 'hid' ? hidText(address) : address.path
  const meant = await meantBy(text, await list())
  const [first] = meant
  if (!first?.place || !isVague(address)) return address
  const found = chosen(text, meant, memory)
  if (address.transport === 'serial') return { ...address, path: openAt(found) }
  return { ...address, port: found.place ?? '' }
}

/**
 * Returns the device of a configured address: that at the remembered port, otherwise the one that the address means now.
 * Null when it is not plugged in there. Remembers nothing.
 */
export async function deviceAt(
  text: string,
  there: readonly PluggedIn[],
  memory: Pick<PortMemory, 'get'>,
): Promise<PluggedIn | null> {
  const meant = await meantBy(text, there)
  const place = memory.get(text)
  return meant.find((each) => place === undefined || each.place === place) ?? null
}

/** The device at an address now, followed by those that report the same identity. */
async function meantBy(text: string, there: readonly PluggedIn[]): Promise<PluggedIn[]> {
  const [, ids, by, choice] = /^hid:\/\/([\da-f]{4}:[\da-f]{4})(?:\?(port|serial)=(.+))?$/i.exec(text) ?? []
  if (ids)
    return there.filter(
      ({ transport, usb }) =>
        transport === 'hid' &&
        usb !== null &&
        ids.toUpperCase() === `${usb.vendorId}:${usb.productId}` &&
        (by === undefined || choice === (by === 'port' ? usb.port : usb.serialNumber)),
    )
  const node = text.startsWith('/') ? await realpath(text).catch(() => null) : null
  const now = there.find((each) => each.transport === 'serial' && each.node === node)
  if (!now) return []
  const equal = there.filter((each) => each.usb?.port !== now.usb?.port && areEqual(now.usb, each.usb))
  return [now, ...equal]
}

/**
 * Whether an address may mean another device after a restart. A link by path means its port, and a link of an own udev rule
 * means what its rule says.
 */
function isVague(address: OwnAddress): boolean {
  if (address.transport === 'hid') return address.port === undefined
  return address.path.includes('/serial/by-id/') || isNumbered(address.path)
}

/** Whether a line is numbered in the order of plugging in, as `/dev/ttyUSB0` is. */
export function isNumbered(path: string): boolean {
  return /\/tty(USB|ACM)\d+$/.test(path)
}

function chosen(text: string, meant: readonly PluggedIn[], memory: PortMemory): PluggedIn {
  const place = memory.get(text)
  const [first] = meant
  const isLone = meant.length === 1
  const isTold = isLone && Boolean(first?.usb?.serialNumber) && !isNumbered(text)
  // An address by number means at its first opening what the installer saw; one by id may mean any of its make.
  const isFirst = place === undefined && (isLone || isNumbered(text))
  const found = isTold || isFirst ? first : meant.find((each) => each.place === place)
  if (!found?.place) throw refused(text, meant, place)
  memory.set(text, found.place)
  return found
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
