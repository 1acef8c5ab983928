import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanText } from '../../../src/cli/import/cell-text.ts'
import { orderShown, readDate, writtenDate } from '../../../src/cli/import/read-date.ts'
import fc from '../../seed.ts'

/** Ways in which files write 28 March 2027. */
const same = [
  '2027-03-28',
  '2027/03/28',
  '2027. 03. 28.',
  '20270328',
  '2027-03-28T00:00:00.000',
  '3/28/2027 12:00:00 AM',
  '28/03/2027 2:30 p.m.',
  '28 . 03 . 2027',
  '28\u201103\u22122027',
  '28-Mar-27',
  '28-MAR-2027 14:30',
  '28MAR27',
  '28. März 2027',
  '28. Mrz. 2027',
  '28 maerz 2027',
  'Mar 28, 2027',
  'March 28th, 2027',
  '28 mars 2027',
  '28 MARZO 2027',
  '28 de marzo de 2027',
  '28 de março de 2027',
  'Sun 28/03/2027',
  'Sonntag, 28. März 2027',
  'dim. 28 mars 2027',
  'domingo, 28 de março de 2027',
  '28/03/2027 (So)',
  '3/28/27',
  '\u200e28/03/2027\u200f',
  '28\u00a0mars\u202f2027',
  '28/03/2027 15h00',
  '28 mars 2027 à 15:00',
  '28.03.2027, 15:00 Uhr',
  '28 de março de 2027 às 15:00',
]

describe('A date of a file', () => {
  for (const text of same)
    it(`is read: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readDate(cleanText(text), undefined), { date: '2027-03-28' }))

  const others: [text: string, date: string][] = [
    ['1er août 2027', '2027-08-01'],
    ['28aout27', '2027-08-28'],
    ['28 out 2027', '2027-10-28'],
    ['5 juil. 2027', '2027-07-05'],
    ['5 déc. 2027', '2027-12-05'],
    ['5 fév 2027', '2027-02-05'],
    ['5. Jänner 2027', '2027-01-05'],
    ['5 ene 2027', '2027-01-05'],
    ['segunda-feira, 1 de março de 2027', '2027-03-01'],
    ['mar. 30 mars 2027', '2027-03-30'],
    ['mar 30, 2027', '2027-03-30'],
    // The day of the week decides.
    ['Mon 01/03/2027', '2027-03-01'],
    ['Wed 01/06/2027', '2027-01-06'],
    ['28/03/45', '2045-03-28'],
  ]
  for (const [text, date] of others)
    it(`is read: ${text}`, () => assert.deepEqual(readDate(text, undefined), { date }))

  const problems: [text: string, problem: RegExp][] = [
    ['28/03/27', /the year has two digits\. .*"order": "DMY"/],
    ['28.03.27', /the year has two digits\. /],
    ['12/12/27', /the year has two digits\. /],
    ['28-Mar-99', /the year has two digits\. Save the dates with four-digit years$/],
    ['01/03/2027', /the day or the month first/],
    ['Mon 28/03/2027', /^names another day of the week: 2027-03-28 is a Sunday$/],
    ['Tue 01/06/2027 extra', /^is not a date$/],
    ['28 jui 2027', /^is not a date$/],
    ['2027-02-30', /^is not a date$/],
    ['28032027', /^is not a date$/],
    ['20271328', /^is not a date$/],
    ['0000-00-00', /^is not a date$/],
    ['00/00/0000', /^is not a date$/],
    ['0027-03-28', /^is not a date$/],
    ['46474', /number of a spreadsheet/],
    ['46474,5', /number of a spreadsheet/],
    ['2027-03-28T00:00:00Z', /a time with an offset/],
    ['2027-03-28 00:00:00 UTC', /a time with an offset/],
    ['Sun, 28 Mar 2027 00:00:00 GMT', /a time with an offset/],
    ['2027-03-28T00:00:00+0200', /a time with an offset/],
    ['28-03-20270', /^is not a date$/],
    ['31-02-2027', /^is not a date$/],
  ]
  for (const [text, problem] of problems)
    it(`is a problem: ${text}`, () => {
      const read = readDate(text, undefined)
      assert.match('problem' in read ? read.problem : read.date, problem)
    })

  it('that does not fit the order of the map is no date, and its year is not blamed', () => {
    const problem = (text: string, order: 'DMY' | 'MDY') => readDate(text, order)
    assert.deepEqual(problem('03/28/27', 'DMY'), { problem: 'is not a date' })
    assert.deepEqual(problem('28/03/27', 'MDY'), { problem: 'is not a date' })
    assert.match(JSON.stringify(problem('28/03/99', 'DMY')), /the year has two digits\. Save/)
  })

  it('with two digits for the year is read in the order of the map', () => {
    assert.deepEqual(readDate('28/03/27', 'DMY'), { date: '2027-03-28' })
    assert.deepEqual(readDate('03/04/27', 'MDY'), { date: '2027-03-04' })
    assert.deepEqual(readDate('03.04.27', 'MDY'), { date: '2027-04-03' })
  })

  it('shows an order by its numbers or its day of the week', () => {
    const shown = (text: string) => orderShown(writtenDate(text)!)
    assert.equal(shown('28/03/2027'), 'DMY')
    assert.equal(shown('3/28/27'), 'MDY')
    assert.equal(shown('Mon 01/03/2027'), 'DMY')
    assert.equal(shown('01/03/2027'), 'open')
    assert.equal(shown('01/03/27'), null)
    assert.equal(shown('01.03.2027'), null)
    assert.equal(shown('03/03/2027'), null)
  })

  const days = fc
    .integer({ min: 0, max: 36_500 })
    .map((count) => Temporal.PlainDate.from('2000-01-01').add({ days: count }))
  const language = fc.constantFrom('en', 'en-GB', 'de', 'de-AT', 'fr', 'es', 'pt')

  it('is read as the languages of the pages write it, whichever day it is', () => {
    const style = fc.constantFrom<Intl.DateTimeFormatOptions>(
      { dateStyle: 'long' },
      { dateStyle: 'full' },
      { day: 'numeric', month: 'short', year: 'numeric' },
      { day: 'numeric', month: 'short', year: 'numeric', weekday: 'short' },
    )
    fc.assert(
      fc.property(days, language, style, (day, locale, options) => {
        const text = cleanText(day.toLocaleString(locale, options))
        assert.deepEqual(readDate(text, undefined), { date: day.toString() }, text)
      }),
    )
  })

  it('in numbers is never another day than the one that was written in that order', () => {
    const separator = fc.constantFrom('/', '-', '.', ' / ')
    fc.assert(
      fc.property(days, separator, fc.boolean(), (day, sign, isShort) => {
        const year = isShort ? String(day.year).slice(2) : String(day.year)
        const read = readDate([day.day, day.month, year].join(sign), 'DMY')
        if ('date' in read) assert.equal(read.date, day.toString())
        else assert.ok(isShort && day.year >= 2080, read.problem)
      }),
    )
  })
})
