/**
 * A USB HID device, by its ids and by what distinguishes it from others of its kind: its serial number or its USB port.
 */
export interface HidAddress {
  transport: 'hid'
  vendorId: number
  productId: number
  serialNumber?: string
  /** The kernel's name of the USB port: the bus, then the port numbers on the way to the device, such as `1-1.4`. */
  port?: string
}

export const hidExpected = 'hid://ffff:0035, if need be with ?port=1-1.4 or ?serial=NUMBER behind it'

/** Parses `hid://VENDOR:PRODUCT`, two ids of four hex digits. For any other text it returns a problem as a sentence. */
export function parseHid(text: string): { address: HidAddress } | { problem: string } {
  const [whole, vendor, product, name, value = ''] =
    /^hid:\/\/([\da-f]{4}):([\da-f]{4})(?:\?(port|serial)=([^?&\s]{1,126}))?$/i.exec(text) ?? []
  if (!whole || !vendor || !product) {
    return { problem: `${JSON.stringify(text)} is not an address of a USB HID device: give ${hidExpected}` }
  }
  const ids = {
    transport: 'hid' as const,
    vendorId: Number.parseInt(vendor, 16),
    productId: Number.parseInt(product, 16),
  }
  if (!name) return { address: ids }
  if (name.toLowerCase() === 'serial') return { address: { ...ids, serialNumber: value } }
  if (/^\d+-\d+(\.\d+)*$/.test(value)) return { address: { ...ids, port: value } }
  return { problem: `${JSON.stringify(value)} is not a USB port: give one such as 1-1.4` }
}

/**
 * Whether both addresses may mean the same device. An address without port and serial number means any device of its
 * kind.
 */
export function mayBeSameHid(one: HidAddress, other: HidAddress): boolean {
  if (one.vendorId !== other.vendorId || one.productId !== other.productId) return false
  const isAny = (address: HidAddress) => address.port === undefined && address.serialNumber === undefined
  return isAny(one) || isAny(other) || hidText(one) === hidText(other)
}

/** Formats the address as text. */
export function hidText({ vendorId, productId, serialNumber, port }: HidAddress): string {
  const hex = (id: number) => id.toString(16).padStart(4, '0')
  const choice = serialNumber ? `?serial=${serialNumber}` : port ? `?port=${port}` : ''
  return `hid://${hex(vendorId)}:${hex(productId)}${choice}`
}
