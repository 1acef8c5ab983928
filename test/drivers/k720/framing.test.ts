import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { K720Received } from '../../../drivers/k720/framing.ts'
import { control, deframer, frame } from '../../../drivers/k720/framing.ts'
import { readState, stateText, troubleIn } from '../../../drivers/k720/state-word.ts'
import fc from '../../seed.ts'
import { allFrames, bytes, commandFrames, stateFrames } from './vectors.ts'

const good = bytes(commandFrames.status)

/** All that is made out of these pieces, the line being quiet after the last. */
function hear(...pieces: Uint8Array[]): K720Received[] {
  const frames = deframer()
  const heard = pieces.flatMap((piece) => frames.push(piece))
  return [...heard, ...frames.quiet()]
}

function whole(raw: Uint8Array): K720Received {
  const address = (raw[1]! - 0x30) * 10 + raw[2]! - 0x30
  return { kind: 'frame', address, payload: raw.slice(5, -2) }
}

const framesIn = (heard: K720Received[]) => heard.filter(({ kind }) => kind === 'frame')

describe('k720 framing', () => {
  for (const hex of allFrames) {
    it(`builds and reads ${hex}`, () => {
      const raw = bytes(hex)
      assert.deepEqual(frame(hex.startsWith('02 31 35') ? 15 : 0, raw.slice(5, -2)), raw)
      assert.deepEqual(hear(raw), [whole(raw)])
    })
  }

  it('joins a frame cut anywhere', () => {
    for (const hex of allFrames) {
      const raw = bytes(hex)
      for (const cut of raw.keys())
        assert.deepEqual(hear(raw.slice(0, cut), raw.slice(cut)), [whole(raw)], `${hex} cut at ${cut}`)
    }
  })

  it('reads triples and frames from one piece', () => {
    assert.deepEqual(hear(Uint8Array.of(...control('ack', 15), ...good, ...control('nak', 0))), [
      { kind: 'control', word: 'ack', address: 15 },
      whole(good),
      { kind: 'control', word: 'nak', address: 0 },
    ])
  })

  it('takes no frame with any single bit flipped, and the next good one all the same', () => {
    for (const hex of allFrames) {
      const raw = bytes(hex)
      for (let bit = 0; bit < raw.length * 8; bit++) {
        const flipped = Uint8Array.from(raw)
        flipped[bit >> 3]! ^= 1 << (bit & 7)
        assert.ok(!framesIn(hear(flipped)).some((each) => 'payload' in each && each.payload.length > 1), hex)
        assert.deepEqual(framesIn(hear(flipped, good)).at(-1), whole(good), `${hex}, bit ${bit}`)
      }
    }
  })

  it('says damaged for a frame that breaks off, and for a wrong check', () => {
    assert.deepEqual(hear(good.slice(0, 6)), [{ kind: 'damaged', address: 0 }])
    assert.deepEqual(hear(good.with(-1, 0)), [{ kind: 'damaged', address: 0 }])
  })

  it('is back in step after any noise, and holds no more than a frame', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (noise) => {
        const frames = deframer()
        frames.push(noise)
        frames.quiet()
        assert.deepEqual(frames.push(good), [whole(good)])
      }),
    )
  })
})

describe('the state word of a k720', () => {
  for (const [hex, word] of Object.entries(stateFrames)) {
    it(`reads ${word.toString(16).padStart(4, '0')}`, () => {
      const payload = bytes(hex).slice(5, -2)
      assert.equal(readState(payload), word)
      assert.deepEqual(stateText(word), payload)
    })
  }

  it('takes 3A to 3F and letters for ten to fifteen, and nothing else', () => {
    assert.equal(readState(Buffer.from('SF::??')), 0xaaff)
    assert.equal(readState(Buffer.from('SFAFaf')), null)
    assert.equal(readState(Buffer.from('SF000')), null)
    assert.equal(readState(Buffer.from('TT0000')), null)
  })

  const troubles: [word: number, code: string | undefined, vendorCode?: string][] = [
    [0x0003, undefined],
    [0x8018, undefined],
    [0x0020, 'dispenser-jam', '0020'],
    [0x0040, 'dispenser-jam', '0040'],
    [0x0220, 'dispenser-jam', '0220'],
    [0x0200, 'dispenser-motor', '0200'],
    [0x0208, 'dispenser-empty', '0200'],
    [0x2008, 'dispenser-empty', '2000'],
    [0x0103, 'dispenser-motor', '0100'],
    [0x8103, 'dispenser-bin-full', '0100'],
    [0x4000, 'dispenser-reset-required', '4000'],
  ]
  for (const [word, code, vendorCode] of troubles) {
    it(`${word.toString(16).padStart(4, '0')} is ${code ?? 'no trouble'}`, () => {
      assert.deepEqual(troubleIn(word), code ? { code, vendorCode } : null)
    })
  }
})
