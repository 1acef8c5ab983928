import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type FiasReceived,
  type Framing,
  frame,
  frames,
  longestRecord,
} from '../../../drivers/fias/framing.ts'
import { checkOf } from '../../../src/devices/driving/stx-messages.ts'
import fc from '../../seed.ts'

const ascii = (text: string) => Buffer.from(text, 'latin1')
const record = (text: string): FiasReceived => ({ kind: 'message', text: ascii(text) })
const broken: FiasReceived = { kind: 'damaged' }

/** What stands between STX and ETX, and the check byte of it. The first is printed in the specification. */
const checked: readonly [string, string][] = [
  ['12345', '32'],
  ['LS|DA260801|TI120000|', '76'],
  ['LA|DA260801|TI120000|', '64'],
  ['LD|DA260801|TI120000|V#1.0|IFKC|', '3C'],
  ['KR|KC1|KTN|RN101|WS1|G#12345|GA260801|GD260804|DT11:00|', '68'],
  ['KR|WS3|KC1|RN2781|KTN|G#11122|GA260801|GD260804|', '00'],
  ['KA|KC1|WS1|ASOK|G#12345|$204A1B2C3|', '24'],
  ['KA|KC1|WS1|ASBY|G#12345|CTEncoder busy|', '27'],
  ['KD|KC1|RN101|WS1|G#12345|', '05'],
]

describe('a FIAS frame', () => {
  for (const [text, check] of checked)
    it(`${text} has the check byte ${check}`, () => {
      assert.equal(checkOf(ascii(text)), Number.parseInt(check, 16))
      assert.deepEqual(frames('serial-lrc').push(frame(ascii(text), 'serial-lrc')), [record(text)])
    })

  it('is these bytes as a whole', () => {
    const whole = '024B417C4B43317C5753317C41534F4B7C472331323334357C24323034413142324333' + '7C0324'
    assert.equal(
      frame(ascii('KA|KC1|WS1|ASOK|G#12345|$204A1B2C3|'), 'serial-lrc').toString('hex').toUpperCase(),
      whole,
    )
  })

  it('has no check byte over TCP, and ACK, NAK and ENQ mean nothing there', () => {
    const bytes = frame(ascii('LA|'), 'tcp')
    assert.equal(bytes.toString('hex'), '024c417c03')
    assert.deepEqual(frames('tcp').push(Buffer.concat([Uint8Array.of(6, 21, 5), bytes])), [record('LA|')])
  })

  it('reads a check byte that looks like a control character by its place', () => {
    for (const wanted of [0x00, 0x02, 0x03, 0x05, 0x06, 0x15]) {
      // The last letter makes the sum what is wanted.
      const body = Buffer.from([0x41, 0x80, 0])
      body[2] = checkOf(body.subarray(0, 2)) ^ wanted
      const found = frames('serial-lrc')
      assert.deepEqual(
        found.push(Buffer.concat([frame(body, 'serial-lrc'), frame(ascii('LS|'), 'serial-lrc')])),
        [{ kind: 'message', text: body }, record('LS|')],
      )
      assert.equal(found.restless, false)
    }
  })

  it('hears the signs of a serial line between records', () => {
    const bytes = Buffer.concat([
      Uint8Array.of(6),
      frame(ascii('LA|'), 'serial-lrc'),
      Uint8Array.of(21, 5, 0x41),
    ])
    assert.deepEqual(frames('serial-lrc').push(bytes), [
      { kind: 'control', word: 'ack' },
      record('LA|'),
      { kind: 'control', word: 'nak' },
      { kind: 'control', word: 'enq' },
    ])
  })

  it('knows a record that did not come whole', () => {
    const found = frames('serial-lrc')
    assert.deepEqual(found.push(Uint8Array.of(2, 0x4c, 0x53, 3, 0x11)), [broken], 'a wrong check byte')
    assert.deepEqual(found.push(Uint8Array.of(2, 0x4c)), [])
    assert.equal(found.restless, true)
    assert.deepEqual(found.quiet(), [broken], 'it stopped')
    assert.deepEqual(found.quiet(), [])
    assert.deepEqual(frames('tcp').push(Uint8Array.of(2, 0x4c, 2, 0x4c, 0x53, 3)), [broken, record('LS')])
  })

  it('takes two records in one piece, and one in many pieces', () => {
    const two = Buffer.concat([frame(ascii('LS|'), 'tcp'), frame(ascii('LA|'), 'tcp')])
    assert.deepEqual(frames('tcp').push(two), [record('LS|'), record('LA|')])
    const found = frames('tcp')
    assert.deepEqual(
      [...two].flatMap((byte) => found.push(Uint8Array.of(byte))),
      [record('LS|'), record('LA|')],
    )
  })

  it('holds no record that is too long, and goes on behind it', () => {
    const found = frames('tcp')
    const long = Buffer.alloc(longestRecord + 1, 'A')
    assert.deepEqual(found.push(Buffer.concat([Uint8Array.of(2), long, Uint8Array.of(3)])), [broken])
    assert.deepEqual(found.push(frame(ascii('LS|'), 'tcp')), [record('LS|')])
    assert.throws(() => frame(long, 'tcp'), RangeError)
  })

  it('reports a record that never ends once, as soon as it is too long', () => {
    for (const framing of ['tcp', 'serial', 'serial-lrc'] as const) {
      const found = frames(framing)
      assert.deepEqual(found.push(Buffer.concat([Uint8Array.of(2), Buffer.alloc(longestRecord, 'A')])), [])
      assert.deepEqual(found.push(Buffer.from('A')), [broken])
      for (let piece = 0; piece < 5; piece++) assert.deepEqual(found.push(Buffer.alloc(100_000, 'A')), [])
      assert.deepEqual(found.quiet(), [])
      assert.equal(found.restless, false)
      assert.deepEqual(found.push(frame(ascii('LS|'), framing)), [record('LS|')])
    }
  })

  it('frames no record that is too long, and none with an ETX', () => {
    const long = Buffer.alloc(longestRecord + 1, 'A')
    assert.throws(() => frame(long, 'tcp'), RangeError)
    assert.throws(() => frame(Uint8Array.of(3), 'tcp'), RangeError)
  })

  for (const framing of ['tcp', 'serial', 'serial-lrc'] satisfies Framing[])
    it(`${framing} is back in step after any noise, however it is cut up`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat({ max: 90 }), (noise, cut) => {
          const found = frames(framing)
          const bytes = Buffer.concat([noise, frame(ascii('LS|'), framing), frame(ascii('LA|'), framing)])
          const heard = [...found.push(bytes.subarray(0, cut)), ...found.push(bytes.subarray(cut))]
          const whole = frames(framing)
          assert.deepEqual(heard, whole.push(bytes))
          // One record at most is lost to a check byte that was awaited.
          assert.deepEqual(heard.at(-1), record('LA|'))
        }),
      )
    })
})
