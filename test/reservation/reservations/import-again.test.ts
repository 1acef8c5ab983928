import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../seed.ts'
import { today, tomorrow } from '../api/house.ts'
import { importingHouse, type Values } from './importing-house.ts'

const at = importingHouse()
const { fresh, booking, send, row, stored } = at

/** What a file says otherwise, and what is read after `update=true`. */
interface Change {
  name: string
  stay?: () => Values
  more?: Values
  /** Field, stored value, value of the file. */
  differences: () => [string, string | null, string | null][]
  holds: (after: Awaited<ReturnType<typeof at.stored>>) => unknown
  is: () => unknown
}

const changes: Change[] = [
  {
    name: 'a cancellation',
    stay: () => ({ status: 'Canceled' }),
    differences: () => [['stays/0/status', 'Confirmed', 'Canceled']],
    holds: ({ reservation, stay }) => [reservation.status, stay.status],
    is: () => ['Canceled', 'Canceled'],
  },
  {
    name: 'other dates with a price',
    stay: () => ({ endDate: '2026-06-05', amount: { currency: 'EUR', amountWithTax: 400.5 } }),
    differences: () => [
      ['stays/0/endDate', '2026-06-03', '2026-06-05'],
      ['stays/0/amount', '218.00 EUR', '400.50 EUR'],
    ],
    holds: ({ reservation, stay }) => [
      reservation.departure,
      stay.endDate,
      stay.amount.amountWithTax,
      stay.due,
    ],
    is: () => ['2026-06-05', '2026-06-05', 400.5, 40050],
  },
  {
    name: 'other dates without a price, which follows them',
    stay: () => ({ endDate: '2026-06-05', amount: undefined }),
    differences: () => [['stays/0/endDate', '2026-06-03', '2026-06-05']],
    holds: ({ stay }) => [stay.endDate, stay.amount.amountWithTax],
    is: () => ['2026-06-05', 436],
  },
  {
    name: 'other dates for the same price',
    stay: () => ({ startDate: tomorrow, endDate: '2026-06-05' }),
    differences: () => [
      ['stays/0/startDate', today, tomorrow],
      ['stays/0/endDate', '2026-06-03', '2026-06-05'],
    ],
    holds: ({ reservation, stay }) => [reservation.arrival, stay.amount.amountWithTax],
    is: () => [tomorrow, 218],
  },
  {
    name: 'more persons',
    stay: () => ({ personCount: { adults: 2, children: 1 } }),
    differences: () => [
      ['stays/0/personCount/adults', '1', '2'],
      ['stays/0/personCount/children', '0', '1'],
    ],
    holds: ({ stay }) => stay.personCount.total,
    is: () => 3,
  },
  {
    name: 'another unit type',
    stay: () => ({ units: [{ unitTypeId: at.double.unitTypeId }] }),
    differences: () => [['stays/0/units/0/unitTypeId', 'T1', 'T2']],
    holds: ({ stay }) => stay.units[0].unitTypeId,
    is: () => at.double.unitTypeId,
  },
  {
    name: 'a room',
    stay: () => ({ units: [{ unitTypeId: at.double.unitTypeId, unitId: at.double.unitIds[39] }] }),
    differences: () => [
      ['stays/0/units/0/unitTypeId', 'T1', 'T2'],
      ['stays/0/units/0/unitId', null, 'T2-40'],
    ],
    holds: ({ stay }) => stay.units[0].unitName,
    is: () => 'T2-40',
  },
  {
    name: 'another confirmation number',
    stay: () => ({ reservationIds: [{ type: 'Confirmation', value: 'NEW-1' }] }),
    differences: () => [['stays/0/reservationIds/Confirmation', at.latest, 'NEW-1']],
    holds: ({ stay }) => stay.reservationIds.map(({ value }: { value: string }) => value),
    is: () => ['NEW-1'],
  },
  {
    name: 'a comment and a channel',
    stay: () => ({ comment: 'Late\narrival' }),
    more: { channel: 'Phone' },
    differences: () => [
      ['channel', 'Website', 'Phone'],
      ['stays/0/comment', 'Quiet room', 'Late\narrival'],
    ],
    holds: ({ reservation, stay }) => [reservation.channel, stay.comment],
    is: () => ['Phone', 'Late\narrival'],
  },
  {
    name: 'another guest, whose profile is a new one',
    stay: () => ({ profiles: [{ role: 'PrimaryGuest', firstName: 'Ben', lastName: 'Kern' }] }),
    differences: () => [
      ['stays/0/profiles/0/lastName', 'García', 'Kern'],
      ['stays/0/profiles/0/firstName', 'Sofía', 'Ben'],
    ],
    holds: ({ stay, guest }) => [stay.profiles.length, guest.lastName, guest.emails],
    is: () => [1, 'Kern', null],
  },
  {
    name: 'the same guest in another spelling, with an address more',
    stay: () => ({
      profiles: [
        {
          role: 'PrimaryGuest',
          firstName: 'Sofia',
          lastName: 'Garcia',
          emails: [{ address: 'new@example.com' }],
        },
      ],
    }),
    differences: () => [
      ['stays/0/profiles/0/firstName', 'Sofía', 'Sofia'],
      ['stays/0/profiles/0/lastName', 'García', 'Garcia'],
      ['stays/0/profiles/0/emails', 's@example.com', 'new@example.com'],
    ],
    holds: ({ guest }) => [
      guest.lastName,
      guest.emails.map(({ address, primary }: Values) => [address, primary]),
    ],
    is: () => [
      'Garcia',
      [
        ['new@example.com', true],
        ['s@example.com', false],
      ],
    ],
  },
]

