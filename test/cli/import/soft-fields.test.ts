import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { countryIn } from '../../../src/cli/import/country-name.ts'
import { emailsIn } from '../../../src/cli/import/soft-fields.ts'
import { countries } from '../../../src/resource/values/country.ts'
import fc from '../../seed.ts'
import { type ImportHouse, importHouse } from './file-import.ts'

describe('A country in a file', () => {
  const written: [text: string, code: string | null][] = [
    ['de', 'DE'],
    ['DEU', 'DE'],
    [' prt ', 'PT'],
    ['Deutschland', 'DE'],
    ['ALLEMAGNE', 'DE'],
    ['Alemania', 'DE'],
    ['Alemanha', 'DE'],
    ['Oesterreich', 'AT'],
    ['Türkei', 'TR'],
    ['Turkey', 'TR'],
    ['États-Unis', 'US'],
    ['etats unis', 'US'],
    ['U.S.A.', 'US'],
    ['United States of America', 'US'],
    ['Países Baixos', 'NL'],
    ['The Netherlands', 'NL'],
    ['日本', 'JP'],
    ['Россия', 'RU'],
    ['Ελλάδα', 'GR'],
    ['Polska', 'PL'],
    ['Saint Lucia', 'LC'],
    ['Czech Republic', 'CZ'],
    ['UK', 'GB'],
    ['Irã', 'IR'],
    ['OMÃ', 'OM'],
    ['NA', 'NA'],
    ['SU', null],
    ['YU', null],
    ['DD', 'DE'],
    ['Kosovo', 'XK'],
    ['xkx', 'XK'],
    ['EU', null],
    ['AN', null],
    ['CS', null],
    ['Atlantis', null],
    ['Yugoslavia', null],
    ['Korea', null],
    ['D', null],
    ['', null],
  ]
  for (const [text, code] of written) it(`${text} is ${code}`, () => assert.equal(countryIn(text), code))

  it('is read by its name in five languages and its own, in any case', () => {
    const twice = ['Congo']
    const code = fc.constantFrom(...countries)
    const tongue = fc.constantFrom('en', 'de', 'fr', 'es', 'pt', null)
    const cased = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toLocaleLowerCase('und'),
      (text: string) => text.toUpperCase(),
    )
    fc.assert(
      fc.property(code, tongue, cased, (of, language, change) => {
        const locale = language ?? new Intl.Locale(`und-${of}`).maximize()
        const name = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(of)
        if (name !== undefined && !twice.includes(name)) assert.equal(countryIn(change(name)), of, name)
      }),
      { numRuns: 300 },
    )
  })
})

describe('E-mail addresses in a cell', () => {
  const written: [text: string, addresses: string[], isWhole: boolean][] = [
    ['a@x; b@x', ['a@x', 'b@x'], true],
    ['a@x.com,b@x.com', ['a@x.com', 'b@x.com'], true],
    ['a@x.com / b@x.com', ['a@x.com', 'b@x.com'], true],
    ['a@x.com/b@x.com', ['a@x.com', 'b@x.com'], true],
    ['a@x.com\nb@x.com | A@X.com', ['a@x.com', 'b@x.com'], true],
    ['Ann Lee <ann@x.com>', ['ann@x.com'], true],
    ['<mailto:ann@x.com>; "bob"@x.com.', ['ann@x.com', 'bob"@x.com'], true],
    ['a@x.com (old)', ['a@x.com'], false],
    ['n/a@', [], false],
    ['@x.com', [], false],
    ['none', [], false],
    ['a@x.com; b@', ['a@x.com'], false],
    [`${'a'.repeat(250)}@x.com`, [], false],
  ]
  for (const [text, addresses, isWhole] of written)
    it(JSON.stringify(text.slice(0, 40)), () => assert.deepEqual(emailsIn(text), { addresses, isWhole }))

  it('are all found, whatever separates them', () => {
    const word = fc.stringMatching(/^[a-z][a-z\d+_.-]{0,8}[a-z\d]$/)
    const address = fc.tuple(word, word).map(([local, domain]) => `${local}@${domain}.example`)
    const between = fc.constantFrom(';', '; ', ',', ', ', ' ', '\n', ' | ', ' / ', '/')
    fc.assert(
      fc.property(fc.uniqueArray(address, { minLength: 1, maxLength: 20 }), between, (all, separator) => {
        assert.deepEqual(emailsIn(all.join(separator)), { addresses: all, isWhole: true })
      }),
    )
  })
})

