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
import type { Direction } from '../../src/devices/mask.ts'
import { sectorTrailer, transportConditions } from '../../src/devices/mifare-classic.ts'

const key = [0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6]
const zeros = [0, 0, 0, 0, 0, 0]
const trailer = [...sectorTrailer(Uint8Array.from(key), transportConditions, Uint8Array.from(key))]
const keptTrailer = [...zeros, ...trailer.slice(6, 10), ...zeros]
const long = [...key, ...key, 1, 2, 3, 4]

describe('the mask of a TWN4', () => {
  const line = (bytes: number[], crc = false, binary = false) => encode(bytes, crc, binary)
  const kept = (direction: Direction, bytes: Buffer, options = {}) =>
    Buffer.from(twn4(options)(direction, bytes)).toString('latin1')

  const rows: [what: string, direction: Direction, bytes: number[], expected: number[]][] = [
    ['the key of a login', 'out', [0x0b, 0, ...key, 0, 1], [0x0b, 0, ...zeros, 0, 1]],
    ['the keys of a trailer', 'out', [0x0b, 2, 7, ...trailer], [0x0b, 2, 7, ...keptTrailer]],
    ['those of one that is read', 'in', [0, 1, ...trailer], [0, 1, ...keptTrailer]],
    ['a password page', 'out', [0x20, 1, 0x2b, 1, 2, 3, 4], [0x20, 1, 0x2b, 0, 0, 0, 0]],
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

  it('does not change what contains no secret', () => {
    for (const [direction, bytes] of [
      ['out', [0x0b, 2, 4, ...Array(16).fill(0x11)]],
      ['out', [0x05, 0, 16]],
      ['in', [0, 1, 0x80, 32, 4, 0xaf, 1, 2, 3]],
      ['in', [0, 1, ...Array(16).fill(0x11)]],
    ] as const)
      assert.equal(kept(direction, line([...bytes])), line([...bytes]).toString('latin1'))
  })

  it('hides the answer to an unknown command, and an incomplete line, which stays unreadable', () => {
    const mask = twn4({})
    mask('out', line([0x0e, 0x0e]))
    assert.equal(Buffer.from(mask('in', line([0, 1, ...key]))).toString(), line([0, 1, ...zeros]).toString())
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

  it('hides a sector trailer that is read, and all of an unknown command', () => {
    const mask = crt571()
    mask('out', frame(0, Uint8Array.of(0x43, 0x60, 0x33, 0x00, 0xb0, 1, 3, 1)))
    const head = [0x50, 0x60, 0x33, 0x32, 0x32, 0x30]
    assert.deepEqual(
      mask('in', frame(0, Uint8Array.from([...head, ...trailer, 0x90, 0]))),
      frame(0, Uint8Array.from([...head, ...keptTrailer, 0x90, 0])),
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
    ['key and trailer of a write', 0x21, [1, 1, 7, ...key, ...trailer], [1, 1, 7, ...zeros, ...keptTrailer]],
    ['a password page', 0xe1, [1, 1, 0x2b, 1, 2, 3, 4], [1, 1, 0x2b, 0, 0, 0, 0]],
    ['all of what is not known', 0x77, [...key], [...zeros]],
  ]
  for (const [what, code, asked, kept] of rows)
    it(`hides ${what}`, () => {
      assert.deepEqual(Buffer.from(ifd510()('out', said('out', code, asked))), said('out', code, kept))
    })

  it('hides a sector trailer that is read, and does not change what contains no secret', () => {
    const mask = ifd510()
    const ask = said('out', 0x86, [])
    assert.deepEqual(Buffer.from(mask('out', ask)), ask)
    const uid = [1, 2, 3, 4]
    assert.deepEqual(
      Buffer.from(mask('in', said('in', 0, [...uid, ...trailer]))),
      said('in', 0, [...uid, ...keptTrailer]),
    )
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
