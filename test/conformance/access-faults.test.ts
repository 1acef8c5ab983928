import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deviceProblem } from '../../src/access/handles/device-problem.ts'
import { DeviceFault, type FaultCode, type FaultOptions, faults } from '../../src/devices/fault.ts'
import { errorAnswer } from '../../src/jsonapi/errors.ts'
import { guestTexts } from '../../src/jsonapi/locales/guest-text.ts'

/** What a 502 says of each cause: whether the command may have been carried out, when to ask again, what to tell a guest. */
type Told = [code: FaultCode, outcomeUnknown: boolean | 'depends', retryAfter: number | null, guest: string]

const table: Told[] = [
  ['lock-system-unreachable', false, 10, 'desk'],
  ['lock-system-timeout', true, 15, 'wait'],
  ['lock-system-busy', false, 3, 'wait'],
  ['lock-system-rejected', false, null, 'desk'],
  ['lock-system-retry', false, 5, 'wait'],
  ['lock-system-auth-failed', false, null, 'desk'],
  ['lock-system-limit', false, null, 'desk'],
  ['encoder-offline', false, 30, 'desk'],
  ['encoder-busy', false, 3, 'wait'],
  ['encoder-timeout', false, 5, 'wait'],
  ['encoder-timeout-writing', true, 5, 'recard'],
  ['no-card', false, 0, 'place-card'],
  ['multiple-cards', false, 0, 'one-card'],
  ['card-removed', true, 0, 'recard'],
  ['card-incompatible', false, null, 'new-card'],
  ['card-write-protected', false, null, 'new-card'],
  ['card-verify-failed', true, 0, 'new-card'],
  ['card-worn', false, null, 'new-card'],
  ['dispenser-offline', false, 30, 'desk'],
  ['dispenser-empty', false, null, 'desk'],
  ['dispenser-jam', 'depends', null, 'desk'],
  ['dispenser-bin-full', false, null, 'desk'],
  ['dispenser-motor', false, null, 'desk'],
  ['dispenser-reset-required', false, 10, 'wait'],
  ['dispenser-timeout', true, 5, 'desk'],
  ['dispenser-inactive', false, null, 'desk'],
  ['unit-unknown', false, null, 'desk'],
  ['authorization-unknown', false, null, 'desk'],
  ['terminal-offline', false, 30, 'desk'],
  ['payment-outcome-unknown', true, null, 'desk'],
  ['pin-unavailable', false, null, 'desk'],
  ['clock-skew', false, null, 'desk'],
  ['adapter-timeout', 'depends', 10, 'wait'],
  ['adapter-crashed', 'depends', 10, 'wait'],
  ['unsupported-operation', false, null, 'desk'],
  ['vendor-error', true, 10, 'desk'],
]

describe('A 502', () => {
  for (const [code, rule, retryAfter, guest] of table) {
    it(`${code}: ${rule}, ${retryAfter ?? 'not again'}, ${guest}`, () => {
      for (const said of [true, false]) {
        const outcomeUnknown = rule === 'depends' ? said : rule
        const { status, headers, body } = answered(code, { outcomeUnknown: said })
        assert.equal(status, 502)
        assert.equal(headers['Retry-After'], retryAfter === null ? undefined : String(retryAfter))
        assert.deepEqual(body.meta, { errorCode: code, outcomeUnknown })
        const [error] = body.errors
        assert.deepEqual([error.status, error.code, error.detail], ['502', code, 'In words.'])
        assert.equal(error.links.type, `/problems/${code}`)
        assert.deepEqual(error.meta, {
          errorCode: code,
          outcomeUnknown,
          ...(retryAfter !== null && { retryAfterSeconds: retryAfter }),
          guest,
          guestText: guestTexts()[guest]?.en,
          guestLanguage: 'en',
          keyId: 'the key',
        })
      }
    })
  }

  it('has one of these causes, and no other', () => {
    assert.deepEqual(Object.keys(faults).sort(), table.map(([code]) => code).sort())
  })

  it('tells of a vendor’s own number', () => {
    const { body } = answered('vendor-error', { vendorCode: '-31415' })
    assert.equal(body.errors[0].meta.vendorCode, '-31415')
  })
})

function answered(code: FaultCode, options: FaultOptions) {
  const fault = new DeviceFault(code, 'In words.', options)
  const { status, headers = {}, text = '' } = errorAnswer(deviceProblem(fault, { keyId: 'the key' }))
  return { status, headers, body: JSON.parse(text) }
}
