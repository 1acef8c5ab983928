import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shortName } from '../../src/console/pages/kiosk/short-name.ts'
import { firstNameOf, fullName, namesOf } from '../../src/resource/values/person-name.ts'
import fc from '../seed.ts'

/** What stands for a missing name in other systems. Each is written as code points where it cannot be seen. */
const signs = {
  'a hyphen': '-',
  'a full stop': '.',
  'a question mark': '?',
  'a dash': '–',
  'several signs': '--- /',
  spaces: '   ',
  'a no-break space': '\u00A0',
  'a zero-width space': '\u200B',
  'a byte order mark and a joiner': '\uFEFF\u2060',
  'a filler that counts as a letter': '\u3164',
  'an accent of no letter': '\u0301',
  'an emoji': '🙂',
  nothing: '',
}

/** First name, last name, as it is shown, as a kiosk greets. */
const people: [first: string, last: string, shown: string, greeted: string][] = [
  ['Lucia', 'Garcia', 'Lucia Garcia', 'Lucia G.'],
  ['', 'Aulia', 'Aulia', 'Aulia'],
  ['', 'Сухарто', 'Сухарто', 'Сухарто'],
  ['', '山田', '山田', '山田'],
  ['', 'தமிழ்', 'தமிழ்', 'தமிழ்'],
  ['', '𞤀𞤣𞤤𞤢𞤥', '𞤀𞤣𞤤𞤢𞤥', '𞤀𞤣𞤤𞤢𞤥'],
  ['Aulia', '-', 'Aulia', 'Aulia'],
  ['Aulia', '.', 'Aulia', 'Aulia'],
  [' Anna  Maria ', ' De\u00A0 Haan ', 'Anna Maria De Haan', 'Anna Maria D.'],
  ['Anna', 'E\u0301tienne', 'Anna E\u0301tienne', 'Anna E\u0301.'],
  ['Ada', '𞤁𞤢𞤥', 'Ada 𞤁𞤢𞤥', 'Ada 𞤁.'],
  ['Jan', "'t Hooft", "Jan 't Hooft", 'Jan t.'],
  ['Li', '3', 'Li 3', 'Li 3.'],
  ['-', '?', '', ''],
]

describe('The name of a person', () => {
  for (const [what, sign] of Object.entries(signs))
    it(`is the other one where one is ${what}`, () => {
      assert.equal(firstNameOf(sign), '')
      const [single, other] = [
        { firstName: sign, lastName: 'Aulia' },
        { firstName: 'Aulia', lastName: sign },
      ]
      for (const person of [single, other])
        assert.deepEqual([fullName(person), shortName(person)], ['Aulia', 'Aulia'])
      assert.equal(fullName({ firstName: sign, lastName: sign }), '')
    })

  for (const [firstName, lastName, shown, greeted] of people)
    it(`${firstName || 'nothing'} and ${lastName} is shown as ${shown || 'nothing'}, and greeted as ${greeted || 'a guest'}`, () => {
      assert.equal(fullName({ firstName, lastName }), shown)
      assert.equal(shortName({ firstName, lastName }), greeted)
    })

  it('is empty where nothing is known', () => {
    assert.deepEqual([fullName({}), shortName({ firstName: null, lastName: null })], ['', ''])
  })

  it('has no sign alone and no double space, whatever is stored, and every letter and digit of it', () => {
    const part = fc.string({ unit: 'grapheme', maxLength: 12 })
    const lettersIn = (text: string) => text.match(/(?!\p{DI})[\p{L}\p{N}]/gu) ?? []
    fc.assert(
      fc.property(part, part, (firstName, lastName) => {
        const names = namesOf({ firstName, lastName })
        const shown = fullName({ firstName, lastName })
        assert.ok(names.every((name) => lettersIn(name).length > 0))
        assert.doesNotMatch(shown, /\s\s|^\s|\s$/u)
        assert.deepEqual(lettersIn(shown), lettersIn(`${firstName} ${lastName}`))
      }),
    )
  })
})
