import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  phoneNumber,
  phoneNumberSchema,
  profilePhoneNumbers,
} from '../../../src/reservation/values/phone-number.ts'
import { refusal } from '../refusal.ts'
import { accepts } from '../schema-check.ts'

const numbers: [text: string, country: string, kept: string][] = [
  ['030 1234567', 'DE', '+49301234567'],
  ['0049 30 1234567', 'DE', '+49301234567'],
  ['+49 (0)30 / 1234-567', 'US', '+49301234567'],
  ['(212) 555-0100', 'US', '+12125550100'],
  ['91 234 56 78', 'ES', '+34912345678'],
  ['+1 212 555 0100', 'DE', '+12125550100'],
  ['12', 'DE', '12'],
  ['+12', 'DE', '+12'],
  [' +999 123', 'DE', '+999123'],
  ['030 1234567', 'XX', '0301234567'],
]

describe('A phone number is kept in E.164 where it can be, else as digits', () => {
  for (const [text, country, kept] of numbers) {
    it(`${text} in ${country}: ${kept}`, () => assert.equal(phoneNumber(text, country, '/number'), kept))
  }

  it('what has no digit is refused', () => {
    const read = () => profilePhoneNumbers([{ number: '030 1234567' }, { number: 'none' }], 'DE')
    assert.throws(read, refusal('validation-failed', '/phoneNumbers/1/number'))
  })

  it('keeps the rest of what is said, and one is primary', () => {
    const kept = profilePhoneNumbers(
      [{ number: '030 1234567', type: 'Voice', use: null, extension: '12' }],
      'DE',
    )
    assert.deepEqual(kept, [{ number: '+49301234567', type: 'Voice', extension: '12', primary: true }])
  })

  const forms: [body: unknown, boolean][] = [
    [{ number: '1', type: 'Mobile', use: 'Home', extension: null }, true],
    [{ number: '1'.repeat(33) }, false],
    [{ number: '1', extension: '12345678901' }, false],
    [{ number: '1', type: 'mobile' }, false],
    [{ type: 'Mobile' }, false],
  ]
  for (const [body, valid] of forms) {
    it(`${JSON.stringify(body)} ${valid ? 'has' : 'lacks'} its form`, () => {
      assert.equal(accepts(phoneNumberSchema, body), valid)
    })
  }
})
