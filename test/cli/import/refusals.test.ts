import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { refusalGroups } from '../../../src/cli/import/refusal-groups.ts'
import fc from '../../seed.ts'
import { type ImportHouse, importHouse } from './file-import.ts'

const map = {
  externalId: { column: 'No' },
  status: { column: 'State', values: { OK: 'Confirmed' } },
  arrival: { column: 'From' },
  nights: { column: 'Nights' },
  adults: { column: 'Adults' },
  unitType: { column: 'Type' },
  unit: { column: 'Room' },
  guest: { lastName: { column: 'Guest' } },
}
const header = 'No,State,From,Nights,Adults,Type,Room,Guest'
const csv = (...rows: string[]) => [header, ...rows, ''].join('\n')
const many = (count: number, row: (at: number) => string) => Array.from({ length: count }, (_, at) => row(at))

describe('The refusals of an import', () => {
  let house: ImportHouse
  before(async () => {
    house = await importHouse()
  })
  after(() => house.stop())

  const kinds: [name: string, row: (at: number) => string, first: string][] = [
    ['a status', (at) => `A${at},w${at}x,2027-03-01,1,1,DBL,,X`, 'status: w0x in State is not one of OK'],
    [
      'a date',
      (at) => `B${at},OK,2027-02-${30 + at},1,1,DBL,,X`,
      'arrival: 2027-02-30 in From is not a date',
    ],
    [
      'a number',
      (at) => `C${at},OK,2027-03-01,${'i'.repeat(at + 2)},1,DBL,,X`,
      'nights: "ii" in Nights is not',
    ],
    ['a unit', (at) => `D${at},OK,2027-03-01,1,1,DBL,9${at}Z,X`, 'unit: there is no unit 90Z. Create it'],
    ['a unit type', (at) => `E${at},OK,2027-03-01,1,1,T${at},,X`, 'unitType: there is no unit type T0'],
    ['a person', (at) => `F${at},OK,2027-03-01,1,0,DBL,,X`, 'personCount: At least one person stays.'],
    ['a number twice', () => 'G1,OK,2027-03-01,1,1,DBL,,X', 'externalId: G1 is in line 2 too'],
    ['an empty cell', (at) => `H${at},OK,2027-03-01,1,1,,,Guest ${at}`, 'unitType: the cell is empty'],
  ]
  for (const [name, row, first] of kinds)
    it(`are one reason with their number and three rows: ${name}`, async () => {
      const { stderr, ended } = await house.import(csv(...many(40, row)), map, { dryRun: true })
      const lines = stderr.split('\n').filter((line) => !/^\d+ rows, \d+ refused/.test(line))
      assert.ok(Number(ended) >= 39, stderr)
      const from = name === 'a number twice' ? 3 : 2
      assert.equal(lines[0], `${ended} rows for one reason, the first 3:`, stderr)
      assert.ok(lines[1]?.startsWith(`line ${from}: ${first}`), stderr)
      assert.match(lines[2] ?? '', new RegExp(`^line ${from + 1}: `))
      assert.match(lines[3] ?? '', new RegExp(`^line ${from + 2}: `))
      assert.deepEqual(lines.slice(4), [
        'Not every refused row is shown. --refused FILE writes all of them to a file.',
      ])
    })

  it('begin with the reason of the most rows', async () => {
    const rows = [kinds[4]![1](0), ...many(2, kinds[0]![1]), ...many(7, kinds[2]![1])]
    const { stderr } = await house.import(csv(...rows), map, { dryRun: true })
    const heads = stderr.split('\n').filter((line) => !line.startsWith('line '))
    assert.deepEqual(heads.slice(0, 2), ['7 rows for one reason, the first 3:', '2 rows for one reason:'])
    assert.match(stderr, /\nline 2: unitType: there is no unit type T0\n/)
  })

  it('are all in the file that --refused names', async () => {
    const refused = join(tmpdir(), `nightporter-refused-${process.pid}.csv`)
    const { stderr } = await house.import(csv(...many(150, kinds[0]![1])), map, { refused })
    assert.equal(stderr, '')
    const written = readFileSync(refused, 'utf8').trim().split('\n')
    assert.equal(written.length, 151)
    assert.equal(written.at(-1), '151,status,w149x in State is not one of OK')
  })
})

it('Any number of reasons fits on a terminal, and the counts are those of the rows', () => {
  const reasons = fc.array(fc.integer({ min: 0, max: 1_500 }), { maxLength: 4_000 })
  fc.assert(
    fc.property(reasons, (drawn) => {
      const { add, lines } = refusalGroups()
      for (const [at, each] of drawn.entries()) {
        const word = each.toString(36).replace(/\d/g, (digit) => 'ABCDEFGHIJ'[Number(digit)]!)
        add({ line: at + 2, cells: { a: `cell ${at}` } }, { field: 'f', reason: `"cell ${at}" is ${word}` })
      }
      const shown = lines()
      assert.ok(shown.length <= 15 * 4 + 2)
      const single = shown.filter((line, at) => line.startsWith('line ') && !inGroup(shown, at)).length
      const counted = shown.map((line) =>
        Number(/^(\d+) rows for|further reasons: (\d+)/.exec(line)?.slice(1).join('') ?? 0),
      )
      assert.equal(single + counted.reduce((sum, each) => sum + each, 0), drawn.length)
    }),
    { numRuns: 40 },
  )
})

/** Whether a line is one of the examples below a heading. */
function inGroup(lines: readonly string[], at: number): boolean {
  for (let above = 1; above <= 3 && lines[at - above] !== undefined; above++) {
    const [, rows] = /^(\d+) rows for/.exec(lines[at - above]!) ?? []
    if (rows !== undefined) return above <= Math.min(3, Number(rows))
  }
  return false
}
