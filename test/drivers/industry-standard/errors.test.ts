import assert from 'node:assert/strict'
import { it } from 'node:test'
import { answerOf } from '../../../drivers/industry-standard/errors.ts'
import type { EncoderRequest, ExchangeOutcome } from '../../../drivers/industry-standard/exchange.ts'
import { DeviceFault } from '../../../src/devices/fault.ts'

const asked: EncoderRequest = { name: 'CN1', encoder: '1', fields: ['CN1', '1'] }

function faultOf(outcome: ExchangeOutcome, request: EncoderRequest = asked): DeviceFault {
  try {
    answerOf(outcome, request, 's3cret')
  } catch (error) {
    assert.ok(error instanceof DeviceFault)
    return error
  }
  throw new Error('no fault')
}

it('keeps the words of a general error, short and without the password', () => {
  const fields = ['EG', '1', `no login FRONT:s3cret ${'x'.repeat(500)}`]
  const { code, vendorCode, message, outcomeUnknown } = faultOf({ end: 'answered', fields, calledOff: false })
  assert.deepEqual([code, vendorCode, outcomeUnknown], ['vendor-error', 'EG', true])
  assert.match(message, /no login FRONT:\*\*\*/)
  assert.ok(message.length < 200)
})

it('knows of a jam only that the key may have been made, and of one while reading that none was', () => {
  const jam: ExchangeOutcome = { end: 'answered', fields: ['ET', '1'], calledOff: false }
  assert.equal(faultOf(jam).outcomeUnknown, true)
  assert.equal(faultOf(jam, { ...asked, name: 'LT' }).outcomeUnknown, false)
})

it('takes CN for an answer to CC, and to nothing else', () => {
  const echoed: ExchangeOutcome = { end: 'answered', fields: ['CN1', '1'], calledOff: false }
  assert.deepEqual(answerOf(echoed, { ...asked, name: 'CC1' }, null), ['CN1', '1'])
  assert.equal(faultOf(echoed, { ...asked, name: 'CA1' }).code, 'vendor-error')
})
