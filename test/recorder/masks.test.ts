import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as crtFraming from '../../drivers/crt571/framing.ts'
import { mask as crt571 } from '../../drivers/crt571/mask.ts'
import * as ifdFraming from '../../drivers/ifd510/framing.ts'
import { mask as ifd510 } from '../../drivers/ifd510/mask.ts'
import * as k720Framing from '../../drivers/k720/framing.ts'
import { mask as k720 } from '../../drivers/k720/mask.ts'
import { encode } from '../../drivers/twn4/framing.ts'
import { mask as twn4 } from '../../drivers/twn4/mask.ts'
import { encodeHid, kinds } from '../../src/devices/hid/hid-messages.ts'
import { type Direction, hiddenUid } from '../../src/devices/mask.ts'
import { sectorTrailer, transportConditions } from '../../src/devices/mifare-classic.ts'

const key = [0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6]
const zeros = [0, 0, 0, 0, 0, 0]
const trailer = [...sectorTrailer(Uint8Array.from(key), transportConditions, Uint8Array.from(key))]
/** What a card holds, a block and a page of it, and its serial number. */
const content = Array.from({ length: 16 }, (_, index) => 0x31 + index)
const noContent = Array(16).fill(0)
const page = content.slice(0, 4)
const uid4 = [0x9a, 1, 2, 3]
const uid7 = [4, 0xaf, 1, 2, 3, 4, 5]
const hidden = (uid: number[]) => [...hiddenUid(Uint8Array.from(uid))]
const long = [...key, ...key, 1, 2, 3, 4]

describe('the mask of a TWN4', () => {
  const line = (bytes: number[], crc = false, binary = false) => encode(bytes, crc, binary)
  const kept = (direction: Direction, bytes: Buffer, options = {}) =>
    Buffer.from(twn4(options)(direction, bytes)).toString('latin1')

  const rows: [what: string, direction: Direction, bytes: number[], expected: number[]][] = [
    ['the key of a login', 'out', [0x0b, 0, ...key, 0, 1], [0x0b, 0, ...zeros, 0, 1]],
    ['a block that is written', 'out', [0x0b, 2, 4, ...content], [0x0b, 2, 4, ...noContent]],
    ['the keys of a trailer', 'out', [0x0b, 2, 7, ...trailer], [0x0b, 2, 7, ...noContent]],
    ['a page that is written', 'out', [0x20, 1, 4, ...page], [0x20, 1, 4, 0, 0, 0, 0]],
    ['a password page', 'out', [0x20, 1, 0x2b, 1, 2, 3, 4], [0x20, 1, 0x2b, 0, 0, 0, 0]],
    [
      'a file that is written',
      'out',
      [0x0f, 9, 0, 1, 0, 0, 4, ...page, 3],
      [0x0f, 9, 0, 1, 0, 0, 4, 0, 0, 0, 0, 3],
    ],
    ['a password', 'out', [0x20, 6, ...key], [0x20, 6, ...zeros]],
    [
      'a DESFire key',
      'out',
      [0x0f, 4, 0, 1, 16, ...long, 2, 1],
      [0x0f, 4, 0, 1, 16, ...Array(16).fill(0), 2, 1],
    ],
    [
      'both keys of a change',
      'out',
      [0x0f, 0x19, 0, 1, 16, ...long, 16, ...long, 1, 9, 1, 0, 0, 0, 2, 0, 0, 0],
      [0x0f, 0x19, 0, 1, 16, ...Array(16).fill(0), 16, ...Array(16).fill(0), 1, 9, 1, 0, 0, 0, 2, 0, 0, 0],
    ],
    ['what a command holds that is not known', 'out', [0x0e, 0x0e, ...key], [0x0e, 0x0e, ...zeros]],
  ]
  for (const [what, direction, bytes, expected] of rows) {
    it(`hides ${what}, with and without CRC, as digits and in binary`, () => {
      for (const crc of [false, true])
        for (const binary of [false, true])
          assert.equal(
            kept(direction, line(bytes, crc, binary), { crc, binary }),
            line(expected, crc, binary).toString('latin1'),
          )
    })
  }

  const answers: [what: string, asked: number[], bytes: number[], expected: number[]][] = [
    ['a block', [0x0b, 1, 4], [0, 1, ...content], [0, 1, ...noContent]],
    ['pages', [0x0c, 0, 4], [0, 1, ...content], [0, 1, ...noContent]],
    ['pages of an NTAG', [0x20, 0, 4], [0, 1, ...content], [0, 1, ...noContent]],
    ['a file', [0x0f, 8, 0, 1, 0, 0, 4, 0], [0, 1, 4, ...page], [0, 1, 4, 0, 0, 0, 0]],
    ['a serial number', [5, 0, 16], [0, 1, 0x80, 56, 7, ...uid7], [0, 1, 0x80, 56, 7, ...hidden(uid7)]],
    ['no card', [5, 0, 16], [0, 0], [0, 0]],
    ['a refusal', [0x0b, 1, 4], [2], [2]],
    ['the kind of a card', [0x12, 5], [0, 1, 8], [0, 1, 8]],
  ]
  for (const [what, asked, bytes, expected] of answers)
    it(`keeps of an answer with ${what} its shape`, () => {
      const mask = twn4({})
      assert.deepEqual(Buffer.from(mask('out', line(asked))), line(asked))
      assert.equal(Buffer.from(mask('in', line(bytes))).toString(), line(expected).toString())
    })

  it('hides the answer to an unknown command, and an incomplete line, which stays unreadable', () => {
    const mask = twn4({})
    mask('out', line([0x0e, 0x0e]))
    assert.equal(Buffer.from(mask('in', line([0, 1, ...key]))).toString(), line([0, 0, ...zeros]).toString())
    const half = line([0x0b, 0, ...key]).subarray(5, 16)
    assert.match(kept('out', half), /^E+$/)
    assert.equal(kept('out', half).length, half.length)
    const torn = line([0x0b, 0, ...key], false, true).subarray(0, 7)
    assert.deepEqual(twn4({ binary: true })('out', torn), Buffer.from([8, 0, 0xee, 0xee, 0xee, 0xee, 0xee]))
  })
})