const map = {
  externalId: { column: 'No' },
  status: { always: 'Confirmed' },
  arrival: { column: 'From' },
  nights: { column: 'Nights' },
  adults: { column: 'Adults' },
  unitType: { always: 'DBL' },
  guest: { lastName: { column: 'Guest' }, email: { column: 'Mail' }, country: { column: 'Country' } },
  comment: { column: 'Remarks' },
}
const header = 'No;From;Nights;Adults;Guest;Mail;Country;Remarks'
const row = (no: string, mail: string, country: string, remarks = '') =>
  `${no};2027-03-01;1;1;Ito;${mail};${country};${remarks}`
const csv = (...rows: string[]) => [header, ...rows, ''].join('\n')

describe('An import', () => {
  let house: ImportHouse
  before(async () => {
    house = await importHouse()
  })
  after(() => house.stop())

  it('keeps a booking whose soft details it cannot use, and puts them into the comment', async () => {
    const rows = csv(
      row('A1', 'n/a@', 'SU', 'Late arrival'),
      row('A2', '"a@x; b@x"', 'Deutschland'),
      row('A3', 'none', 'UK'),
      row('A4', 'N/A', 'Atlantis'),
      row('A5', '', ''),
      row('A7', '-', 'NA'),
      row('A8', '" ; "', '--'),
      row('A6', '"a@x.com; b@"', 'FRA'),
    )
    const { ended, stdout, stderr } = await house.import(rows, map)
    assert.equal(ended, 0, stderr)
    assert.equal((await house.stayOf('A7'))?.stay.comment, 'Country in the file: NA')
    assert.equal((await house.stayOf('A8'))?.stay.comment, null)
    const [first, second, third, fourth, fifth, sixth] = await Promise.all(
      ['A1', 'A2', 'A3', 'A4', 'A5', 'A6'].map(house.stayOf),
    )
    assert.equal(first?.stay.comment, 'Late arrival\nCountry in the file: SU\nE-mail in the file: n/a@')
    assert.equal(first?.guest.nationality, null)
    assert.deepEqual(first?.guest.emails ?? [], [])
    const addresses = (emails: { address: string }[]) => emails.map(({ address }) => address)
    assert.deepEqual(addresses(second?.guest.emails), ['a@x', 'b@x'])
    assert.deepEqual([second?.guest.nationality, second?.stay.comment], ['DE', null])
    assert.deepEqual([third?.guest.nationality, third?.stay.comment], ['GB', 'E-mail in the file: none'])
    assert.equal(fourth?.stay.comment, 'Country in the file: Atlantis\nE-mail in the file: N/A')
    assert.equal(fifth?.stay.comment, null)
    assert.deepEqual(addresses(sixth?.guest.emails), ['a@x.com'])
    assert.equal(sixth?.stay.comment, 'E-mail in the file: a@x.com; b@')
    assert.match(
      stdout,
      /\n {2}4 cells in Mail had no usable e-mail address\. .*for example n\/a@; none; N\/A\. If N\/A means an empty cell, add "empty": \["N\/A"\]/,
    )
    assert.match(
      stdout,
      /\n {2}3 cells in Country had no country of ISO 3166-1\. .*for example SU; Atlantis; NA\. If NA means an empty cell, add "empty": \["NA"\] to the map; if it is a value, add "empty": \[\](\n|$)/,
    )
    assert.match(
      stdout,
      /\n {2}3 cells in Country had a country that is not written as its code, for example Deutschland as DE, UK as GB, FRA as FR/,
    )
  })

  it('takes what the map says for an empty cell as before, and says nothing of plain cells', async () => {
    const { ended, stdout, stderr } = await house.import(
      csv(row('B1', 'n/a@', 'NA'), row('B2', 'a@x', 'NO')),
      {
        ...map,
        empty: ['n/a@'],
      },
    )
    assert.equal(ended, 0, stderr)
    const { stay, guest } = (await house.stayOf('B1'))!
    assert.deepEqual([stay.comment, guest.nationality], [null, 'NA'])
    assert.doesNotMatch(stdout, /cells? in/)
  })

  it('keeps a booking whose comment has no place for them, and says so', async () => {
    const long = 'x'.repeat(1_990)
    const { ended, stdout, stderr } = await house.import(csv(row('C1', 'n/a@', 'DE', long)), map)
    assert.equal(ended, 0, stderr)
    assert.equal((await house.stayOf('C1'))?.stay.comment, long)
    assert.match(
      stdout,
      /1 cell in Mail had no usable e-mail address\. .*, except 1 that did not fit, for example n\/a@/,
    )
  })
})
