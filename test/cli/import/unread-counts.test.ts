import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BookingMap } from '../../../src/cli/import/booking-map.ts'
import { wholeNumber } from '../../../src/cli/import/booking-row.ts'
import { unreadCounts } from '../../../src/cli/import/unread-counts.ts'
import fc from '../../seed.ts'
import { type ImportHouse, importHouse } from './file-import.ts'

const map = {
  externalId: { column: 'No' },
  status: { always: 'Confirmed' },
  arrival: { column: 'From' },
  departure: { column: 'To' },
  adults: { column: 'Persons' },
  unitType: { always: 'DBL' },
} satisfies BookingMap

const notesOf = (column: string, ...cells: string[]) => {
  const { look, notes } = unreadCounts(map)
  for (const [at, cell] of cells.entries()) look({ line: at + 2, cells: { [column]: cell } })
  return notes()
}

describe('A column that the map does not read', () => {
  const headings: [heading: string, member: string][] = [
    ['Rooms', 'rooms'],
    ['No. of Rooms', 'rooms'],
    ['Room(s)', 'rooms'],
    ['Guest(s)', 'adults'],
    ['roomCount', 'rooms'],
    ['UNITS', 'rooms'],
    ['Zimmer', 'rooms'],
    ['Anzahl Zimmer', 'rooms'],
    ['Zimmeranzahl', 'rooms'],
    ['Chambres', 'rooms'],
    ['Nombre de chambres', 'rooms'],
    ['Habitaciones', 'rooms'],
    ['Quartos', 'rooms'],
    ['Adults', 'adults'],
    ['Pax', 'adults'],
    ['total_guests', 'adults'],
    ['Personenzahl', 'adults'],
    ['Gäste', 'adults'],
    ['Huéspedes', 'adults'],
    ['Children', 'children'],
    ['Kinder', 'children'],
    ['Niños', 'children'],
    ['Crianças', 'children'],
    ['Infants', 'infants'],
    ['Nights', 'nights'],
    ['Nächte', 'nights'],
    ['Nuitées', 'nights'],
    ['stays_in_week_nights', 'nights'],
  ]
  for (const [heading, member] of headings)
    it(`is named as a count of ${member}: ${heading}`, () => {
      const [note = '', ...more] = notesOf(heading, '1', '', '2', 'NULL', '0')
      assert.deepEqual(more, [])
      const example = member === 'children' || member === 'infants' ? '1 in line 2' : '2 in line 4'
      assert.ok(note.includes(`the column ${heading}, which looks like a number of ${member}: `), note)
      assert.ok(note.includes(`for example ${example}`), note)
    })

  it('is named with a number that the import reads as a count', () => {
    const [note = ''] = notesOf('Rooms', '1.0', '2.0')
    assert.ok(note.includes('for example 2.0 in line 3'), note)
    assert.deepEqual(['2', '2.0', '2,00', '1.000', '1.5', '2.'].map(wholeNumber), [2, 2, 2, null, null, null])
  })

  const others: [heading: string, cells: string[]][] = [
    ['Rooms', ['1', '1', '', '0']],
    ['Children', ['0', '0', '']],
    ['Rooms', ['DBL', '2 x DBL', 'SUI']],
    ['Zimmer', ['101', '204', '12']],
    ['Room', ['2', '3']],
    ['Room number', ['2', '3']],
    ['Zimmer Nr', ['2', '3']],
    ['Guest name', ['2', '3']],
    ['Rooms', []],
    ['Rate', ['2', '3']],
    ['Persons', ['2', '3']],
  ]
  for (const [heading, cells] of others)
    it(`is not named: ${heading} with ${cells.join(', ') || 'no row'}`, () =>
      assert.deepEqual(notesOf(heading, ...cells), []))

  it('is named for exactly the numbers above the trivial one, whatever they are', () => {
    const cell = fc.oneof(fc.integer({ min: 0, max: 99 }).map(String), fc.constantFrom('', 'NULL'))
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 30 }), (cells) => {
        const telling = cells.filter((each) => Number(each) > 1).length
        const numbers = cells.filter((each) => /^\d/.test(each)).length
        const [note = ''] = notesOf('Rooms', ...cells)
        if (telling === 0) return assert.equal(note, '')
        const verb = telling === 1 ? 'is' : 'are'
        assert.ok(note.includes(`: ${telling} of ${numbers} numbers in it ${verb} above 1, `), note)
      }),
    )
  })
})

describe('An import', () => {
  let house: ImportHouse
  before(async () => {
    house = await importHouse()
  })
  after(() => house.stop())

  const csv =
    'No,From,To,Persons,Rooms,Nights\nA1,2027-03-01,2027-03-04,2,2,3\nA2,2027-03-01,2027-03-02,2,1,1\n'
  for (const dryRun of [true, false])
    it(`names unread counts ${dryRun ? 'of a dry run' : 'in its summary'}, and what to do`, async () => {
      const { ended, stdout, stderr } = await house.import(csv, map, { dryRun })
      assert.equal(ended, 0, stderr)
      assert.match(
        stdout,
        /\n {2}The map does not read the column Rooms, which looks like a number of rooms: 1 of 2 numbers in it is above 1, for example 2 in line 2\. If it is, add "rooms": \{"column":"Rooms"\} to the map\n/,
      )
      assert.match(stdout, /the column Nights, .*The nights are counted from arrival and departure(\n|$)/)
    })

  it('names no column that the map reads', async () => {
    const more = { ...map, rooms: { column: 'Rooms' }, comment: { text: '{Nights} nights' } }
    const { stdout } = await house.import(csv.replaceAll('A', 'B'), more, { dryRun: true })
    assert.doesNotMatch(stdout, /does not read/)
  })
})
