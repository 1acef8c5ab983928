import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decodedHtml } from '../../../src/cli/import/html-text.ts'
import fc from '../../seed.ts'
import { type ImportHouse, importHouse } from './file-import.ts'

const names: [written: string, read: string][] = [
  ['O&#39;Connor', "O'Connor"],
  ['M&uuml;ller', 'Müller'],
  ['Smith &amp; Sons', 'Smith & Sons'],
  ['D&#x27;Angelo', "D'Angelo"],
  ['N&#X00f8;rgaard', 'Nørgaard'],
  ['&#321;ukasz &quot;Luk&quot;', 'Łukasz "Luk"'],
  ['De&nbsp;la&#160;Cruz', 'De la Cruz'],
  ['O&apos;Neill&rsquo;s', "O'Neill’s"],
  // No references, or none to a character of a text.
  ['AT&T; Ltd', 'AT&T; Ltd'],
  ['R&D, Q&amp', 'R&D, Q&amp'],
  ['Ann&#0; &#xD800; &#27; &#99999999;', 'Ann&#0; &#xD800; &#27; &#99999999;'],
  ['&unknown; &#; &;', '&unknown; &#; &;'],
  // Once, not twice.
  ['O&amp;#39;Brien', 'O&#39;Brien'],
]

describe('A text that went through HTML', () => {
  for (const [written, read] of names)
    it(`is decoded once: ${written}`, () => assert.equal(decodedHtml(written), read))

  it('is the text that was encoded, whatever it is', () => {
    const encoded = (text: string) => [...text].map((each) => `&#${each.codePointAt(0)};`).join('')
    const named = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const words = fc.string({ unit: fc.constantFrom(...'aZ09&;#<\'"é北😀 ') })
    fc.assert(
      fc.property(words, (text) => {
        assert.equal(decodedHtml(encoded(text)), text)
        assert.equal(decodedHtml(named(text)), text)
      }),
    )
  })
})

const map = {
  externalId: { column: 'No' },
  confirmation: { column: 'No' },
  status: { column: 'State', values: { 'R&B': 'Confirmed' } },
  arrival: { column: 'From' },
  nights: { column: 'Nights' },
  adults: { column: 'Adults' },
  unitType: { column: 'Type' },
  unit: { column: 'Room' },
  nightly: { price: { column: 'Rate' }, currency: { column: 'Cur' } },
  guest: { lastName: { column: 'Guest' }, email: { column: 'Mail' } },
  comment: { text: 'Said: {Remarks}' },
  unitTypes: { 'D&B': { name: 'Double', units: ["Q'1"] } },
}
const header = 'No,State,From,Nights,Adults,Type,Room,Rate,Cur,Guest,Mail,Remarks,Unread'
const row = (no: string, guest: string, remarks = '') =>
  `${no},R&amp;B,2027&#45;03-01,&nbsp;2,1&nbsp;,D&amp;B,,&#54;8.50,&#69;UR,${guest},a&#64;example.com,${remarks},&uuml;`
const csv = (...rows: string[]) => [header, ...rows, ''].join('\n')

describe('An import', () => {
  let house: ImportHouse
  before(async () => {
    house = await importHouse()
  })
  after(() => house.stop())

  it('decodes every cell that is read, and says how many with examples', async () => {
    const rows = csv(
      row('A&#45;1', 'O&#39;Connor', 'Caf&eacute; &amp; bar&#10;late').replace(
        ',D&amp;B,,',
        ',D&amp;B,Q&#39;1,',
      ),
      row('A&#45;2', 'M&uuml;ller'),
      row('A&#45;3', 'O&#39;Connor'),
      row('A&#45;4', 'Fran&ccedil;ois'),
      row('A&#45;5', 'Garc&iacute;a'),
      row('A&#45;6', 'Meyer'),
    )
    const { ended, stdout, stderr } = await house.import(rows, map, { createUnits: true })
    assert.equal(ended, 0, stderr)
    assert.match(
      stdout,
      /\n {2}5 cells in Guest had HTML text, for example O&#39;Connor, read as O'Connor; M&uuml;ller, read as Müller; Fran&ccedil;ois, read as François\n/,
    )
    assert.match(
      stdout,
      /\n {2}1 cell in Remarks had HTML text, for example Caf&eacute; &amp; bar&#10;late, read as Café & bar late(\n|$)/,
    )
    assert.doesNotMatch(stdout, /Unread|encoded twice/)
    const first = await house.stayOf('A-1')
    assert.equal(first?.guest.lastName, "O'Connor")
    assert.equal(first?.guest.emails[0].address, 'a@example.com')
    assert.equal(first?.stay.units[0].unitName, "Q'1")
    assert.equal(first?.stay.comment, 'Said: Café & bar\nlate')
    assert.deepEqual(first?.stay.amount.amountWithTax, 137)
    assert.equal(first?.stay.reservationIds[0].value, 'A-1')
  })

  it('names what was encoded twice, and decodes it once', async () => {
    const { ended, stdout, stderr } = await house.import(csv(row('B1', 'O&amp;#39;Brien')), map)
    assert.equal(ended, 0, stderr)
    assert.match(
      stdout,
      /\n {2}1 cell in Guest had HTML text that was encoded twice, for example O&amp;#39;Brien, read as O&#39;Brien\. /,
    )
    assert.equal((await house.stayOf('B1'))?.guest.lastName, 'O&#39;Brien')
  })

  it('names the separator that cuts such text in two', async () => {
    const { ended, stderr } = await house.import(csv(row('D1', 'O&#39;Connor')).replaceAll(',', ';'), map)
    assert.equal(ended, 'data')
    assert.match(
      stderr,
      /on line 2\. Nothing was imported\. HTML text such as &#39; has the separator in it: put quotes/,
    )
    const quoted = csv(row('D1', '"O&#39;Connor"'))
    const unquoted = quoted.replaceAll(',', ';').replace(/&#?\w+;(?!Connor)/g, (each) => decodedHtml(each))
    assert.equal((await house.import(unquoted, map)).ended, 0)
    assert.equal((await house.stayOf('D1'))?.guest.lastName, "O'Connor")
  })

  it('says nothing of a file without such text', async () => {
    const plain = csv('C1,R&B,2027-03-01,2,1,D&B,,68.50,EUR,AT&T; Ltd,a@example.com,R&D,')
    const { ended, stdout, stderr } = await house.import(plain, map)
    assert.equal(ended, 0, stderr)
    assert.doesNotMatch(stdout, /HTML/)
    assert.equal((await house.stayOf('C1'))?.guest.lastName, 'AT&T; Ltd')
  })
})
