import { parentPort } from 'node:worker_threads'
import { type Device, devices, HID, setDriverType } from 'node-hid'
import { type HidAddress, hidText } from './hid-address.ts'

/** What the thread is asked to do, one after the other. It has one device at a time. */
export type HidRequest =
  | { does: 'open'; address: HidAddress }
  | { does: 'set'; report: Uint8Array }
  | { does: 'get'; id: number; length: number }
  | { does: 'close' }

/** `open` gives the path under which the kernel knows the device, `get` the report. */
export type HidReply = { given: string | Uint8Array | null } | { error: string }

// Before the native part is loaded. The other way to a HID device, /dev/hidraw*, is not there for one without an
// interrupt endpoint: the kernel's HID driver lets it go ("couldn't find an input interrupt endpoint").
setDriverType('libusb')
let device: HID | null = null

parentPort?.on('message', (request: HidRequest) => {
  let reply: HidReply
  try {
    reply = { given: carryOut(request) }
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(reply)
})

function carryOut(request: HidRequest): string | Uint8Array | null {
  if (request.does === 'open') return open(request.address)
  if (request.does === 'close') {
    device?.close()
    device = null
    return null
  }
  if (!device) throw new Error('is not open')
  if (request.does === 'get') return Uint8Array.from(device.getFeatureReport(request.id, request.length))
  device.sendFeatureReport(Buffer.from(request.report))
  return null
}

function open(address: HidAddress): string {
  const path = onlyOne(address, devices(address.vendorId, address.productId))
  try {
    device = new HID(path)
  } catch {
    // The library does not say why.
    throw new Error(
      `${hidText(address)} is at USB ${path} and cannot be opened: it is in use by another program, or may not be (a udev rule must give /dev/bus/usb/... to a group of the service)`,
    )
  }
  return path
}

/** The path of the one device that is meant: bus and ports, then `:configuration.interface`. */
function onlyOne({ port, serialNumber, ...ids }: HidAddress, there: Device[]): string {
  const meant = there.filter((each) => {
    if (serialNumber !== undefined) return each.serialNumber === serialNumber
    return port === undefined || portOf(each) === port
  })
  const [first] = meant
  const asked = hidText({ ...ids, ...(port && { port }), ...(serialNumber && { serialNumber }) })
  const all = there.map(portOf).join(', ')
  if (!first?.path) {
    const others = there.length > 0 ? `; there are devices of its kind at ${all}` : ''
    throw new Error(`${asked} is not there: the device is unplugged or the address is wrong${others}`)
  }
  if (meant.some((each) => portOf(each) !== portOf(first)))
    throw new Error(`${asked} is any of ${all}: say which with ?port=${portOf(first)}`)
  return first.path
}

function portOf({ path = '' }: Device): string {
  return path.split(':')[0] ?? ''
}
