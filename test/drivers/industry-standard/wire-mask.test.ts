import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deframer, fieldsIn, message } from '../../../drivers/industry-standard/framing.ts'
import { wireMask } from '../../../drivers/industry-standard/wire-mask.ts'
import fc from '../../seed.ts'

const request = ['CN1', '1', 'E', '101', '', '', '', '', '', '', '12010826', 'FRONT:s3cret', '7']
const shown = request.map((field) => (field.startsWith('FRONT') ? 'FRONT:******' : field))

it('hides the password of an operator both ways, and leaves the rest readable', () => {
  const mask = wireMask()
  assert.deepEqual(mask('out', message(request)), message(shown))
  const read = ['LT', '1', '101', '', '', '', 'CI', '1', '', '120108', '120110']
  const [operator, kept] = [request[11]!, shown[11]!]
  assert.deepEqual(mask('in', message([...read, operator])), message([...read, kept]))
})

it('hides the serial number of a card in an answer', () => {
  const uid = '04A1B2C3'
  const read = ['LT', '1', '101', '', '', '', 'CI', '1', '', '120108', '120110', 'FRONT', uid]
  for (const answer of [['CN1', '1', uid], ['CC1', '1', uid], ['CA', '1', uid], read]) {
    const kept = answer.map((field) => (field === uid ? '********' : field))
    assert.deepEqual(wireMask()('in', message(answer)), message(kept))
    assert.deepEqual(wireMask()('out', message(answer)), message(answer))
  }
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
