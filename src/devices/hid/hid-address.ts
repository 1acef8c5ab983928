/** A USB HID device by its ids, and by what tells it from others of its kind: its serial number, or where it is plugged in. */
export interface HidAddress {
  transport: 'hid'
  vendorId: number
  productId: number
  serialNumber?: string
  /** The name of the USB port in the kernel's words: bus, then the ports on the way, such as `1-1.4`. */
  port?: string
}

export const hidExpected = 'hid://ffff:0035, if need be with ?port=1-1.4 or ?serial=NUMBER behind it'

/** Reads `hid://VENDOR:PRODUCT`, two ids of four hex digits; anything else is a problem in words. */
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

/** The address as it is written. */
export function hidText({ vendorId, productId, serialNumber, port }: HidAddress): string {
  const hex = (id: number) => id.toString(16).padStart(4, '0')
  const choice = serialNumber ? `?serial=${serialNumber}` : port ? `?port=${port}` : ''
  return `hid://${hex(vendorId)}:${hex(productId)}${choice}`
}