describe('a booking that is imported again, changed', () => {
  for (const { name, stay = () => ({}), more = {}, differences, holds, is } of changes)
    it(`lists ${name}, changes it with update=true only, and then finds no difference`, async () => {
      const externalId = fresh()
      const { id } = await row(booking(externalId))
      const was = await stored(id)
      const changed = booking(externalId, stay(), more)
      const expected = differences().map(([field, before, given]) => ({ field, stored: before, given }))
      for (const query of ['', '?update=false', '?update=true&dryRun=true']) {
        const { rows, ...counts } = await send([changed], query)
        assert.deepEqual(rows, [{ item: 0, id, already: true, differences: expected }], query)
        const isTrial = query.includes('update=true')
        assert.deepEqual(counts, { accepted: isTrial ? 1 : 0, refused: 0, differing: isTrial ? 0 : 1 })
        assert.deepEqual(await stored(id), was)
      }
      assert.deepEqual((await row(changed, '?update=true')).differences, expected)
      const now = await stored(id)
      assert.deepEqual(holds(now), is())
      assert.deepEqual((await row(changed, '?update=true')).differences, [])
      assert.deepEqual(await stored(id), now)
    })

  it('has the effects of the same change at the desk, in the journal too', async () => {
    const [byDesk, byFile] = [await row(booking(fresh())), await row(booking(fresh()))]
    const { externalId } = (await stored(byFile.id)).reservation
    const body = { status: 'Canceled', endDate: '2026-06-05', comment: 'By phone' }
    const { path } = await stored(byDesk.id)
    assert.ok((await at.house.ask('PATCH', path, { body })).status < 300)
    const file = booking(externalId, { ...body, amount: undefined })
    assert.equal((await row(file, '?update=true')).differences.length, 3)
    const shown = async (id: string) => {
      const { reservation, stay } = await stored(id)
      const { status, endDate, comment, amount, cancellationFee, revision } = stay
      const subjects = [`stays/${stay.id}`, `reservations/${id}`]
      const events = subjects.map((subject) => at.house.journal(subject).map(({ type }) => type))
      return {
        status,
        endDate,
        comment,
        amount,
        cancellationFee,
        revision,
        events,
        whole: reservation.status,
      }
    }
    const ofDesk = await shown(byDesk.id)
    assert.ok(ofDesk.events.flat().includes('stay.canceled'))
    assert.deepEqual(await shown(byFile.id), ofDesk)
  })

  it('has no difference where nothing has changed', async () => {
    const same = booking(fresh())
    const first = await row(same)
    assert.deepEqual(await row(same), { item: 0, id: first.id, already: true, differences: [] })
  })

  it('finds no difference after an update, whatever it says', async () => {
    const name = fc.constantFrom('Kern', 'García', 'Novák', 'Ö', '李')
    const said = fc.record(
      {
        dates: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })),
        personCount: fc.record({
          adults: fc.integer({ min: 1, max: 4 }),
          children: fc.integer({ min: 0, max: 3 }),
        }),
        type: fc.constantFrom('single', 'double'),
        comment: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
        cents: fc.integer({ min: 0, max: 1_000_000 }),
        guest: fc.record({ firstName: name, lastName: name }),
        address: fc.constantFrom('a@example.com', 'B@Example.COM'),
        number: fc.string({ unit: fc.constantFrom('a', 'B', '1', '-'), minLength: 1, maxLength: 8 }),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 2, maxLength: 4 }), async (versions) => {
        const externalId = fresh()
        for (const { dates, personCount, type, comment, cents, guest, address, number } of versions) {
          const [from, nights] = dates ?? [1, 2]
          const profile = { role: 'PrimaryGuest', ...(guest ?? { firstName: 'Ana', lastName: 'Sá' }) }
          const given = booking(externalId, {
            startDate: `2027-03-0${from}`,
            endDate: `2027-03-${String(from + nights).padStart(2, '0')}`,
            personCount: personCount ?? { adults: 1 },
            units: [{ unitTypeId: (type === 'double' ? at.double : at.single).unitTypeId }],
            comment,
            amount: cents === undefined ? undefined : { currency: 'EUR', amountWithTax: cents / 100 },
            profiles: [{ ...profile, ...(address && { emails: [{ address }] }) }],
            reservationIds: number ? [{ type: 'Confirmation', value: number }] : [],
          })
          const updated = await row(given, '?update=true')
          assert.equal(updated.errors, undefined, JSON.stringify(updated))
          assert.deepEqual((await row(given)).differences, [], JSON.stringify(given))
        }
      }),
      { numRuns: 25 },
    )
  })
})
