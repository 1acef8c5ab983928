import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** What a USB device reports about itself. Ids are four hex digits in upper case. */
export interface UsbIdentity {
  vendorId: string
  productId: string
  serialNumber: string | null
  manufacturer: string | null
  product: string | null
  /** The USB port that it is plugged into, such as `1-1.4`. */
  port: string
}

/** A serial line or HID device that may be a supported device. */
export interface PluggedIn {
  /** The path for a device's configuration. It stays the same after a restart, where the system has such a path. */
  path: string
  transport: 'serial' | 'hid'
  /** `/dev/ttyUSB0`, `/dev/hidraw0`, or `/dev/bus/usb/001/004` of a HID device that has no node of its own. */
  node: string
  /** Null for a serial line of the board itself. */
  usb: UsbIdentity | null
  /**
   * The USB port, and for a serial line also the interface at it: the link in `/dev/serial/by-path` where the system makes
   * one, otherwise the kernel's name. Null for a serial line of the board itself.
   */
  place: string | null
  /** The number of devices that report the same identity, this one included. More than 1: only the port tells them apart. */
  equals: number
}

/** The folders in which the kernel lists devices. */
interface Roots {
  sys: string
  dev: string
}

/** The serial lines and HID devices of this machine. Opens none of them; an entry that cannot be read is left out. */
export async function pluggedIn(roots: Roots = { sys: '/sys', dev: '/dev' }): Promise<PluggedIn[]> {
  const [lines, hid] = await Promise.all([serialLines(roots), hidDevices(roots)])
  return [...lines, ...hid].sort((one, other) => one.path.localeCompare(other.path))
}

async function serialLines({ sys, dev }: Roots): Promise<PluggedIn[]> {
  const byPort = await linksIn(join(dev, 'serial/by-path'))
  const byId = await linksIn(join(dev, 'serial/by-id'))
  const folder = join(sys, 'class/tty')
  // The system console is left out: no supported device is plugged in there, and a probe would type commands into it.
  const consoles = (await textIn(join(folder, 'console/active')))?.split(' ') ?? []
  const found = (await namesIn(folder)).map(async (name): Promise<Omit<PluggedIn, 'path' | 'equals'>[]> => {
    if (consoles.includes(name)) return []
    const device = await real(join(folder, name, 'device'))
    // A port of type 0 does not exist on this board; a pseudo-terminal has no device.
    if (!device || (await textIn(join(folder, name, 'type'))) === '0') return []
    const usb = await usbAbove(device, sys)
    if (!usb && !(await real(join(device, 'driver')))) return []
    const place = usb && (byPort[name] ?? interfaceOf(device) ?? usb.port)
    return [{ transport: 'serial', node: join(dev, name), usb, place }]
  })
  const lines = (await Promise.all(found)).flat()
  return lines.map((line) => {
    const name = basename(line.node)
    const equals = equalDevices(line.usb, lines)
    // The name by id of an adapter without a serial number of its own is that of every other of its make.
    const isVague = equals > 1 || line.usb?.serialNumber === null
    const lone = equals === 1 ? byId[name] : undefined
    return {
      ...line,
      path: (isVague ? (byPort[name] ?? lone) : (byId[name] ?? byPort[name])) ?? line.node,
      equals,
    }
  })
}

/** The USB interface of a line without a link by path, such as `1-1.4:1.0`. */
function interfaceOf(device: string): string | undefined {
  return device.split('/').findLast((part) => /^\d+-[\d.]+:\d+\.\d+$/.test(part))
}

/** The number of USB ports at which a device of this identity is plugged in; 1 for a line without USB. */
function equalDevices(usb: UsbIdentity | null, all: readonly { usb: UsbIdentity | null }[]): number {
  return usb ? new Set(all.flatMap((each) => (areEqual(usb, each.usb) ? [each.usb?.port] : []))).size : 1
}

/** Whether two USB devices report the same identity: ids and serial number. */
export function areEqual(one: UsbIdentity | null, other: UsbIdentity | null): boolean {
  if (!one || !other) return false
  const { vendorId, productId, serialNumber } = one
  return vendorId === other.vendorId && productId === other.productId && serialNumber === other.serialNumber
}