describe('the mask of a CRT-571', () => {
  const { frame } = crtFraming
  const login = [0x43, 0x60, 0x33, 0x00, 0x20, 0x00, 0x01, 0x06]
  const noise = [0x00, 0xf2, 0x13]

  it('hides the key of a login and keeps the frame sound', () => {
    const sent = frame(0, Uint8Array.from([...login, ...key]))
    assert.deepEqual(
      [...crt571()('out', Uint8Array.from([...noise, ...sent]))],
      [...noise, ...frame(0, Uint8Array.from([...login, ...zeros]))],
    )
  })

  it('keeps a damaged frame damaged', () => {
    const sent = frame(0, Uint8Array.from([...login, ...key]))
    sent[sent.length - 1]! ^= 0xff
    const { push, quiet } = crtFraming.deframer()
    const heard = [...push(crt571()('out', sent)), ...quiet()]
    assert.deepEqual(
      heard.filter(({ kind }) => kind === 'frame'),
      [],
    )
  })

  it('hides what a card holds and its serial number, and all of an unknown command', () => {
    const mask = crt571()
    const head = [0x50, 0x60, 0x33, 0x32, 0x32, 0x30]
    const write = [0x43, 0x60, 0x33, 0x00, 0xd1, 0, 4, 1]
    const cases: [direction: Direction, bytes: number[], expected: number[]][] = [
      ['out', [...write, ...content], [...write, ...noContent]],
      ['out', [...write, ...page], [...write, 0, 0, 0, 0]],
      ['in', [...head, ...content, 0x90, 0], [...head, ...noContent, 0x90, 0]],
      ['in', [...head, 0x6f, 0], [...head, 0x6f, 0]],
      ['in', [0x4e, 0x60, 0x33, 0x31, 0x30], [0x4e, 0x60, 0x33, 0x31, 0x30]],
    ]
    const active = [0x50, 0x60, 0x30, 0x32, 0x32, 0x30, 0x4d, 0, 4]
    for (const uid of [uid4, uid7])
      cases.push(['in', [...active, uid.length, ...uid, 8], [...active, uid.length, ...hidden(uid), 8]])
    for (const [direction, bytes, expected] of cases)
      assert.deepEqual(
        [...mask(direction, frame(0, Uint8Array.from(bytes)))],
        [...frame(0, Uint8Array.from(expected))],
      )
    assert.deepEqual(
      [...mask('out', frame(0, Uint8Array.of(0x43, 0x53, 0x31, ...key)))],
      [...frame(0, Uint8Array.of(0x43, 0x53, 0x31, ...zeros))],
    )
  })

  it('does not change commands without secrets', () => {
    const sent = frame(3, Uint8Array.of(0x43, 0x32, 0x32))
    assert.deepEqual([...crt571()('out', sent)], [...sent])
  })
})

