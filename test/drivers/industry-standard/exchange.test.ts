import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { describe, it } from 'node:test'
import { type EncoderRequest, exchanging } from '../../../drivers/industry-standard/exchange.ts'
import { control, deframer, fieldsIn, message } from '../../../drivers/industry-standard/framing.ts'
import { line } from '../../../drivers/industry-standard/line.ts'
import { outstandingAnswers } from '../../../drivers/industry-standard/outstanding-answers.ts'
import { deadline } from '../../../src/devices/inbox.ts'
import { testClock } from '../../test-clock.ts'

const clock = testClock()
const key: EncoderRequest = { name: 'CN1', encoder: '1', fields: ['CN1', '1', 'E', '101'] }
const checkOut: EncoderRequest = { name: 'CO', encoder: '0', fields: ['CO', '0', '101'] }

/**
 * One who talks to a far end that follows a script: what it says to each ENQ and to each request, `ACK` and `NAK` or a
 * message with `|` between its fields.
 */
function scripted(script: [heard: string, ...says: string[]][]) {
  const [near, far] = duplexPair()
  const owed = outstandingAnswers(clock)
  const frames = deframer()
  const heard: string[] = []
  far.on('data', (bytes: Uint8Array) => {
    for (const sound of frames.push(bytes)) {
      const text =
        sound.kind === 'message' ? fieldsIn(sound.text).join('|') : sound.kind === 'control' ? 'ENQ' : '?'
      heard.push(text)
      const at = script.findIndex(([expected]) => text === expected || text.startsWith(`${expected}|`))
      for (const says of at < 0 ? [] : script.splice(at, 1)[0]!.slice(1)) far.write(spoken(says))
    }
  })
  const { exchange } = exchanging(line(near, 1, clock), owed, 1, clock)
  return { exchange, owed, heard, close: () => near.destroy() }
}

function spoken(text: string): Uint8Array {
  if (text === 'ACK') return Uint8Array.of(control.ack)
  if (text === 'NAK') return Uint8Array.of(control.nak)
  return message(text.split('|'))
}

