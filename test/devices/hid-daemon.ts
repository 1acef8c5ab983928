import { openHid } from '../../src/devices/hid/hid-device.ts'
import { systemClock } from '../../src/host/clock.ts'
import { childrenOf } from '../processes.ts'

/** A daemon with one device: says which process the device has, and then `stays` or, having nothing to do, ends. */

const [, , does, serialNumber = ''] = process.argv
const program = new URL('./hid-played.ts', import.meta.url)
await openHid(
  { transport: 'hid', vendorId: 0xffff, productId: 0x35, serialNumber },
  { clock: systemClock, checkMs: 50 },
  program,
)
console.log(childrenOf(process.pid).join())
if (does === 'stays') setInterval(() => {}, 60_000)
