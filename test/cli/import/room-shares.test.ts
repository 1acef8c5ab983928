import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { BookingMap } from '../../../src/cli/import/booking-map.ts'
import { bookingOf } from '../../../src/cli/import/booking-row.ts'
import { roomShares } from '../../../src/cli/import/room-shares.ts'
import fc from '../../seed.ts'
import { type ImportHouse, importHouse } from './file-import.ts'

const map = {
  externalId: { column: 'No' },
  confirmation: { column: 'No' },
  status: { always: 'Confirmed' },
  arrival: { column: 'From' },
  nights: { column: 'Nights' },
  adults: { column: 'Adults' },
  children: { column: 'Children' },
  rooms: { column: 'Rooms' },
  unitType: { always: 'DBL' },
  unit: { column: 'Room' },
  nightly: { price: { column: 'Rate' }, currency: { column: 'Cur' } },
  guest: { lastName: { column: 'Guest' } },
  comment: { column: 'Remarks' },
}
const header = 'No;From;Nights;Adults;Children;Rooms;Room;Rate;Cur;Guest;Remarks'
const csv = (...rows: string[]) => [header, ...rows, ''].join('\n')

/** What these tests look at of a stay. */
interface Stay {
  externalId: string
  personCount: { adults: number; children?: number; infants?: number }
  amount: { amountWithTax: number }
  comment: string
}

/** A stay as the appliance lists it. */
interface StoredStay extends Stay {
  id: string
  reservationIds: [{ value: string }]
  profiles: [{ id: string }]
  units: [{ unitName?: string }]
}

