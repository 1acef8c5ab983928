import { connect } from 'node:net'
import { type ReportAnswer, reportLine } from '../../src/devices/hid/hid-reports.ts'
import { systemClock } from '../../src/host/clock.ts'
import { plugIn } from '../long/drivers/ifd510/usb-device.ts'

/**
 * Runs inside the machine of a test, and is never part of an image: plugs a reader into a USB socket of its kernel. A
 * simulator on the host, at the address of the command line, plays the reader. SIGTERM pulls it out.
 */
const [host = '', port = ''] = process.argv.slice(2)
const line = reportLine(connect(Number(port), host), systemClock)
const transferMs = 5_000

const reader = await plugIn({
  set: async (report) => void valueIn(await line.set(report, transferMs)),
  get: async (id, length) => valueIn(await line.get(id, length, transferMs)),
  close: async () => line.close(),
})
process.once('SIGTERM', () => {
  reader.unplug()
  line.close()
})

function valueIn<Value>(answer: ReportAnswer<Value>): Value {
  if (typeof answer === 'string') throw new Error(`The simulator is ${answer}.`)
  if ('failed' in answer) throw new Error(answer.failed)
  return answer.value
}
