import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type CodePageName, codePage, codePages } from '../../../drivers/fias/code-page.ts'
import fc from '../../seed.ts'

const record = (name: string) => `GI|RN204|G#4711|GN${name}|GFAnna|`
const utf8 = (text: string) => Buffer.from(text, 'utf8')

/** Names that are read right although the line is set to windows-1252. */
const names = [
  'Müller',
  'MÜLLER',
  'STRAUß',
  'Łukasińska',
  'Šimek',
  'Černý',
  'Jesús',
  'TÊTE',
  'À la carte',
  'İnci',
  'Иванов',
  'Παπαδόπουλος',
  'محمد',
  '山田',
  'O’Neill',
  'e\u0301ric',
]

describe('A record in UTF-8 on a line of another code page', () => {
  for (const name of names)
    it(`has the name ${name}, and the doubt is known`, () =>
      assert.deepEqual(codePage('windows-1252').decode(utf8(record(name))), {
        text: record(name),
        doubt: 'is-utf-8',
      }))

  for (const page of codePages.filter((each) => each !== 'utf-8'))
    it(`is read right on a line of ${page}`, () => {
      for (const name of ['Müller', 'Łukasińska', 'Dvořák', 'Иванов'])
        assert.equal(codePage(page).decode(utf8(record(name))).text, record(name))
    })

  it('is read right for any word of letters with accents between plain letters', () => {
    const letters = fc.constantFrom(...'äöüéèçñřščžłńśżőűğışãõøåæ')
    const plain = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnoprstuvyz'),
      minLength: 1,
      maxLength: 5,
    })
    const words = fc.array(fc.tuple(plain, letters, plain), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(words, (parts) => {
        const name = parts.flat().join('')
        assert.equal(codePage('windows-1252').decode(utf8(record(name))).text, record(name))
      }),
    )
  })
})

/** Names as the PMS of a line with the right code page sends them. Some are valid UTF-8 by chance. */
const own: [CodePageName, string[]][] = [
  ['windows-1252', ['Müller', 'STRAUß', 'MÍŠEK', 'KLÚŠ', 'JOSÉ’S', 'Père–Mère', 'ÃO', 'Škoda']],
  ['windows-1250', ['MÍŠEK', 'RŮŽEK', 'RŮŽIČKA', 'KŘÍŽ', 'píšťala', 'Łukasińska', 'ŻÓŁĆ']],
  ['windows-1251', ['Лі', 'Ві', 'Зі', 'Гі', 'Їжак', 'Иванов', 'ИВАНОВ', 'Ґудзь']],
  ['windows-1253', ['Παπαδόπουλος', 'Γιάννης']],
  ['windows-1254', ['Özdemir', 'İnci', 'Şahin']],
  ['windows-1257', ['Šķēle', 'Ķēniņš']],
  ['iso-8859-2', ['Łukasińska', 'ŁŻ', 'ÍŠ']],
  ['iso-8859-15', ['Müller', 'Œuvre', 'ÍŠ']],
  ['utf-8', ['Müller', 'Łukasińska', 'Ã¼']],
]

describe('A record in the code page of the line', () => {
  for (const [page, all] of own)
    it(`is read as ${page}, without a doubt`, () => {
      for (const name of all) {
        const { encode, decode } = codePage(page)
        assert.deepEqual(decode(encode(record(name))), { text: record(name), doubt: null })
      }
    })
})

describe('Bytes that are no letter of the code page', () => {
  const seen = (page: CodePageName, ...bytes: number[]) =>
    codePage(page).decode(Buffer.concat([utf8('GI|GNM'), Uint8Array.from(bytes), utf8('ller|')]))
  const cases: [CodePageName, number[]][] = [
    ['windows-1252', [0x81]],
    ['windows-1252', [0x9d]],
    ['windows-1250', [0x98]],
    ['windows-1253', [0xd2]],
    ['iso-8859-2', [0x85]],
    ['utf-8', [0xfc]],
  ]
  for (const [page, bytes] of cases)
    it(`are visible on a line of ${page}: ${bytes.map((byte) => byte.toString(16))}`, () =>
      assert.deepEqual(seen(page, ...bytes), { text: 'GI|GNM\ufffdller|', doubt: 'no-letter' }))

  it('and control characters are never part of a text', () => {
    fc.assert(
      fc.property(fc.constantFrom(...codePages), fc.uint8Array(), (page, bytes) =>
        assert.doesNotMatch(codePage(page).decode(bytes).text, /\p{Cc}/u),
      ),
    )
    assert.deepEqual(seen('windows-1252', 0x09), { text: 'GI|GNM ller|', doubt: null })
  })
})
