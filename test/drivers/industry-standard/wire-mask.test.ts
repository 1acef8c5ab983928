import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deframer, fieldsIn, message } from '../../../drivers/industry-standard/framing.ts'
import { wireMask } from '../../../drivers/industry-standard/wire-mask.ts'
import fc from '../../seed.ts'

const request = ['CN1', '1', 'E', '101', '', '', '', '', '', '', '12010826', 'FRONT:s3cret', '7']
const shown = request.map((field) => (field.startsWith('FRONT') ? 'FRONT:******' : field))

it('hides the password of an operator both ways, and leaves the rest readable', () => {
  const mask = wireMask()
  for (const direction of ['out', 'in'] as const)
    assert.deepEqual(mask(direction, message(request)), message(shown))
})

it('hides it wherever the bytes are cut', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), (one, other) => {
      const mask = wireMask()
      const whole = Buffer.concat([message(request), message(['CO', '0', '101'])])
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const pieces = [whole.subarray(0, from), whole.subarray(from, to), whole.subarray(to)]
      const kept = Buffer.concat(pieces.map((piece) => mask('out', piece)))
      assert.deepEqual(kept, Buffer.concat([message(shown), message(['CO', '0', '101'])]))
    }),
  )
})

it('keeps a wrong check wrong, and 0D as it is', () => {
  const wrong = message(request)
  wrong[wrong.length - 1]! ^= 0x40
  assert.deepEqual(deframer().push(wireMask()('out', wrong)), [{ kind: 'damaged' }])
  const unchecked = message(request)
  unchecked[unchecked.length - 1] = 0x0d
  const [heard] = deframer().push(wireMask()('out', unchecked))
  assert.ok(heard?.kind === 'message')
  assert.deepEqual(fieldsIn(heard.text), shown)
})

it('shows nothing that belongs to no message, but control bytes', () => {
  const stray = Buffer.from('\u0005s3cret\u0006', 'latin1')
  assert.equal(Buffer.from(wireMask()('in', stray)).toString('latin1'), '\u0005******\u0006')
})