describe('the mask of an IFD510', () => {
  const message = (kind: number, content: Uint8Array) => encodeHid({ tag: 7, kind, content })
  const said = (direction: Direction, code: number, data: number[]) =>
    direction === 'out'
      ? message(kinds.set, ifdFraming.report(ifdFraming.encode(ifdFraming.ends.host, code, data)))
      : message(kinds.report, ifdFraming.answerReport(ifdFraming.encode(ifdFraming.ends.device, code, data)))

  const rows: [what: string, code: number, asked: number[], kept: number[]][] = [
    ['the key of a read', 0x20, [1, 1, 7, ...key], [1, 1, 7, ...zeros]],
    ['key and block of a write', 0x21, [1, 1, 4, ...key, ...content], [1, 1, 4, ...zeros, ...noContent]],
    ['a page that is written', 0xe1, [1, 1, 4, ...page], [1, 1, 4, 0, 0, 0, 0]],
    ['a password page', 0xe1, [1, 1, 0x2b, 1, 2, 3, 4], [1, 1, 0x2b, 0, 0, 0, 0]],
    ['all of what is not known', 0x77, [...key], [...zeros]],
  ]
  for (const [what, code, asked, kept] of rows)
    it(`hides ${what}`, () => {
      assert.deepEqual(Buffer.from(ifd510()('out', said('out', code, asked))), said('out', code, kept))
    })

  const answers: [what: string, code: number, status: number, data: number[], kept: number[]][] = [
    ['a block', 0x20, 0, [...uid4, ...content], [...hidden(uid4), ...noContent]],
    ['pages', 0xe0, 0, [...content, ...uid7], [...noContent, ...hidden(uid7)]],
    ['a serial number', 0x25, 0, [0, ...uid4], [0, ...hidden(uid4)]],
    ['a written block', 0x21, 0, uid4, hidden(uid4)],
    ['a written page', 0xe1, 0, uid7, hidden(uid7)],
    ['a refusal', 0x20, 1, [0x83], [0x83]],
    ['the version', 0x86, 0, [...Buffer.from('IFD 1')], [...Buffer.from('IFD 1')]],
    ['what is not known', 0x77, 0, [1, 2], [0, 0]],
  ]
  for (const [what, code, status, data, kept] of answers)
    it(`keeps of an answer with ${what} its shape`, () => {
      const mask = ifd510()
      mask('out', said('out', code, []))
      assert.deepEqual(Buffer.from(mask('in', said('in', status, data))), said('in', status, kept))
    })

  it('does not change what contains no secret', () => {
    const mask = ifd510()
    const ask = said('out', 0x86, [])
    assert.deepEqual(Buffer.from(mask('out', ask)), ask)
    const empty = message(kinds.report, new Uint8Array(256))
    assert.deepEqual(Buffer.from(mask('in', empty)), empty)
  })

  it('makes an invalid packet unreadable', () => {
    const damaged = said('out', 0x20, [1, 1, 7, ...key])
    damaged[20]! ^= 1
    const kept = ifd510()('out', damaged)
    assert.ok(!Buffer.from(kept).includes(Buffer.from(key)))
    assert.equal(kept.length, damaged.length)
  })
})

describe('the mask of a K720', () => {
  const { frame, control } = k720Framing
  it('hides the data of its card reader, and nothing else', () => {
    const mask = k720()
    const status = frame(0, Buffer.from('AP'))
    assert.deepEqual(mask('out', status), status)
    const strange = frame(0, Uint8Array.of(0x3b, 0x32, ...key))
    assert.deepEqual(mask('out', strange), frame(0, Uint8Array.of(0x3b, 0x32, ...zeros)))
    mask('out', control('enq', 0))
    assert.deepEqual(
      mask('in', frame(0, Uint8Array.of(0x3b, 0x32, ...key))),
      frame(0, Uint8Array.of(0x3b, 0x32, ...zeros)),
    )
  })
})