async function hidDevices(roots: Roots): Promise<PluggedIn[]> {
  const nodes = [...(await hidNodes(roots)), ...(await hidInterfaces(roots))]
  // One device may have many nodes and interfaces; an address stands for the whole device.
  const all = nodes.filter(
    ({ usb }, index) => nodes.findIndex((each) => each.usb.port === usb.port) === index,
  )
  return all.map(({ node, usb }) => {
    const isOnlyOne = all.every(
      (other) =>
        other.usb.port === usb.port ||
        other.usb.vendorId !== usb.vendorId ||
        other.usb.productId !== usb.productId,
    )
    const choice = isOnlyOne && usb.serialNumber !== null ? '' : `?port=${usb.port}`
    const path = `hid://${usb.vendorId}:${usb.productId}${choice}`.toLowerCase()
    return { path, transport: 'hid' as const, node, usb, place: usb.port, equals: equalDevices(usb, all) }
  })
}

interface HidNode {
  node: string
  usb: UsbIdentity
}

/** The devices that the kernel's HID driver has bound. */
async function hidNodes({ sys, dev }: Roots): Promise<HidNode[]> {
  const folder = join(sys, 'class/hidraw')
  const found = (await namesIn(folder)).map(async (name): Promise<HidNode[]> => {
    const device = await real(join(folder, name, 'device'))
    const usb = device && (await usbAbove(device, sys))
    return usb ? [{ node: join(dev, name), usb }] : []
  })
  return (await Promise.all(found)).flat()
}

const hidClass = '03'

/**
 * The interfaces with the HID class, whether the kernel's driver has bound them or has not, for want of an interrupt
 * endpoint.
 */
async function hidInterfaces({ sys, dev }: Roots): Promise<HidNode[]> {
  const folder = join(sys, 'bus/usb/devices')
  const interfaces = (await namesIn(folder)).filter((name) => name.includes(':'))
  const found = interfaces.map(async (name): Promise<HidNode[]> => {
    if ((await textIn(join(folder, name, 'bInterfaceClass'))) !== hidClass) return []
    const device = await real(join(folder, name))
    const usb = device && (await usbAbove(device, sys))
    if (!usb) return []
    const numbers = ['busnum', 'devnum'].map((number) => textIn(join(dirname(device), number)))
    const [bus = '', nr = ''] = (await Promise.all(numbers)).map((text) => text?.padStart(3, '0') ?? '')
    return [{ node: join(dev, 'bus/usb', bus, nr), usb }]
  })
  return (await Promise.all(found)).flat()
}

/** The first stable link to each device, by the device's name: newer systems add `-usbv2-` links behind the usual ones. */
async function linksIn(folder: string): Promise<Record<string, string>> {
  const links = (await namesIn(folder)).map(async (name) => {
    const path = join(folder, name)
    const target = await real(path)
    return target ? [[basename(target), path]] : []
  })
  return Object.fromEntries((await Promise.all(links)).flat().reverse())
}

/** The USB device to which a device belongs; null when it belongs to none. */
async function usbAbove(device: string, sys: string): Promise<UsbIdentity | null> {
  for (let at = device; at.startsWith(`${sys}/`); at = dirname(at)) {
    const vendorId = await textIn(join(at, 'idVendor'))
    const productId = await textIn(join(at, 'idProduct'))
    if (vendorId === null || productId === null) continue
    const [serialNumber, manufacturer, product] = await Promise.all(
      ['serial', 'manufacturer', 'product'].map((name) => textIn(join(at, name))),
    )
    return {
      vendorId: vendorId.toUpperCase(),
      productId: productId.toUpperCase(),
      serialNumber: serialNumber ?? null,
      manufacturer: manufacturer ?? null,
      product: product ?? null,
      port: basename(at),
    }
  }
  return null
}

const longest = 200

/** The text of a file, limited to printable characters and to a short length, because it is shown to people. */
async function textIn(path: string): Promise<string | null> {
  try {
    const text = await readFile(path, 'utf8')
    return (
      text
        .replaceAll(/[\p{C}]+/gu, ' ')
        .slice(0, longest)
        .trim() || null
    )
  } catch {
    return null
  }
}

async function real(path: string): Promise<string | null> {
  return realpath(path).catch(() => null)
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).sort()
}
