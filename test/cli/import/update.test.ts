import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { type ImportHouse, importHouse } from './file-import.ts'

const map = {
  externalId: { column: 'no' },
  confirmation: { column: 'no' },
  status: { column: 'state', values: { OK: 'Confirmed', CXL: 'Canceled', IN: 'InHouse' } },
  arrival: { column: 'from' },
  nights: { column: 'nights' },
  adults: { column: 'adults' },
  children: { column: 'kids' },
  unitType: { always: 'DBL' },
  unit: { column: 'room' },
  nightly: { price: { column: 'price' }, currency: { always: 'EUR' } },
  guest: { lastName: { column: 'name' }, email: { column: 'mail' } },
  comment: { column: 'remark' },
}
type Column =
  | 'no'
  | 'state'
  | 'from'
  | 'nights'
  | 'adults'
  | 'kids'
  | 'room'
  | 'price'
  | 'name'
  | 'mail'
  | 'remark'
type Row = Record<Column, string>

let house: ImportHouse
const folder = mkdtempSync(join(tmpdir(), 'nightporter-update-'))
before(async () => {
  house = await importHouse()
})
after(async () => {
  await house.stop()
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
const row = (): Row => ({
  no: `U-${++count}`,
  state: 'OK',
  from: '2027-03-01',
  nights: '2',
  adults: '1',
  kids: '',
  room: '',
  price: '100',
  name: 'Kern',
  mail: '',
  remark: '',
})
const csv = (...rows: Row[]) => {
  const columns = Object.keys(rows[0]!) as Column[]
  return [columns, ...rows.map((each) => columns.map((name) => each[name]))]
    .map((line) => `${line.join(',')}\n`)
    .join('')
}
const imported = (rows: Row[], options = {}) => house.import(csv(...rows), map, options)

/** A cell that is changed, and how the difference is shown. */
const cells: [change: Partial<Row>, shown: string][] = [
  [{ state: 'CXL' }, 'status is Confirmed, the file has Canceled'],
  [
    { nights: '4' },
    'departure is 2027-03-03, the file has 2027-03-05; price is 200.00 EUR, the file has 400.00 EUR',
  ],
  [
    { from: '2027-03-02', nights: '1' },
    'arrival is 2027-03-01, the file has 2027-03-02; price is 200.00 EUR, the file has 100.00 EUR',
  ],
  [{ adults: '2' }, 'adults is 1, the file has 2'],
  [{ kids: '1' }, 'children is 0, the file has 1'],
  [{ price: '109.50' }, 'price is 200.00 EUR, the file has 219.00 EUR'],
  [{ name: 'Meyer' }, 'guest.lastName is Kern, the file has Meyer'],
  [{ mail: 'k@example.com' }, 'guest.email is empty, the file has k@example.com'],
  [{ remark: 'Late' }, 'comment is empty, the file has Late'],
]

describe('a row whose booking is stored otherwise', () => {
  for (const [change, shown] of cells)
    it(`is listed, and is changed with --update only: ${shown}`, async () => {
      const first = row()
      assert.equal((await imported([first])).ended, 0)
      const was = await house.stayOf(first.no)
      const changed = [{ ...first, ...change }]

      const listed = await imported(changed)
      assert.deepEqual([listed.ended, listed.stderr], [1, `line 2: ${first.no}: ${shown}`])
      assert.match(listed.stdout, /: 0 accepted, 0 refused, 1 different\n/)
      assert.match(listed.stdout, /\n {2}1 booking is stored otherwise and was not changed: \w/)
      assert.match(listed.stdout, /\n {2}If the file is right, import it again with --update$/m)
      const tried = await imported(changed, { update: true, dryRun: true })
      assert.equal(tried.ended, 0)
      assert.match(tried.stderr, /, would become /)
      assert.match(
        tried.stdout,
        /^Dry run: nothing was written\.\n(?:.*\n)* {2}1 booking is stored otherwise and would be changed: /,
      )
      assert.deepEqual(await house.stayOf(first.no), was)

      const updated = await imported(changed, { update: true })
      assert.equal(updated.ended, 0)
      assert.match(updated.stderr, /, is now /)
      assert.match(updated.stdout, /\n {2}1 booking was stored otherwise and was changed: /)
      const now = await house.stayOf(first.no)
      assert.notDeepEqual(now, was)
      for (const options of [{}, { update: true }]) {
        const again = await imported(changed, options)
        assert.deepEqual([again.ended, again.stderr], [0, ''])
        assert.match(again.stdout, /1 of the accepted bookings were imported before and are not changed/)
      }
      assert.deepEqual(await house.stayOf(first.no), now)
    })

  it('is one of many: the first 20 are shown, and all are in the file of --differences', async () => {
    const rows = Array.from({ length: 25 }, row)
    assert.equal((await imported(rows)).ended, 0)
    const changed = rows.map((each, at) => ({
      ...each,
      state: 'CXL',
      remark: at === 3 ? '"Late, ""maybe"""' : '',
    }))
    const listed = await imported(changed)
    assert.equal(listed.ended, 25)
    const lines = listed.stderr.split('\n')
    assert.equal(lines.length, 21)
    assert.equal(lines.at(-1), '5 more rows differ. --differences FILE writes all differences to a file.')
    assert.match(
      listed.stdout,
      /25 bookings are stored otherwise and were not changed: status \(25\), comment \(1\)/,
    )
    const differences = join(folder, 'differences.csv')
    const quiet = await imported(changed, { differences })
    assert.deepEqual([quiet.ended, quiet.stderr], [25, ''])
    const [header, ...shown] = readFileSync(differences, 'utf8').trimEnd().split('\n')
    assert.equal(header, 'line,externalId,field,stored,file')
    assert.equal(shown.length, 26)
    assert.ok(shown.includes(`5,${rows[3]!.no},comment,,"Late, ""maybe"""`))
    assert.ok(shown.includes(`26,${rows[24]!.no},status,Confirmed,Canceled`))
    assert.equal(
      (await imported(changed, { differences: join(folder, 'no', 'such.csv') })).ended,
      'permission',
    )
  })

  it('may have a text of many lines, which a terminal shows in one', async () => {
    const first = row()
    await imported([first])
    const remark = `"One\n\n  two ${'🛏'.repeat(100)}"`
    const { stderr } = await imported([{ ...first, remark }])
    assert.match(stderr, /^line \d: U-\d+: comment is empty, the file has One two (🛏){52}…$/u)
  })

  it('is refused by name where a rule forbids it, and its row changes nothing', async () => {
    const first = { ...row(), state: 'IN', from: '2026-06-01', room: '201' }
    assert.equal((await imported([first])).ended, 0)
    const was = await house.stayOf(first.no)
    const changed = [{ ...first, state: 'CXL', remark: 'No' }, row()]
    const { ended, stdout, stderr } = await imported(changed, { update: true })
    assert.deepEqual(
      [ended, stderr],
      [1, 'line 2: status: A stay that is “In house” cannot become “Canceled”.'],
    )
    assert.match(stdout, /: 1 accepted, 1 refused\n/)
    assert.deepEqual(await house.stayOf(first.no), was)
  })

  it('keeps what the desk has set where the file has an empty cell, or no column', async () => {
    const first = row()
    await imported([first])
    const found = await house.ask('GET', `/api/v2/reservations?filter[externalId]=${first.no}`)
    const [{ id: reservation, attributes }] = found.body.data
    const [stay] = attributes.stays
    const unit = (await house.ask('GET', '/api/v2/units?filter[name]=202')).body.data[0].id
    const body = {
      units: [{ unitTypeId: stay.units[0].unitTypeId, unitId: unit }],
      personCount: { adults: 1, children: 1 },
      comment: 'Of the desk',
    }
    await house.ask('PATCH', `/api/v2/reservations/${reservation}/stays/${stay.id}`, { body })
    assert.equal((await imported([first], { update: true })).stderr, '')
    await imported([{ ...first, nights: '3' }], { update: true })
    const { stay: now } = (await house.stayOf(first.no))!
    assert.deepEqual([now.endDate, now.units[0].unitName], ['2027-03-04', '202'])
    assert.deepEqual([now.personCount.children, now.comment], [1, 'Of the desk'])
  })
})

it('leaves nothing to update after an update, whatever cells have changed', async () => {
  const cell = fc.record(
    {
      state: fc.constantFrom('OK', 'CXL'),
      from: fc.integer({ min: 1, max: 9 }).map((day) => `2027-05-0${day}`),
      nights: fc.integer({ min: 1, max: 9 }).map(String),
      adults: fc.constantFrom('1', '2'),
      price: fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
      name: fc.constantFrom('Kern', 'Käser', 'Ng', 'de Vries'),
      mail: fc.constantFrom('a@example.com', 'b@Example.org'),
      remark: fc.string({ unit: fc.constantFrom('a', ' ', 'ü', '-'), maxLength: 9 }),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 8 }), async (changes) => {
      const rows = changes.map(row)
      assert.equal((await imported(rows)).ended, 0)
      const changed = rows.map((each, at) => ({ ...each, ...changes[at] }))
      const updated = await imported(changed, { update: true })
      assert.equal(updated.ended, 0, updated.stderr)
      const again = await imported(changed)
      assert.deepEqual([again.ended, again.stderr], [0, ''])
    }),
    { numRuns: 12 },
  )
})
