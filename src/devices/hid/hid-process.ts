import type { Device, HID } from 'node-hid'
import { moduleMissing } from '../native-modules.ts'
import { type HidAddress, hidText } from './hid-address.ts'
import { answerRequests, type DeviceInProcess } from './hid-requests.ts'

/** What runs in the process of a HID device: the native library, which is loaded nowhere else. */

const loading = await Promise.allSettled([import('node-hid')])
answerRequests(open)

function open(address: HidAddress): DeviceInProcess {
  try {
    return openWith(library(), address)
  } catch (error) {
    throw moduleMissing(error) ?? error
  }
}

function library(): typeof import('node-hid') {
  const [loaded] = loading
  if (loaded.status === 'rejected') throw loaded.reason
  // Before the native part is loaded. The other way to a HID device, /dev/hidraw*, is not there for one without an
  // interrupt endpoint: the kernel's HID driver lets it go ("couldn't find an input interrupt endpoint").
  loaded.value.setDriverType('libusb')
  return loaded.value
}

function openWith({ devices, HID }: typeof import('node-hid'), address: HidAddress): DeviceInProcess {
  const path = onlyOne(address, devices(address.vendorId, address.productId))
  const device = opened(HID, address, path)
  return {
    path,
    set: (report) => void device.sendFeatureReport(Buffer.from(report)),
    get: (id, length) => Uint8Array.from(device.getFeatureReport(id, length)),
    close: () => device.close(),
  }
}

function opened(Library: typeof HID, address: HidAddress, path: string): HID {
  try {
    return new Library(path)
  } catch {
    // The library does not report the reason.
    throw new Error(
      `${hidText(address)} is at USB ${path} and cannot be opened: it is in use by another program, or may not be (a udev rule must give /dev/bus/usb/... to a group of the service)`,
    )
  }
}

/** The path of the one matching device: bus and ports, then `:configuration.interface`. */
function onlyOne({ port, serialNumber, ...ids }: HidAddress, there: Device[]): string {
  const meant = there.filter((each) => {
    if (serialNumber !== undefined) return each.serialNumber === serialNumber
    return port === undefined || portOf(each) === port
  })
  const [first] = meant
  const address = hidText({ ...ids, ...(port && { port }), ...(serialNumber && { serialNumber }) })
  const all = there.map(portOf).join(', ')
  if (!first?.path) {
    const others = there.length > 0 ? `; there are devices of its kind at ${all}` : ''
    throw new Error(`${address} is not there: the device is unplugged or the address is wrong${others}`)
  }
  if (meant.some((each) => portOf(each) !== portOf(first)))
    throw new Error(`${address} is any of ${all}: say which with ?port=${portOf(first)}`)
  return first.path
}

function portOf({ path = '' }: Device): string {
  return path.split(':')[0] ?? ''
}
