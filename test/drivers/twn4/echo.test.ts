import assert from 'node:assert/strict'
import { Duplex } from 'node:stream'
import { it } from 'node:test'
import driver from '../../../drivers/twn4/driver.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { testClock } from '../../test-clock.ts'

const clock = testClock()
const found = '0001802004AABBCCDD'

/** A line on which a log-in comes back as it was sent, and everything else is answered. */
function echoing(): Duplex {
  const line = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      const sent = chunk.toString('latin1')
      line.push(`${answerTo(sent)}\r`)
      done()
    },
  })
  return line
}

function answerTo(sent: string): string {
  if (sent.startsWith('0B00')) return sent.trim()
  if (sent.startsWith('0500')) return found
  return sent.startsWith('1205') ? '000108' : '00'
}

it('a key that comes back on the line is in nothing that is said of the fault', async () => {
  const encoder = driver.open(echoing(), { model: 'twn4', patience: 1, options: {}, clock })
  assert.ok(await encoder.find())
  await assert.rejects(encoder.authenticate(1, 'A', Uint8Array.fromHex('8E33A43F1CB7')), (fault) => {
    assert.ok(fault instanceof DeviceFault)
    assert.equal(fault.code, 'encoder-timeout')
    assert.doesNotMatch(`${fault.message} ${fault.vendorCode}`, /8E33A43F1CB7/i)
    return true
  })
  encoder.close()
})
