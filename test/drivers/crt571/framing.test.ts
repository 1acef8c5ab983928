import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Crt571Received } from '../../../drivers/crt571/framing.ts'
import { deframer, frame } from '../../../drivers/crt571/framing.ts'
import fc from '../../seed.ts'
import { allFrames, bytes, replyFrames } from './vectors.ts'

const good = bytes(replyFrames['at the encoder'])
const ack: Crt571Received = { kind: 'control', word: 'ack' }

/** All that is made out of these pieces, the line being quiet after the last. */
function hear(...pieces: Uint8Array[]): Crt571Received[] {
  const frames = deframer()
  const heard = pieces.flatMap((piece) => frames.push(piece))
  return [...heard, ...frames.quiet()]
}

function whole(raw: Uint8Array): Crt571Received {
  return { kind: 'frame', address: raw[1]!, payload: raw.slice(4, -2) }
}

function framesIn(heard: Crt571Received[]): Crt571Received[] {
  return heard.filter(({ kind }) => kind === 'frame')
}

describe('crt571 framing', () => {
  for (const hex of allFrames) {
    it(`builds and reads ${hex}`, () => {
      const raw = bytes(hex)
      assert.deepEqual(frame(raw[1]!, raw.slice(4, -2)), raw)
      assert.deepEqual(hear(raw), [whole(raw)])
    })
  }

  it('joins a frame cut anywhere', () => {
    for (const hex of Object.values(replyFrames)) {
      const raw = bytes(hex)
      for (const cut of raw.keys())
        assert.deepEqual(hear(raw.slice(0, cut), raw.slice(cut)), [whole(raw)], `cut at ${cut}`)
    }
  })

  it('reads control bytes and frames from one piece', () => {
    assert.deepEqual(hear(Uint8Array.of(0x06, ...good, 0x04, 0x15)), [
      ack,
      whole(good),
      { kind: 'control', word: 'eot' },
      { kind: 'control', word: 'nak' },
    ])
  })

  it('takes no frame with any single bit flipped, and the next good one all the same', () => {
    for (const hex of allFrames) {
      const raw = bytes(hex)
      for (let bit = 0; bit < raw.length * 8; bit++) {
        const flipped = Uint8Array.from(raw)
        flipped[bit >> 3]! ^= 1 << (bit & 7)
        assert.deepEqual(framesIn(hear(flipped)), [], `${hex}, bit ${bit}`)
        assert.deepEqual(framesIn(hear(flipped, good)), [whole(good)], `${hex}, bit ${bit}`)
      }
    }
  })

  it('reports a broken frame as damaged once the line is quiet', () => {
    for (const at of good.keys()) {
      const broken = Uint8Array.from(good)
      broken[at]! ^= 0x40
      assert.equal(hear(broken).at(-1)?.kind, 'damaged', `byte ${at}`)
    }
  })

  it('reports a frame that stops half-way as damaged, with the address it seemed to have', () => {
    const long = frame(3, new Uint8Array(40).fill(0x43))
    assert.deepEqual(hear(long.slice(0, 20)), [{ kind: 'damaged', address: 3 }])
  })

  it('takes the address from where the broken frame began', () => {
    const broken = frame(3, Uint8Array.of(0x43, 0x30, 0xf2, 0x05, 0x00))
    broken[broken.length - 1]! ^= 1
    assert.deepEqual(hear(broken), [{ kind: 'damaged', address: 3 }])
  })

  it('passes over a few stray bytes in silence', () => {
    assert.deepEqual(hear(Uint8Array.of(0xff, 0xf2, 0x00)), [])
  })

  const lengths = [
    [0xf2, 0x00, 0xff, 0xff],
    [0xf2, 0x00, 0x02, 0x06, 0x50],
    [0xf2, 0x0f, 0x02, 0x07],
    [0xf2, 0x00, 0x00, 0x00],
    [0xf2, 0xf2, 0xf2],
    [0xf2],
  ]
  for (const noise of lengths) {
    it(`finds a frame after noise that begins like a frame: ${Buffer.from(noise).toString('hex')}`, () => {
      assert.deepEqual(hear(Uint8Array.from(noise), good), [whole(good)])
      assert.deepEqual(framesIn(hear(good, Uint8Array.from(noise), good)), [whole(good), whole(good)])
    })
  }

  it('believes no control byte among noise, and believes them again after a frame or a quiet line', () => {
    assert.deepEqual(hear(Uint8Array.of(0x55, 0x15, 0x06)), [])
    assert.deepEqual(hear(Uint8Array.of(0x55, ...good, 0x06)), [whole(good), ack])
    const frames = deframer()
    frames.push(Uint8Array.of(0x55))
    assert.equal(frames.restless, true)
    frames.quiet()
    assert.equal(frames.restless, false)
    assert.deepEqual(frames.push(Uint8Array.of(0x06)), [ack])
  })

  it('takes text full of the bytes that mean something outside', () => {
    const raw = frame(0, Uint8Array.of(0x50, 0xf2, 0x03, 0x15, 0x06, 0x04, 0xf2, 0x00, 0x00, 0x03, 0x43))
    assert.deepEqual(hear(raw), [whole(raw)])
  })

  it('takes the longest text and nothing longer', () => {
    const longest = frame(0, new Uint8Array(518).fill(0x50))
    assert.deepEqual(hear(longest), [whole(longest)])
    assert.deepEqual(framesIn(hear(frame(0, new Uint8Array(519).fill(0x50)))), [])
  })

  it('finds a good frame behind any noise, and holds little of it', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 4 }), (noise) => {
        const frames = deframer()
        for (const piece of noise) frames.push(piece)
        frames.quiet()
        assert.deepEqual(frames.push(good), [whole(good)])
        assert.equal(frames.restless, false)
      }),
    )
  })

  it('hears the same however the bytes are cut', () => {
    const piece = fc.oneof(fc.uint8Array({ maxLength: 30 }), fc.constantFrom(...allFrames.map(bytes)))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
        const all = Uint8Array.from(pieces.flatMap((each) => [...each]))
        const cut = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
          all.slice(index * size, (index + 1) * size),
        )
        assert.deepEqual(hear(...cut), hear(all))
      }),
    )
  })
})
