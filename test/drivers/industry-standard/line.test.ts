import assert from 'node:assert/strict'
import { Duplex, duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { control, message } from '../../../drivers/industry-standard/framing.ts'
import { line } from '../../../drivers/industry-standard/line.ts'
import { testClock } from '../../test-clock.ts'

const clock = testClock()
const [ack, nak] = [Uint8Array.of(control.ack), Uint8Array.of(control.nak)]
const request = ['CN1', '1', 'E', '101']
const answer = message(['CN1', '1'])

/** A line, and what its far end says to each piece that it hears. */
function scripted(...says: Uint8Array[]) {
  const [near, far] = duplexPair()
  const heard: Uint8Array[] = []
  far.on('data', (bytes: Uint8Array) => {
    heard.push(bytes)
    const next = says.shift()
    if (next) far.write(next)
  })
  return { line: line(near, 1, clock), heard, far }
}

describe('industry-standard line', () => {
  it('sends a request once, and knows whether it was accepted or declined', async () => {
    for (const [said, offered] of [
      [ack, 'accepted'],
      [nak, 'declined'],
      [answer, 'accepted'],
      [Buffer.concat([ack, answer]), 'accepted'],
      // Which of the two is noise cannot be told: it may be under way.
      [Buffer.concat([nak, ack]), 'accepted'],
      [Buffer.concat([nak, answer]), 'accepted'],
      [Uint8Array.of(0x41, 0x42), 'unconfirmed'],
    ] as const) {
      const { line, heard } = scripted(said)
      assert.equal(await line.offer(request), offered, said.toHex())
      assert.deepEqual(heard.map(Buffer.from), [Buffer.from(message(request))])
      line.close()
    }
  })

  it('keeps an answer that comes before it is waited for', async () => {
    const { line } = scripted(Buffer.concat([answer, ack]), Buffer.concat([ack, answer]))
    assert.equal(await line.enquire(), 'ack')
    assert.deepEqual(await line.unheard(), [['CN1', '1']])
    assert.equal(await line.offer(request), 'accepted')
    assert.deepEqual(await line.receive(1_000), ['CN1', '1'])
    assert.equal(await line.receive(10), 'late')
    line.close()
  })

  it('forgets control bytes that nobody waited for', async () => {
    const { line, far } = scripted()
    far.write(Buffer.concat([ack, nak, ack]))
    assert.deepEqual(await line.unheard(), [])
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(await line.unheard(), [])
    assert.equal(await line.enquire(10), 'late')
    line.close()
  })

  it('keeps a bounded number of answers that nobody asked for', async () => {
    const { line, far } = scripted()
    for (let index = 0; index < 1_000; index++) far.write(answer)
    await clock.sleep(50)
    assert.ok((await line.unheard()).length <= 64)
    line.close()
  })

  it('does not wait for a wire that takes nothing', async () => {
    const stuck = new Duplex({ read() {}, write() {} })
    const blocked = line(stuck, 1, clock)
    assert.equal(await blocked.offer(request), 'blocked')
    assert.equal(await blocked.enquire(), 'late')
    blocked.close()
    assert.equal(await blocked.offer(request), 'gone')
    assert.equal(blocked.isOpen(), false)
  })

  it('says that it is gone when the far end is, whatever it was waiting for', async () => {
    for (const wait of ['enquire', 'offer', 'hear'] as const) {
      const { line, far } = scripted()
      const waiting =
        wait === 'offer' ? line.offer(request) : wait === 'hear' ? line.receive(5_000) : line.enquire()
      far.destroy()
      assert.equal(await waiting, 'gone', wait)
    }
  })
})
