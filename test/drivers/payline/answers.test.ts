import assert from 'node:assert/strict'
import { type Duplex, duplexPair } from 'node:stream'
import { it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { lineSplitter } from '../../../drivers/payline/protocol.ts'
import { simulatePayline, terminal } from '../../../drivers/payline/simulator/simulator.ts'
import { paylineTerminal } from '../../../drivers/payline/terminal.ts'
import { testClock } from '../../test-clock.ts'
import { socketPair } from '../socket-pair.ts'

const timing = { clock: testClock(), patience: 1, payWithinMs: 100_000 }
const order = { amount: 10_900, currency: 'EUR', language: null }

// A converter to a serial line delivers to the next connection what the terminal answers late.
it('an answer to a request over an earlier connection is not that to this one', async () => {
  const device = terminal()
  let late = ''
  const before = socketPair(async (far) => {
    far.on(
      'data',
      lineSplitter((line) => {
        late = `${JSON.stringify({ id: JSON.parse(line).id, outcome: 'none' })}\n`
      }),
    )
  })
  await assert.rejects(paylineTerminal(before.near, timing).ask('one'), /did not answer/)
  before.cut()
  assert.notEqual(late, '')
  const now = socketPair((far) => {
    far.write(late)
    return simulatePayline(far, device)
  })
  const { outcome } = await paylineTerminal(now.near, timing).pay({ ...order, reference: 'other' })
  now.cut()
  assert.deepEqual([outcome, device.payments.get('other')?.outcome], ['paid', 'paid'])
})

/** A terminal that answers each request with these chunks, and the driver's end of its wire. */
function answering(chunksFor: (id: number) => readonly Buffer[]): Duplex {
  const [near, far] = duplexPair()
  const answer = async (line: string) => {
    for (const chunk of chunksFor(JSON.parse(line).id)) {
      far.write(chunk)
      await setImmediate()
    }
  }
  far.on(
    'data',
    lineSplitter((line) => void answer(line)),
  )
  return near
}

for (const noise of ['null', '5', '"paid"', '[]', 'true', '{"id":null}'])
  it(`a line ${noise} is not an answer`, async () => {
    const near = answering((id) => [Buffer.from(`${noise}\n{"id":${id},"outcome":"none"}\n`)])
    assert.deepEqual(await paylineTerminal(near, timing).ask('one'), { outcome: 'none' })
  })

it('an answer whose characters arrive in pieces is read as it was sent', async () => {
  const paid = { outcome: 'paid', transactionId: 'Ä-1', brand: 'Crédit' }
  const near = answering((id) =>
    [...Buffer.from(`${JSON.stringify({ id, ...paid })}\n`)].map((byte) => Buffer.of(byte)),
  )
  assert.deepEqual(await paylineTerminal(near, timing).ask('one'), paid)
})
