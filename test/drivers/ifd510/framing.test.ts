import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  answerReport,
  carried,
  decode,
  encode,
  ends,
  report,
  requestIn,
} from '../../../drivers/ifd510/framing.ts'
import { hidReports, lines, times } from './vectors.ts'

describe('a packet of the ifd510', () => {
  for (const [what, text, code, data] of lines)
    it(`is checked on a serial line: ${what}`, () => {
      const bytes = Buffer.from(text.replaceAll(' ', ''), 'hex')
      const packet = decode(bytes)
      assert.ok(packet)
      assert.deepEqual([packet.code, Buffer.from(packet.data)], [code, Buffer.from(data)])
      assert.deepEqual(encode(ends.device, code, data, packet.station), bytes)
    })

  for (const [what, text, code, data] of hidReports)
    it(`travels in a report: ${what}`, () => {
      const bytes = Buffer.alloc(256)
      bytes.set(Buffer.from(text.replaceAll(' ', ''), 'hex'))
      if (bytes[0] === 1) {
        assert.deepEqual(report(encode(ends.host, code, data)), bytes)
        assert.deepEqual(requestIn(bytes)?.code, code)
        return
      }
      const short = answerReport(encode(ends.device, code, data))
      assert.deepEqual(Buffer.concat([short], 256), bytes)
      for (const answer of [short, bytes]) {
        const { empty, packet } = carried(answer)
        assert.deepEqual([empty, packet?.code, [...(packet?.data ?? [])]], [false, code, data])
      }
    })

  it('counts the address of the reader in its check byte', () => {
    const answer = Buffer.from('0202060001160FF47F9703', 'hex')
    assert.equal(decode(answer)?.station, 2)
    answer[1] = 0
    assert.equal(decode(answer), null)
  })

  it('is understood with either pair of ends, and with one of each', () => {
    const bytes = encode(ends.device, 0x25, [0x52, 1])
    for (const [stx, etx] of [ends.host, ends.device, [0x02, 0xbb], [0xaa, 0x03]] as const) {
      bytes[0] = stx
      bytes[bytes.length - 1] = etx
      assert.deepEqual(decode(bytes)?.code, 0x25)
    }
  })

  it('is nothing whole when cut off, lengthened in its length, or flipped in any bit', () => {
    const whole = encode(ends.device, 0x00, [0, 0x66, 0xcf, 0x4d, 0xc2])
    for (let length = 0; length < whole.length; length++)
      assert.equal(decode(whole.subarray(0, length)), null)
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const flipped = Buffer.from(whole)
      flipped[bit >> 3]! ^= 1 << (bit & 7)
      assert.equal(decode(flipped), null, `bit ${bit}`)
    }
  })

  it('is not there yet while a report holds zeros, whatever it calls itself', () => {
    for (const id of [0, 2, 3])
      assert.equal(carried(Buffer.concat([Buffer.from([id]), times(255, 0)])).empty, true)
    assert.equal(carried(new Uint8Array(0)).empty, true)
  })

  it('is asked for only in a report that says its exact length', () => {
    const bytes = report(encode(ends.host, 0x86))
    bytes[6]!++
    assert.equal(requestIn(bytes), null)
  })
})
