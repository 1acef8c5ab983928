import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findCardNumber } from '../../../src/reservation/payments/luhn.ts'
import fc from '../../seed.ts'

/** Published test numbers of the card schemes, 13 to 19 digits. */
const found: [rule: string, text: string, at: number, length: number][] = [
  ['16 digits', '4111111111111111', 0, 16],
  ['15 digits', '378282246310005', 0, 15],
  ['14 digits', '30569309025904', 0, 14],
  ['13 digits', '4222222222222', 0, 13],
  ['19 digits', '6304000000000000000', 0, 19],
  ['within a line', 'Card: 5555555555554444 exp 12/28', 6, 16],
  ['in groups with spaces', 'VISA 4111 1111 1111 1111', 5, 19],
  ['in groups with hyphens', '4111-1111-1111-1111', 0, 19],
  ['in groups with two spaces', '4111  1111  1111  1111', 0, 22],
  ['in groups with no-break spaces', '4111\u00a01111\u00a01111\u00a01111', 0, 19],
  ['digit by digit', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', 0, 31],
  ['behind a number that is near', '12 4111 1111 1111 1111', 3, 19],
  ['before a number that is near', '3782 822463 10005 7', 0, 17],
  ['in track 2 data', ';4111111111111111=28122010000012300000?', 1, 16],
  ['on the second line', '0123\n4111111111111111\n', 5, 16],
]

describe('A card number is found', () => {
  for (const [rule, text, at, length] of found) {
    it(rule, () => assert.deepEqual(findCardNumber(text), { at, length }))
  }
})

const spared: [rule: string, text: string][] = [
  ['a masked number', '************1111 4111 **** **** 1111'],
  ['one digit off', '4111111111111112'],
  ['12 digits', '411111111116'],
  ['20 digits in one run', '41111111111111111112'],
  ['digits with letters between', '4111111x111111111'],
  ['digits on two lines', '4111111111\n111111'],
  ['groups three spaces apart', '41111111   11111111'],
  ['zeros', 'REF 0000000000000000'],
  ['a padded reference', '0004111111111111111'],
  ['a reference that begins with the day', '20261121143006'],
  ['the same in groups', '2026-1121 1430 06'],
  ['dates and times', '2026-05-01 14:30:00 TID 12345678'],
  ['nothing', ''],
]

/** By the book: from the right, every second digit counts twice. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

describe('No card number is found', () => {
  for (const [rule, text] of spared) it(`in ${rule}`, () => assert.equal(findCardNumber(text), null))

  it('in digits alone is one without its check digit: of ten last digits exactly one passes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[13-9]\d{11,17}$/), (digits) => {
        const passing = Array.from('0123456789').filter((last) => passesLuhn(digits + last))
        assert.equal(passing.length, 1)
        assert.equal(findCardNumber(`a${digits}${passing[0]}b`)?.length, digits.length + 1)
      }),
    )
  })

  it('in groups of digits, unless whole groups that follow one another make one', () => {
    const groups = fc.array(fc.stringMatching(/^\d{1,6}$/), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(groups, (list) => {
        const runs = list.flatMap((_, first) => list.map((__, last) => list.slice(first, last + 1).join('')))
        const isOne = (run: string) =>
          run.length >= 13 && run.length <= 19 && !/^(0|2[01])/.test(run) && passesLuhn(run)
        assert.equal(findCardNumber(list.join(' ')) !== null, runs.some(isOne))
      }),
      { numRuns: 2_000 },
    )
  })
})
