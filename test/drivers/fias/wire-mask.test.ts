import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Framing, frame, frames } from '../../../drivers/fias/framing.ts'
import { wireMask } from '../../../drivers/fias/wire-mask.ts'
import fc from '../../seed.ts'

const said = 'KR|KC1|KTN|RN101|GNDoe, Jane|$1;1234=567?|G#5|GD260804|'
const shown = 'KR|KC1|KTN|RN101|GN*********|$1**********|G#5|GD260804|'
const bytes = (text: string, framing: Framing) => frame(Buffer.from(text, 'latin1'), framing)

for (const framing of ['tcp', 'serial', 'serial-lrc'] as const)
  it(`hides names and what is on a card, and leaves the rest readable: ${framing}`, () => {
    fc.assert(
      fc.property(fc.nat(130), fc.nat(130), (one, other) => {
        const mask = wireMask()
        const whole = Buffer.concat([
          bytes(said, framing),
          Uint8Array.of(6),
          bytes('KA|ASOK|$204A1B2C3|', framing),
        ])
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const pieces = [whole.subarray(0, from), whole.subarray(from, to), whole.subarray(to)]
        const found = frames(framing).push(Buffer.concat(pieces.map((piece) => mask('out', piece))))
        const records = found
          .filter((heard) => heard.kind === 'message')
          .map(({ text }) => text.toString('latin1'))
        assert.deepEqual(records, [shown, 'KA|ASOK|$2********|'])
      }),
    )
  })

it('keeps a wrong check byte wrong', () => {
  const wrong = bytes(said, 'serial-lrc')
  wrong[wrong.length - 1]! ^= 0x40
  assert.deepEqual(frames('serial-lrc').push(wireMask()('in', wrong)), [{ kind: 'damaged' }])
})

it('shows nothing that belongs to no record, but control bytes', () => {
  const stray = Buffer.from('\u0005secret\u0006', 'latin1')
  assert.equal(Buffer.from(wireMask()('in', stray)).toString('latin1'), '\u0005******\u0006')
})
