import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { type ImportHouse, importHouse } from './file-import.ts'

const { nightly, ...unpriced } = {
  externalId: { column: 'No' },
  confirmation: { column: 'Code' },
  status: { always: 'Confirmed' },
  arrival: { column: 'From' },
  nights: { column: 'Nights' },
  adults: { column: 'Adults' },
  unitType: { always: 'CEL' },
  nightly: { price: { column: 'Price' }, currency: { always: 'EUR' } },
  guest: { name: { column: 'Booker', order: 'last, first' } },
  unitTypes: { CEL: { name: 'Cells', units: 20 } },
}
const withTotal = { ...unpriced, total: { price: { column: 'Price' } } }
const withNightly = { ...unpriced, nightly }
const header = 'No;Code;From;Nights;Adults;Price;Booker'
const csv = (...rows: string[]) => [header, ...rows, ''].join('\n')
const row = (
  no: string,
  { code = no, from = '2027-03-01', nights = '2', price = '10 EUR', guest = 'Kern' } = {},
) => [no, code, from, nights, 1, price, guest].join(';')

describe('An import', () => {
  let house: ImportHouse
  before(async () => {
    house = await importHouse()
    const { ended, stderr } = await house.import(csv(row('FIRST', { price: '10' })), withNightly, {
      createUnits: true,
    })
    assert.equal(ended, 0, stderr)
  })
  after(() => house.stop())

  it('takes a total with its currency, rounds it, and says so', async () => {
    const rows = [
      row('T1', { price: '126.6314 EUR', guest: 'Kern, Anna' }),
      row('T2', { price: '€ 126,63', nights: '3' }),
      row('T3', { price: "CHF 1'234.50", nights: '0' }).replace(';0;', ';1;'),
      row('T4', { price: '1\u202f234,567\u00a0€' }),
      row('T5', { price: '12500,7 HUF' }),
      row('T6', { price: '' }),
    ]
    const { ended, stdout, stderr } = await house.import(csv(...rows), withTotal)
    assert.equal(ended, 0, stderr)
    assert.match(
      stdout,
      /\n {2}2 totals were rounded to the decimals of the currency, for example 126\.6314 EUR → 126\.63 EUR\n?/,
    )
    const amounts = await Promise.all(
      ['T1', 'T2', 'T3', 'T4', 'T5', 'T6'].map(async (no) => {
        const { amount } = (await house.stayOf(no))!.stay
        return amount && `${amount.amountWithTax} ${amount.currency}`
      }),
    )
    assert.deepEqual(amounts, ['126.63 EUR', '126.63 EUR', '1234.5 CHF', '1234.57 EUR', '12500.7 HUF', null])
    const first = await house.stayOf('T1')
    assert.deepEqual([first?.guest.lastName, first?.guest.firstName], ['Kern', 'Anna'])
  })

  it('refuses a price in another currency than that of the map by name, and one without any', async () => {
    const rows = csv(
      row('U1', { price: 'CHF 12' }),
      row('U2', { price: '12 EUR' }),
      row('U3', { price: '12' }),
    )
    const other = await house.import(rows, { ...unpriced, total: nightly }, { dryRun: true })
    assert.equal(other.ended, 1)
    assert.match(other.stderr, /^line 2: total: CHF 12 is in CHF, and its currency in the map is EUR$/m)
    const none = await house.import(rows, withTotal, { dryRun: true })
    assert.match(
      none.stderr,
      /^line 4: total: 12 has no currency\. Add it to the cell, or "currency" beside the price in the map$/m,
    )
  })

  it('says in a dry run what a price was taken for, and asks where the heading does not say it', async () => {
    const said = async (heading: string, map: object, ...rows: string[]) => {
      const file = csv(...rows).replace('Price', heading)
      const text = JSON.stringify(map).replace('"Price"', JSON.stringify(heading))
      return (await house.import(file, JSON.parse(text), { dryRun: true })).stdout
    }
    const rows = [
      row('V1', { nights: '1' }),
      row('V2', { price: '126.6314 EUR' }),
      row('V3', { price: '9 EUR' }),
    ]
    const words =
      /\n {2}In words: line 3: 2 nights from 2027-03-01, 126\.63 EUR in all \(63\.32 a night\)(?:\n|$)/
    const question = / {2}Is (\S+) the price of (one night|the whole stay)\?/
    for (const heading of ['Price', 'Total', 'Gesamtbetrag']) {
      const stdout = await said(heading, withTotal, ...rows)
      assert.match(stdout, words)
      assert.doesNotMatch(stdout, question)
    }
    assert.match(await said('Rate', withTotal, ...rows), question)
    const nights = rows.map((each) => each.replace('126.6314', '63.31'))
    for (const heading of ['Price', 'Total', 'Betrag', 'Importe', 'Montant', 'Preis']) {
      const stdout = await said(heading, withNightly, ...nights)
      assert.match(
        stdout,
        /\n {2}In words: line 3: 2 nights from 2027-03-01, 126\.62 EUR in all \(63\.31 a night\)(?:\n|$)/,
      )
      assert.deepEqual(question.exec(stdout)?.slice(1), [heading, 'one night'])
    }
    for (const heading of ['Rate', 'ADR', 'Nightly', 'Preis/Nacht', 'Prix par nuit', 'Diária'])
      assert.doesNotMatch(await said(heading, withNightly, ...nights), question)
    assert.doesNotMatch(await said('Price', withTotal, row('V4', { nights: '1' })), /In words|whole stay/)
    assert.match(
      await said('Price', withTotal, row('V5', { price: '' })),
      /2 nights from 2027-03-01, without a price$/,
    )
    assert.doesNotMatch((await house.import(csv(row('V6')), withTotal)).stdout, /In words|whole stay/)
    assert.doesNotMatch((await house.import(csv(row('V7')), withNightly)).stdout, /In words|whole stay/)
    const wrong = JSON.parse(JSON.stringify(withNightly).replace('"Price"', '"Total"'))
    const { stdout } = await house.import(csv(row('V8')).replace('Price', 'Total'), wrong)
    assert.match(stdout, /line 2: .* 20\.00 EUR in all .*\n {2}Is Total the price of one night\?/)
  })

  const roundedCells: [column: string, cells: Parameters<typeof row>[1] & { no?: string }][] = [
    ['No', { no: '4.01235E+12' }],
    ['No', { no: '4,01235E+12' }],
    ['No', { no: '4E+12' }],
    ['No', { no: '4.01235e12' }],
    ['Code', { code: '1.2E+05' }],
    ['Code', { code: '\u200e1,23457E+15' }],
    ['Price', { price: '1.26E+03' }],
    ['From', { from: '4.6474E+04' }],
    ['Nights', { nights: '2.0E+00' }],
  ]
  for (const [column, { no = 'W2', ...cells }] of roundedCells)
    it(`stops before the first row at a number that a spreadsheet rounded: ${no} ${JSON.stringify(cells)}`, async () => {
      const { ended, stderr } = await house.import(csv(row('W1'), row(no, cells)), withTotal)
      assert.equal(ended, 'data')
      assert.match(
        stderr,
        new RegExp(
          `E.* in ${column} in line 3 is a number that a spreadsheet has rounded\\. .* Nothing was imported\\. .* column ${column} formatted as text`,
          'i',
        ),
      )
      assert.equal(await house.stayOf('W1'), null)
    })

  it('stops at any number that a spreadsheet rounded', async () => {
    const number = fc
      .tuple(fc.integer({ min: 10, max: 999_999 }), fc.integer({ min: 5, max: 30 }))
      .map(([digits, power]) => {
        const [first, ...rest] = String(digits)
        return `${first}.${rest.join('')}E+${String(power).padStart(2, '0')}`
      })
    await fc.assert(
      fc.asyncProperty(number, fc.constantFrom('.', ','), async (text, decimal) => {
        const { ended } = await house.import(csv(row(text.replace('.', decimal))), withTotal, {
          dryRun: true,
        })
        assert.equal(ended, 'data')
      }),
      { numRuns: 20 },
    )
  })

  it('stops at a number or a date that was too wide for its column, and at one in thousands of powers', async () => {
    const files = [row('########'), row('X1', { from: '##########' }), row('X1', { price: '####' })]
    for (const file of files) {
      const { ended, stderr } = await house.import(csv(row('X0'), file), withTotal, { dryRun: true })
      assert.equal(ended, 'data')
      assert.match(stderr, /: #+ in \w+ in line 3 stands for a number that was too wide for its column/)
    }
    assert.equal((await house.import(csv(row('401.2E+10')), withTotal, { dryRun: true })).ended, 'data')
    assert.equal((await house.import(csv(row('X1', { guest: '###' })), withTotal, { dryRun: true })).ended, 0)
  })

  it('reads headings and columns of the map with spaces beside them, and a tab as the separator of the map', async () => {
    const file = csv(row('SP1'))
      .replace('Code', 'Code\u00a0')
      .replace(';From;', '; From ;')
      .replaceAll(';', '\t')
    const text = JSON.stringify({ ...withTotal, comment: { text: 'Code {Code }' }, separator: '\t' }).replace(
      '"Nights"',
      '" Nights"',
    )
    const { ended, stderr } = await house.import(file, JSON.parse(text))
    assert.equal(ended, 0, stderr)
    const { stay } = (await house.stayOf('SP1'))!
    assert.deepEqual([stay.startDate, stay.comment], ['2027-03-01', 'Code SP1'])
  })

  it('reads lines that end in a carriage return alone', async () => {
    const rows = csv(row('CR1'), '="CR2";C;2027-03-01;2;1;9 EUR;"Ito"')
    const { ended, stdout, stderr } = await house.import(rows.replaceAll('\n', '\r'), withTotal)
    assert.equal(ended, 0, stderr)
    assert.match(stdout, /^2 rows in .*: 2 accepted/)
    assert.equal((await house.stayOf('CR2'))?.guest.lastName, 'Ito')
  })

  it('takes what only looks like a rounded number', async () => {
    const guest = '4.01235E+12'
    const { ended, stdout, stderr } = await house.import(
      csv(row('1E2', { guest }), row('E+12'), row('4.01235E'), row('2E-03'), row('B1.2E+05')),
      withTotal,
    )
    assert.equal(ended, 0, stderr)
    assert.doesNotMatch(stdout, /zeros/)
  })

  it('names numbers with only zeros after 15 digits, and takes them', async () => {
    const rows = [
      row('4012345678901230000', { code: '1234567890123450' }),
      row('40123456789012345', { code: '1234567890123451' }),
    ]
    const { ended, stdout, stderr } = await house.import(csv(...rows), withTotal)
    assert.equal(ended, 0, stderr)
    assert.match(
      stdout,
      /\n {2}1 cell in No, such as 4012345678901230000 in line 2, has only zeros after 15 digits\./,
    )
    assert.doesNotMatch(stdout, /in Code/)
    const alone = await house.import(csv(row('X9', { code: '1234567890123450' })), withTotal)
    assert.match(alone.stdout, /\n {2}1 cell in Code, such as 1234567890123450 in line 2, has only zeros/)
  })

  it('reads formula texts and cells with invisible characters in every column', async () => {
    const rows = csv(
      '="0401";="0402";\u200e2027-03-01\u200f;\u00a02\u200b;1;1\u00a0234,50\u00a0€;\ufeffO’Connor,\u00a0Seán\u200b',
      '"=""0403""";\u200b0404;28-Mar-27;2;\u200e1\u200e;\u200f9,50 €\u200e;Kern',
    ).replace('Code', '\u200bCode')
    const { ended, stdout, stderr } = await house.import(rows, withTotal)
    assert.equal(ended, 0, stderr)
    assert.doesNotMatch(stdout, /HTML/)
    const first = await house.stayOf('0401')
    assert.equal(first?.stay.reservationIds[0].value, '0402')
    assert.deepEqual([first?.stay.nights, first?.stay.amount.amountWithTax], [2, 1234.5])
    assert.deepEqual([first?.guest.lastName, first?.guest.firstName], ['O’Connor', 'Seán'])
    const second = await house.stayOf('0403')
    assert.deepEqual([second?.stay.startDate, second?.stay.reservationIds[0].value], ['2027-03-28', '0404'])
  })

  it('reads formula texts of a file in UTF-16', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) =>
      row(`="${String(at).padStart(6, '0')}"`, { nights: 'x' }),
    )
    const file = Buffer.from(`\ufeff${csv(...rows, row('="000987654"'))}`, 'utf16le')
    const { stdout } = await house.import(file, withTotal)
    assert.match(stdout, /^3001 rows in [\d.]+ s: 1 accepted, 3000 refused/)
    assert.ok(await house.stayOf('000987654'))
  })

  const dates: [name: string, cells: string[], starts: string[], note: RegExp][] = [
    [
      'of a day above 12',
      ['03/02/2027', '22/02/2027'],
      ['2027-02-03', '2027-02-22'],
      /day\/month\/year, because line 3/,
    ],
    [
      'of a time with AM',
      ['3/2/2027 12:00:00 AM', '3/28/2027 12:00:00 AM'],
      ['2027-03-02', '2027-03-28'],
      /month\/day\/year, because line 3/,
    ],
    [
      'of a day of the week',
      ['01/03/2027', 'Mon 05/04/2027'],
      ['2027-03-01', '2027-04-05'],
      /day\/month\/year, because line 3/,
    ],
    [
      'of a short year that is one date only',
      ['3/4/27', '3/28/27'],
      ['2027-03-04', '2027-03-28'],
      /month\/day\/year, because line 3/,
    ],
    [
      'of no kind for named months',
      ['3 mars 2027', '20270328'],
      ['2027-03-03', '2027-03-28'],
      /^(?!.*Dates such as)/s,
    ],
  ]
  for (const [name, cells, starts, note] of dates)
    it(`reads all dates in the order ${name}`, async () => {
      const number = (at: number) => `${name.replaceAll(' ', '-')}-${at}`
      const { ended, stdout, stderr } = await house.import(
        csv(...cells.map((from, at) => row(number(at), { from }))),
        withTotal,
      )
      assert.equal(ended, 0, stderr)
      assert.match(stdout, note)
      const found = await Promise.all(
        cells.map(async (_, at) => (await house.stayOf(number(at)))?.stay.startDate),
      )
      assert.deepEqual(found, starts)
    })

  it('needs four digits of a year in a column of its own', async () => {
    const file = `${header};Y;M;D\n${row('Z1')};2027;März;1\n${row('Z2')};27;02;30\n`
    const map = { ...withTotal, arrival: { year: 'Y', month: 'M', day: 'D' } }
    const { stderr } = await house.import(file, map)
    assert.equal(stderr, 'line 3: arrival: 27-02-30: the year in Y must have four digits')
    assert.equal((await house.stayOf('Z1'))?.stay.startDate, '2027-03-01')
  })

  const maps: [message: RegExp, map: object][] = [
    [/nightly is the price of one night, and total that of the whole stay/, { ...withTotal, nightly }],
    [
      /column is not a member of total; it has price, currency and decimal/,
      { ...unpriced, total: { column: 'Price' } },
    ],
    [/total needs price/, { ...unpriced, total: { currency: { always: 'EUR' } } }],
    [
      /currency of total must be an object/,
      { ...unpriced, total: { price: { column: 'Price' }, currency: 'EUR' } },
    ],
    [/decimal of total must be/, { ...unpriced, total: { price: { column: 'Price' }, decimal: ';' } }],
    [/guest needs lastName or name/, { ...unpriced, guest: {} }],
    [/name of guest must be/, { ...unpriced, guest: { name: { column: 'Booker' } } }],
    [/name of guest must be/, { ...unpriced, guest: { name: { column: 'Booker', order: 'first last' } } }],
    [
      /Leave lastName and firstName out/,
      { ...unpriced, guest: { ...withTotal.guest, lastName: { column: 'Booker' } } },
    ],
  ]
  for (const [message, map] of maps)
    it(`refuses a map: ${message.source}`, async () => {
      const { ended, stderr } = await house.import(csv(row('Y1')), map)
      assert.equal(ended, 'data')
      assert.match(stderr, message)
    })
})
