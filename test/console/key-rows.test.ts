import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyRows, type Layout } from '../../src/console/pages/kiosk/keyboard/key-rows.ts'
import { letters } from '../../src/console/pages/kiosk/keyboard/letters.ts'
import { languages } from '../../src/jsonapi/locales/language.ts'

/** What a guest types with each layout. A name is found by its letters without accents; spaces have a key of their own. */
const needed: Record<Layout, string> = {
  number: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  name: "ABCDEFGHIJKLMNOPQRSTUVWXYZ-'",
  text: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./'",
  email: 'abcdefghijklmnopqrstuvwxyz0123456789@.-_+',
  phone: '+0123456789',
  digits: '0123456789',
}

describe('The keyboard of the kiosk', () => {
  for (const language of languages)
    for (const [layout, characters] of Object.entries(needed) as [Layout, string][])
      it(`has every character of ${layout} in ${language}, each once, and no row that is too wide`, () => {
        const rows = keyRows(layout, letters[language])
        const keys = [...rows.join('')]
        assert.deepEqual(
          [...characters].filter((each) => !keys.includes(each)),
          [],
        )
        assert.equal(new Set(keys).size, keys.length)
        assert.ok(rows.every((row) => [...row].length <= 16))
      })
})
