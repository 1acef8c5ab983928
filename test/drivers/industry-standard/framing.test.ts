import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  deframer,
  type EncoderReceived,
  fieldsIn,
  message,
} from '../../../drivers/industry-standard/framing.ts'
import fc from '../../seed.ts'
import { bytes, vectors, wholeMessages } from './vectors.ts'

/** All that is made out of these pieces, the line being quiet after the last. */
function heardOf(...pieces: Uint8Array[]): Said[] {
  const frames = deframer()
  const heard = pieces.flatMap((piece) => frames.push(piece))
  return [...heard, ...frames.quiet()].map(inFields)
}

type Said = Exclude<EncoderReceived, { kind: 'message' }> | { kind: 'message'; fields: string[] }

function inFields(heard: EncoderReceived): Said {
  return heard.kind === 'message' ? { kind: 'message', fields: fieldsIn(heard.text) } : heard
}

const said = (...fields: string[]): Said => ({ kind: 'message', fields })
const ack: Said = { kind: 'control', word: 'ack' }
const nak: Said = { kind: 'control', word: 'nak' }
const damaged: Said = { kind: 'damaged' }

/** A message whose check byte is what is wanted, if need be wrong. */
function withLrc(text: string, lrc: number): Uint8Array {
  const whole = message(text.split('|'))
  whole[whole.length - 1] = lrc
  return whole
}

const field = fc.stringMatching(/^[ -~\u00a0-\u00b2\u00b4-\u00ff]{0,12}$/)
/** Without an empty one at the end: whether it was sent cannot be told from a separator too many. */
const fields = fc
  .array(field, { minLength: 1, maxLength: 14 })
  .filter((list) => list.length === 1 || list.at(-1) !== '')

describe('industry-standard framing', () => {
  it('writes the messages that are known, byte for byte', () => {
    for (const [text, hex] of wholeMessages) assert.deepEqual(message(text.split('|')), bytes(hex), text)
  })

  it('gives each message the check byte that it is known to have', () => {
    for (const [text, lrc] of vectors) assert.equal(message(text.split('|')).at(-1), lrc, text)
  })

  it('reads what it writes, however it is cut', () => {
    fc.assert(
      fc.property(fields, fc.nat(200), (list, cut) => {
        const whole = message(list)
        assert.deepEqual(heardOf(whole.subarray(0, cut), whole.subarray(cut)), [said(...list)])
        assert.deepEqual(heardOf(...[...whole].map((byte) => Uint8Array.of(byte))), [said(...list)])
      }),
    )
  })

  it('reads the check byte by its place, whatever it is', () => {
    for (const lrc of [0x02, 0x03, 0x05, 0x06, 0x0d, 0x15, 0xb3]) {
      // A field that brings the check to this value.
      const base = message(['LT', '2', 'AB']).at(-1)!
      const wanted = 'B'.charCodeAt(0) ^ base ^ lrc
      if (wanted < 0x20 || wanted === 0xb3 || (wanted > 0x7e && wanted < 0xa0)) continue
      const whole = message(['LT', '2', `A${String.fromCharCode(wanted)}`])
      assert.equal(whole.at(-1), lrc)
      assert.deepEqual(heardOf(whole, Uint8Array.of(0x06)), [
        said('LT', '2', `A${String.fromCharCode(wanted)}`),
        ack,
      ])
    }
    assert.deepEqual(heardOf(message(['CO', '2', '101'])), [said('CO', '2', '101')])
  })

  it('does not check where 0D stands, and calls every other wrong one damaged', () => {
    assert.deepEqual(heardOf(withLrc('CN1|1', 0x0d)), [said('CN1', '1')])
    assert.deepEqual(heardOf(withLrc('CN1|1', 0xbc), Uint8Array.of(0x06)), [damaged, ack])
  })

  it('tells ACK and answer apart in one piece and in two', () => {
    const whole = message(['CN1', '1', '04A1B2C3'])
    const both = [ack, said('CN1', '1', '04A1B2C3')]
    assert.deepEqual(heardOf(Buffer.concat([Uint8Array.of(0x06), whole])), both)
    assert.deepEqual(heardOf(Uint8Array.of(0x06), whole), both)
  })

  it('keeps empty fields within, and reads Latin-1', () => {
    assert.deepEqual(heardOf(message(['LT', '1', '', '', 'Zimmer Ä'])), [said('LT', '1', '', '', 'Zimmer Ä')])
    assert.equal(message(['Ä'])[2], 0xc4)
  })

  it('misses no separator before the end', () => {
    assert.deepEqual(heardOf(bytes('02 B3 43 4F B3 30 03 3F')), [said('CO', '0')])
  })

  it('finds no control byte in what is left of a broken message', () => {
    const whole = withLrc('CN1|1|E|101', 0x15)
    assert.deepEqual(heardOf(whole.subarray(1)), [])
    assert.deepEqual(heardOf(Uint8Array.of(0x41, 0x15)), [])
    const cut = Buffer.concat([bytes('02 B3 43 00 4E 03 06'), message(['CO', '0'])])
    assert.deepEqual(heardOf(cut), [damaged, said('CO', '0')])
  })

  it('hears control bytes again once it was quiet', () => {
    const frames = deframer()
    assert.deepEqual(frames.push(bytes('41 42 15')), [])
    assert.ok(frames.restless)
    assert.deepEqual(frames.quiet(), [])
    assert.deepEqual(frames.push(Uint8Array.of(0x15)), [nak])
  })

  it('gives up a message that stops, and one that never ends', () => {
    assert.deepEqual(heardOf(bytes('02 B3 43 4F B3 30 B3 03')), [damaged])
    const endless = Buffer.concat([bytes('02 B3'), Buffer.alloc(100_000, 0x41)])
    assert.deepEqual(heardOf(endless, message(['CO', '0'])), [damaged, said('CO', '0')])
  })

  it('is back in step after any noise, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fields, (noise, list) => {
        const frames = deframer()
        frames.push(noise)
        frames.quiet()
        assert.ok(!frames.restless)
        assert.deepEqual(frames.push(message(list)).map(inFields), [said(...list)])
      }),
    )
  })
})
