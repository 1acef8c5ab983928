import type { Driver } from '../driver.ts'

/**
 * Null when a device of this driver can have such an address; otherwise a sentence that says how the device is reached.
 */
export function reachProblem(
  { name, serial, hid }: Pick<Driver, 'name' | 'serial' | 'hid'>,
  path: string,
): string | null {
  if (!hid && path.startsWith('hid:')) {
    return `A ${name} is not a USB HID device. Give the path of its serial line, or tcp://host:port.`
  }
  if (!serial && hid && path.startsWith('/')) {
    const address = `hid://${hid.vendorId}:${hid.productId}`.toLowerCase()
    return `A ${name} is a USB HID device and has no path. Give ${address}, or the tcp://host:port of a simulator.`
  }
  return null
}