describe('A booking of several rooms', () => {
  let house: ImportHouse
  before(async () => {
    house = await importHouse()
  })
  after(() => house.stop())

  const staysOf = async (externalId: string): Promise<StoredStay[]> => {
    const { body } = await house.ask('GET', `/api/v2/reservations?filter[externalId]=${externalId}`)
    return body.data[0]?.attributes.stays
  }

  it('is one reservation with a stay for each, and one guest', async () => {
    const { ended, stderr } = await house.import(
      csv('A1;2027-03-01;1;3;1;2;;100.01;EUR;Ito;By the lift'),
      map,
    )
    assert.equal(ended, 0, stderr)
    const stays = await staysOf('A1')
    assert.deepEqual(
      stays.map((stay) => [
        stay.externalId,
        stay.personCount.adults,
        stay.personCount.children,
        stay.amount.amountWithTax,
        stay.comment,
        stay.reservationIds[0].value,
      ]),
      [
        ['A1', 2, 0, 50, 'By the lift\nRoom 1 of 2 of the booking.', 'A1'],
        ['A1-R2', 1, 1, 50.01, 'By the lift\nRoom 2 of 2 of the booking.', 'A1'],
      ],
    )
    const guests = new Set(stays.map(({ profiles }) => profiles[0].id))
    assert.equal(guests.size, 1)
    const { body } = await house.ask('GET', '/api/v2/profiles?filter[lastName]=Ito')
    assert.equal(body.data.length, 1)
  })

  it('keeps the stay of its first room when it has more or fewer rooms later', async () => {
    const rows = (rooms: string) => csv(`A9;2027-03-01;1;${rooms || 1};0;${rooms};;100;EUR;Ito;`)
    const made = await house.import(rows(''), map)
    assert.equal(made.ended, 0, made.stderr)
    const [first] = await staysOf('A9')
    for (const [rooms, count] of [
      ['2', 2],
      ['4', 4],
      ['3', 4],
      ['1', 4],
      ['', 4],
    ] as const) {
      const { ended, stderr } = await house.import(rows(rooms), map, { update: true })
      assert.equal(ended, 0, stderr)
      if (rooms === '2') assert.match(stderr, /; room 2 was empty, is now Confirmed 2027-03-01 – 2027-03-02$/)
      const stays = await staysOf('A9')
      assert.deepEqual([stays.length, stays[0]!.id, stays[0]!.externalId], [count, first!.id, 'A9'], rooms)
      assert.equal(new Set(stays.map(({ profiles }) => profiles[0].id)).size, 1)
      const again = await house.import(rows(rooms), map)
      assert.equal(again.ended, 0, again.stderr)
    }
  })

  it('of one room, or without a number, is imported as before', async () => {
    const rows = csv('B1;2027-03-01;1;2;0;1;;10;EUR;Ito;', 'B2;2027-03-01;1;2;0;;;10;EUR;Ito;')
    assert.equal((await house.import(rows, map)).ended, 0)
    for (const no of ['B1', 'B2'])
      assert.deepEqual(
        (await staysOf(no)).map(({ externalId, comment }) => [externalId, comment]),
        [[no, null]],
      )
  })

  it('has the units that the cell lists, and else its unit in the first room', async () => {
    const units = (await house.ask('GET', '/api/v2/units?filter[unitType.code]=DBL&page[size]=5')).body.data
    const [one, other, third] = units.map(
      ({ attributes }: { attributes: { name: string } }) => attributes.name,
    )
    const rows = csv(
      `C1;2027-04-01;1;2;0;2;${one}, ${other};10;EUR;Ito;`,
      `C2;2027-04-01;1;2;0;2;${third};10;EUR;Ito;`,
    )
    for (const more of [{}, { unitType: undefined }]) {
      const renamed =
        more.unitType === undefined && 'unitType' in more
          ? rows.replaceAll(/^C/gm, 'D').replaceAll('2027-04', '2027-05')
          : rows
      const { ended, stderr } = await house.import(renamed, { ...map, ...more })
      assert.equal(ended, 0, stderr)
      const letter = renamed === rows ? 'C' : 'D'
      const names = async (no: string) =>
        (await staysOf(no)).map(({ units: [unit] }) => unit.unitName ?? null)
      assert.deepEqual(await names(`${letter}1`), [one, other])
      assert.deepEqual(await names(`${letter}2`), [third, null])
    }
  })

  it('with fewer adults than rooms is refused, unless the map says how many there are', async () => {
    const rows = csv('E1;2027-03-01;1;1;1;2;;10;EUR;Ito;', 'E2;2027-03-01;1;0;0;3;;10;EUR;Ito;')
    const { ended, stderr } = await house.import(rows, map)
    assert.equal(ended, 2)
    assert.match(stderr, /line 2: rooms: 2 rooms have 1 adult, and each room needs one\. Add "nobody"/)
    const assumed = await house.import(rows, { ...map, nobody: { adults: 1 } })
    assert.equal(assumed.ended, 0, assumed.stderr)
    assert.match(assumed.stdout, /\n {2}1 of the accepted bookings named fewer adults than rooms\. .*: 1\./)
    assert.match(assumed.stdout, /\n {2}1 of the accepted bookings named no guests\. /)
    const persons = async (no: string) =>
      (await staysOf(no)).map(({ personCount: { adults, children } }) => [adults, children])
    assert.deepEqual(await persons('E1'), [
      [1, 1],
      [1, 0],
    ])
    assert.deepEqual(await persons('E2'), [
      [1, 0],
      [1, 0],
      [1, 0],
    ])
    assert.match((await staysOf('E1'))[1]!.comment, /1 adult for 2 rooms; those of this room are assumed/)
  })

  const sharesOf = (cells: Record<string, string>, more: object) => {
    const all = { No: 'X', From: '2027-03-01', Nights: '2', Rate: '', Cur: 'EUR', Guest: 'Ito', ...cells }
    const its = { ...map, ...more } as BookingMap
    const booking = bookingOf({ line: 2, written: all, cells: all, empty: undefined }, its)
    return roomShares(booking, its).map(({ stay }) => stay as unknown as Stay)
  }
  const personsOf = (stays: { personCount: object }[]) => stays.map(({ personCount }) => personCount)

  it('keeps its stay when the map reads the rooms of a booking that was imported as one', async () => {
    const rows = csv('H1;2027-03-01;2;2;0;2;;50;EUR;Ito;')
    const { rooms, ...without } = map
    assert.equal((await house.import(rows, without)).ended, 0)
    const { ended, stderr } = await house.import(rows, { ...without, rooms }, { update: true })
    assert.equal(ended, 0, stderr)
    const stays = await staysOf('H1')
    assert.deepEqual(
      stays.map(({ externalId, personCount, amount }) => [
        externalId,
        personCount.adults,
        amount.amountWithTax,
      ]),
      [
        ['H1', 1, 50],
        ['H1-R2', 1, 50],
      ],
    )
    assert.equal((await house.import(rows, map, { update: true })).ended, 0)
    assert.equal((await staysOf('H1')).length, 2)
  })

  it('says nothing of children and infants where the row does not', () => {
    const stays = sharesOf({ Adults: '1', Rooms: '2', Children: '' }, { nobody: { adults: 2 } })
    assert.deepEqual(personsOf(stays), [{ adults: 1 }, { adults: 2 }])
    assert.match(stays[1]!.comment, /1 adult for 2 rooms; those of this room are assumed/)
    assert.doesNotMatch(stays[0]!.comment, /assumed/)
  })

  it('without persons has each infant once, and no comment about adults of the file', () => {
    const more = { nobody: { adults: 1 }, infants: { column: 'Babies' } }
    const stays = sharesOf({ Adults: '0', Rooms: '3', Children: '0', Babies: '2' }, more)
    assert.deepEqual(personsOf(stays), [
      { adults: 1, children: 0, infants: 1 },
      { adults: 1, children: 0, infants: 1 },
      { adults: 1, children: 0, infants: 0 },
    ])
    for (const { comment } of stays) assert.doesNotMatch(comment, /The file has/)
  })

  it('has a share of any price', () => {
    const amounts = (Rate: string) =>
      sharesOf({ Adults: '2', Rooms: '2', Rate }, {}).map(({ amount }) => amount.amountWithTax)
    assert.deepEqual(amounts('0.0000001'), [0.0000001, 0.0000001])
    assert.deepEqual(amounts('0.01'), [0.01, 0.01])
    assert.deepEqual(amounts('0'), [0, 0])
  })

  it('is said with its rooms in the words of a dry run', async () => {
    const rows = csv('G1;2027-03-01;2;2;0;2;;50;EUR;Ito;')
    const { stdout } = await house.import(rows, map, { dryRun: true })
    assert.match(
      stdout,
      /\n {2}In words: line 2: 2 nights from 2027-03-01 in 2 rooms, 100\.00 EUR in all \(50\.00 a night\)\n?/,
    )
  })

  const refused: [rooms: string, reason: RegExp][] = [
    ['0', /rooms: a booking has 1 to 100 rooms, not 0/],
    ['101', /rooms: a booking has 1 to 100 rooms, not 101/],
    ['two', /rooms: "two" in Rooms is not a whole number/],
    ['-1', /rooms: "-1" in Rooms is not/],
    ['1.5', /rooms: "1\.5" in Rooms is not/],
  ]
  for (const [rooms, reason] of refused)
    it(`of ${rooms} rooms is refused with its cell`, async () => {
      const { ended, stderr } = await house.import(csv(`F1;2027-03-01;1;2;0;${rooms};;10;EUR;Ito;`), map)
      assert.equal(ended, 1)
      assert.match(stderr, reason)
    })

  it('has all persons and the whole price in its stays, whatever they are', () => {
    const count = (max: number) => fc.integer({ min: 0, max })
    const rooms = fc.integer({ min: 1, max: 12 })
    const currency = fc.constantFrom(['EUR', 2], ['JPY', 0], ['KWD', 3])
    fc.assert(
      fc.property(
        rooms,
        count(30),
        count(9),
        count(999_999),
        currency,
        (many, more, children, minor, [of, digits]) => {
          const adults = String(many + more)
          const rate = (minor / 10 ** Number(digits)).toFixed(Number(digits))
          const cells = {
            No: 'X',
            From: '2027-03-01',
            Nights: '1',
            Adults: adults,
            Children: String(children),
            Rooms: String(many),
            Rate: rate,
            Cur: String(of),
          }
          const plain = { ...map, nightly: { ...map.nightly, decimal: '.' } } as BookingMap
          const booking = bookingOf({ line: 2, written: cells, cells, empty: undefined }, plain)
          const stays = roomShares(booking, plain).map(({ stay }) => stay as unknown as Stay)
          assert.equal(stays.length, many)
          const sum = (of: (stay: Stay) => number) => stays.reduce((total, stay) => total + of(stay), 0)
          assert.equal(
            sum(({ personCount }) => personCount.adults),
            Number(adults),
          )
          assert.equal(
            sum(({ personCount }) => personCount.children!),
            children,
          )
          assert.ok(stays.every(({ personCount }) => personCount.adults > 0))
          assert.equal(
            sum(({ amount }) => Math.round(amount.amountWithTax * 10 ** Number(digits))),
            minor,
          )
          assert.equal(new Set(stays.map(({ externalId }) => externalId)).size, many)
        },
      ),
    )
  })
})