describe('industry-standard exchange', () => {
  it('takes nothing for an answer that was said before the request', async () => {
    const { exchange, close } = scripted([
      ['ENQ', 'CN1|1|01D0CA2D', 'ACK'],
      ['CN1', 'ACK', 'TD|1'],
    ])
    const outcome = await exchange(key, deadline(clock, 40_000))
    assert.deepEqual(outcome, { end: 'answered', fields: ['TD', '1'], calledOff: false })
    close()
  })

  it('takes nothing for an answer that is of another command or another encoder', async () => {
    const { exchange, owed, close } = scripted([
      ['ENQ', 'ACK'],
      ['CN1', 'ACK', 'LT|1|LD', 'CO|0', 'CN1|02|0BAD0BAD', 'TD|2', 'CN1|01|600D600D'],
    ])
    owed.owe('2', 'CN1', 60_000)
    const outcome = await exchange(key, deadline(clock, 40_000))
    assert.deepEqual(outcome, { end: 'answered', fields: ['CN1', '01', '600D600D'], calledOff: false })
    assert.equal(owed.owes('2'), false, 'what came late was noted')
    close()
  })

  it('takes a failure that names no encoder, unless another is owed one', async () => {
    const script = () =>
      scripted([
        ['ENQ', 'ACK'],
        ['CN1', 'ACK', 'ES'],
        ['ENQ', 'ACK'],
        ['EX', 'ACK', 'EX|1'],
      ])
    const clear = script()
    assert.deepEqual(await clear.exchange(key, deadline(clock, 40_000)), {
      end: 'answered',
      fields: ['ES'],
      calledOff: false,
    })
    clear.close()
    const doubtful = script()
    doubtful.owed.owe('2', 'CN1', 60_000)
    assert.deepEqual(await doubtful.exchange(key, deadline(clock, 10_000)), { end: 'unanswered', left: true })
    doubtful.close()
  })

  it('hears what comes right behind the end of calling off', async () => {
    const { exchange, owed, heard, close } = scripted([
      ['ENQ', 'ACK'],
      ['CN1', 'ACK'],
      ['ENQ', 'ACK'],
      ['EX', 'ACK', 'EX|1', 'CN1|1|600D600D'],
    ])
    const outcome = await exchange(key, deadline(clock, 10_000))
    assert.deepEqual(outcome, { end: 'answered', fields: ['CN1', '1', '600D600D'], calledOff: true })
    assert.deepEqual(heard, ['ENQ', 'CN1|1|E|101', 'ENQ', 'EX|1|E'])
    assert.equal(owed.owes('1'), false)
    close()
  })

  it('takes a failure for that of calling off, unless only a card can fail so', async () => {
    for (const [said, end] of [
      ['NC|1', 'unanswered'],
      ['OV|1', 'unanswered'],
      ['ED|1', 'answered'],
      ['EE|1', 'answered'],
    ] as const) {
      const { exchange, owed, close } = scripted([
        ['ENQ', 'ACK'],
        ['CN1', 'ACK'],
        ['ENQ', 'ACK'],
        ['EX', 'ACK', said],
      ])
      assert.equal((await exchange(key, deadline(clock, 10_000))).end, end, said)
      assert.equal(owed.owes('1'), true, 'EX is owed in any case')
      close()
    }
  })

  it('an encoder that answers no cancellation is not busy for ever, however often it is asked', async () => {
    const cancelled = Array.from({ length: 60 }, (): [string, ...string[]][] => [
      ['ENQ', 'ACK'],
      ['EX', 'ACK'],
    ])
    const { exchange, close } = scripted([
      ['ENQ', 'ACK'],
      ['CN1', 'ACK'],
      ...cancelled.flat(),
      ['CN1', 'ACK', 'CN1|1|600D600D'],
    ])
    const since = clock.monotonic()
    const ends: string[] = []
    while (ends.at(-1) !== 'answered' && ends.length < 50)
      ends.push((await exchange(key, deadline(clock, 10_000))).end)
    assert.equal(ends.at(-1), 'answered', ends.join())
    assert.ok(clock.monotonic() - since < 140_000, `${clock.monotonic() - since} ms`)
    close()
  })

  it('still owes the answer to the newest request, in whatever order a start tells of the requests', () => {
    const clock = testClock()
    const owed = outstandingAnswers(clock)
    owed.owe('1', 'CN1', 100_000)
    owed.owe('1', 'CN1', -20_000)
    assert.equal(owed.owes('1'), true)
  })

  for (const request of [key, checkOut])
    it(`remembers that ${request.name} is owed when it was not even confirmed`, async () => {
      const { exchange, owed, heard, close } = scripted([['ENQ', 'ACK']])
      const outcome = await exchange(request, deadline(clock, 20_000))
      assert.deepEqual(outcome, { end: 'unconfirmed', left: true })
      assert.equal(owed.owes(request.encoder), true)
      assert.equal(heard.filter((each) => each.startsWith(request.name)).length, 1)
      close()
    })

  it('calls nothing off for a check-out, whose answer still comes', async () => {
    const { exchange, owed, heard, close } = scripted([
      ['ENQ', 'ACK'],
      ['CO', 'CO|0'],
    ])
    assert.equal((await exchange(checkOut, deadline(clock, 20_000))).end, 'answered')
    assert.equal(owed.any(), false)
    assert.deepEqual(heard, ['ENQ', 'CO|0|101'])
    close()
  })

  it('never sends a request once its time is over', async () => {
    const { exchange, heard, close } = scripted([])
    assert.deepEqual(await exchange(key, deadline(clock, 0)), { end: 'busy', left: false })
    assert.deepEqual(heard, [])
    close()
  })
})
