import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { openHouse, type ReservationHouse, today, tomorrow } from '../api/house.ts'

type Values = Record<string, unknown>

let house: ReservationHouse
let single: Awaited<ReturnType<ReservationHouse['rooms']>>
let double: Awaited<ReturnType<ReservationHouse['rooms']>>
before(async () => {
  house = await openHouse()
  single = await house.rooms(40)
  double = await house.rooms(40)
})
after(() => house.stop())

let count = 0
const fresh = () => `AGAIN-${++count}`

/** A booking as a file of another system has it. */
const booking = (externalId: string, stay: Values = {}, more: Values = {}) => ({
  externalId,
  channel: 'Website',
  ...more,
  stays: [
    {
      externalId,
      status: 'Confirmed',
      startDate: today,
      endDate: '2026-06-03',
      personCount: { adults: 1 },
      units: [{ unitTypeId: single.unitTypeId }],
      reservationIds: [{ type: 'Confirmation', value: externalId }],
      amount: { currency: 'EUR', amountWithTax: 218 },
      comment: 'Quiet room',
      profiles: [
        {
          role: 'PrimaryGuest',
          firstName: 'Sofía',
          lastName: 'García',
          emails: [{ address: 's@example.com' }],
        },
      ],
      ...stay,
    },
  ],
})
type Booking = ReturnType<typeof booking>

async function send(data: unknown[], query = '', token = 'demo') {
  const reply = await house.ask('POST', `/api/config/v1/imports${query}`, { body: { data }, token })
  assert.equal(reply.status, 200, reply.text)
  return reply.body.meta
}

async function row(data: Booking, query = '', token = 'demo') {
  const { rows } = await send([data], query, token)
  return rows[0]
}

/** The reservation, its only stay, and its first guest, as they are read. */
async function stored(id: string) {
  const reservation = await house.attributes(`/api/v2/reservations/${id}`)
  const [stay] = reservation.stays
  const path = `/api/v2/reservations/${id}/stays/${stay.id}`
  const guest = stay.profiles[0] && (await house.attributes(`/api/v2/profiles/${stay.profiles[0].id}`))
  return { reservation, stay, path, guest }
}

const fieldsOf = (result: { differences: { field: string }[] }) =>
  result.differences.map(({ field }) => field)

/** What a file says otherwise, and what is read after `update=true`. */
interface Change {
  name: string
  stay?: () => Values
  more?: Values
  /** Field, stored value, value of the file. */
  differences: () => [string, string | null, string | null][]
  holds: (after: Awaited<ReturnType<typeof stored>>) => unknown
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
    stay: () => ({ units: [{ unitTypeId: double.unitTypeId }] }),
    differences: () => [['stays/0/units/0/unitTypeId', 'T1', 'T2']],
    holds: ({ stay }) => stay.units[0].unitTypeId,
    is: () => double.unitTypeId,
  },
  {
    name: 'a room',
    stay: () => ({ units: [{ unitTypeId: double.unitTypeId, unitId: double.unitIds[39] }] }),
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
    differences: () => [['stays/0/reservationIds/Confirmation', `AGAIN-${count}`, 'NEW-1']],
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
            units: [{ unitTypeId: (type === 'double' ? double : single).unitTypeId }],
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

describe('what an import does not say', () => {
  it('stays as it is: room, comment, persons, numbers, price, e-mail and further guests of the desk', async () => {
    const externalId = fresh()
    const { id } = await row(booking(externalId))
    const { path, stay } = await stored(id)
    const atDesk = {
      units: [{ unitTypeId: single.unitTypeId, unitId: single.unitIds[1] }],
      personCount: { adults: 1, children: 1, childrenAges: [7], infants: 1 },
      reservationIds: [...stay.reservationIds, { type: 'Voucher', value: 'V-1' }],
      guestComment: 'Allergic to nuts',
      profiles: [...stay.profiles, { role: 'AdditionalGuest', firstName: 'Leo', lastName: 'Kern' }],
    }
    assert.ok((await house.ask('PATCH', path, { body: atDesk })).status < 300)
    const was = await stored(id)
    const { comment: _, amount: __, ...silent } = booking(externalId).stays[0]!
    const profiles = [{ role: 'PrimaryGuest', firstName: 'Sofía', lastName: 'García' }]
    const bare = { externalId, stays: [{ ...silent, profiles, reservationIds: [] }] } as unknown as Booking
    assert.deepEqual((await row(bare, '?update=true')).differences, [])
    assert.deepEqual(await stored(id), was)
    const later = { ...bare, stays: [{ ...bare.stays[0]!, endDate: '2026-06-04' }] }
    assert.deepEqual(fieldsOf(await row(later, '?update=true')), ['stays/0/endDate'])
    const now = await stored(id)
    for (const name of ['units', 'personCount', 'reservationIds', 'guestComment', 'comment', 'profiles'])
      assert.deepEqual(now.stay[name], was.stay[name], name)
  })

  it('is a stay that it does not have; one that is not stored is added', async () => {
    const externalId = fresh()
    const [one] = booking(externalId).stays
    const named = (suffix: string, more: Values = {}) => ({
      ...one!,
      externalId: externalId + suffix,
      ...more,
    })
    const group = { ...booking(externalId), stays: [named('-1'), named('-2', { comment: 'B' })] }
    const { id } = await row(group)
    const swapped = { ...group, stays: [named('-2', { comment: 'C' })] }
    const { differences } = await row(swapped, '?update=true')
    assert.deepEqual(differences, [{ field: 'stays/0/comment', stored: 'B', given: 'C' }])
    const comments = async () =>
      (await house.attributes(`/api/v2/reservations/${id}`)).stays.map(({ comment }: Values) => comment)
    assert.deepEqual(await comments(), ['Quiet room', 'C'])
    const more = { ...group, stays: [named('-3', { comment: 'D', startDate: tomorrow })] }
    assert.deepEqual((await row(more)).differences, [
      { field: 'stays/0', stored: null, given: `Confirmed ${tomorrow} – 2026-06-03` },
    ])
    assert.equal((await row(more, '?update=true')).differences.length, 1)
    assert.deepEqual((await row(more, '?update=true')).differences, [])
    assert.deepEqual(await comments(), ['Quiet room', 'C', 'D'])
  })

  it('is that a guest has come or left since, and when: the file is older than that', async () => {
    const externalId = fresh()
    const here = { units: [{ unitTypeId: single.unitTypeId, unitId: single.unitIds[2] }], amount: undefined }
    const file = booking(externalId, here)
    const { id } = await row(file)
    const { path } = await stored(id)
    for (const status of ['InHouse', 'CheckedOut']) {
      assert.ok((await house.ask('PATCH', path, { body: { status } })).status < 300)
      assert.deepEqual((await row(file, '?update=true')).differences, [], status)
      assert.equal((await stored(id)).stay.status, status)
    }
    const still = booking(externalId, { ...here, status: 'InHouse' })
    assert.deepEqual((await row(still)).differences, [])
  })

  it('is a guest whose data were erased, and the comments that went with them', async () => {
    const externalId = fresh()
    const file = booking(externalId, { status: 'Canceled' })
    const { id } = await row(file)
    const { stay } = await stored(id)
    const profile = stay.profiles[0].id
    const erased = await house.ask('POST', `/api/v2/profiles/${profile}/actions/erase`, { body: {} })
    assert.ok(erased.status < 300, erased.text)
    const was = await stored(id)
    assert.equal(was.guest.lastName, 'Guest')
    assert.deepEqual((await row(file, '?update=true')).differences, [])
    assert.deepEqual(await stored(id), was)
  })
})

describe('a change that a rule refuses', () => {
  const codesOf = ({ errors = [] }: { errors?: { code: string; source: { pointer: string } }[] }) =>
    errors.map(({ code, source }) => `${code} ${source.pointer}`)

  /** Where the stay is before the import, and what the file says. */
  const refusals: [name: string, statuses: string[], stay: () => Values, code: string][] = [
    [
      'a cancellation of a guest in house',
      ['InHouse'],
      () => ({ status: 'Canceled' }),
      'stay-status-transition /data/0/stays/0/status',
    ],
    [
      'a no-show of a guest in house',
      ['InHouse'],
      () => ({ status: 'NoShow' }),
      'stay-status-transition /data/0/stays/0/status',
    ],
    [
      'a cancellation of a guest who has left',
      ['InHouse', 'CheckedOut'],
      () => ({ status: 'Canceled' }),
      'stay-status-transition /data/0/stays/0/status',
    ],
    [
      'another arrival of a guest in house',
      ['InHouse'],
      () => ({ startDate: '2026-05-31' }),
      'stay-status-transition /data/0/stays/0/startDate',
    ],
    [
      'other persons of a canceled stay',
      ['Canceled'],
      () => ({ status: 'Canceled', personCount: { adults: 2 } }),
      'stay-status-transition /data/0/stays/0/personCount',
    ],
    [
      'a no-show before the day is over',
      [],
      () => ({ status: 'NoShow' }),
      'stay-status-transition /data/0/stays/0/status',
    ],
    [
      'a room that another stay has',
      [],
      () => ({ units: [{ unitTypeId: double.unitTypeId, unitId: double.unitIds[0] }] }),
      'unit-occupied /data/0/stays/0/units/0/unitId',
    ],
  ]
  for (const [at, [name, statuses, stay, code]] of refusals.entries())
    it(`is named, and changes nothing of its row: ${name}`, async () => {
      if (code.startsWith('unit-occupied'))
        await house.stay({ units: [{ unitTypeId: double.unitTypeId, unitId: double.unitIds[0] }] })
      const externalId = fresh()
      const here = {
        units: [{ unitTypeId: single.unitTypeId, unitId: single.unitIds[10 + at] }],
        amount: undefined,
      }
      const { id } = await row(booking(externalId, here))
      const { path } = await stored(id)
      for (const status of statuses)
        assert.ok((await house.ask('PATCH', path, { body: { status } })).status < 300, status)
      const was = await stored(id)
      const changed = booking(externalId, { ...here, ...stay() }, { channel: 'Phone' })
      assert.equal((await row(changed)).errors, undefined)
      assert.deepEqual(codesOf(await row(changed, '?update=true&dryRun=true')), [code])
      assert.deepEqual(codesOf(await row(changed, '?update=true')), [code])
      assert.deepEqual(await stored(id), was)
    })

  it('does not keep the other rows from being changed, in their order', async () => {
    const [one, two] = [fresh(), fresh()]
    await send([booking(one), booking(two)])
    const { accepted, refused, rows } = await send(
      [
        booking(one, { status: 'NoShow' }),
        booking(two, { comment: 'First' }),
        booking(two, { comment: 'Second' }),
      ],
      '?update=true',
    )
    assert.deepEqual([accepted, refused], [2, 1])
    assert.deepEqual(rows[2].differences, [{ field: 'stays/0/comment', stored: 'First', given: 'Second' }])
  })
})

describe('a stay that was canceled here and is Confirmed in the file', () => {
  it('is reinstated with its other changes, where the caller may', async () => {
    const externalId = fresh()
    const { id } = await row(booking(externalId, { status: 'Canceled' }))
    const changed = booking(externalId, { endDate: '2026-06-04' })
    const writer = await house.tokenOf('kiosk', ['reservations.write', 'reservations.read', 'profiles.read'])
    const [error] = (await row(changed, '?update=true', writer)).errors
    assert.deepEqual([error.code, error.meta.scope], ['scope-required', 'reservations.reinstate'])
    assert.deepEqual(fieldsOf(await row(changed, '?update=true')), ['stays/0/endDate', 'stays/0/status'])
    const { stay } = await stored(id)
    assert.deepEqual([stay.status, stay.endDate], ['Confirmed', '2026-06-04'])
  })
})

describe('a caller that may write reservations only', () => {
  it('does not see stored values, and does not change the details of a guest', async () => {
    const externalId = fresh()
    await row(booking(externalId))
    const profiles = [{ role: 'PrimaryGuest', firstName: 'Sofía', lastName: 'García', nationality: 'ES' }]
    const changed = booking(externalId, { profiles, comment: 'Late' })
    const writer = await house.tokenOf('kiosk', ['reservations.write'])
    const { differences } = await row(changed, '', writer)
    assert.deepEqual(differences, [
      { field: 'stays/0/comment', given: 'Late' },
      { field: 'stays/0/profiles/0/nationality', given: 'ES' },
    ])
    const [error] = (await row(changed, '?update=true', writer)).errors
    assert.deepEqual([error.code, error.meta.scope], ['scope-required', 'profiles.write'])
  })
})

describe('a guest who has other stays too', () => {
  it('keeps the details that are known: two bookings of one person may state different ones', async () => {
    const externalId = fresh()
    const { id } = await row(booking(externalId))
    const profileId = (await stored(id)).stay.profiles[0].id
    await house.stay({ profiles: [{ id: profileId, role: 'PrimaryGuest' }] })
    const guest = { role: 'PrimaryGuest', firstName: 'Sofía', lastName: 'García', nationality: 'ES' }
    const said = booking(externalId, { profiles: [{ ...guest, emails: [{ address: 'x@example.com' }] }] })
    assert.deepEqual(fieldsOf(await row(said, '?update=true')), ['stays/0/profiles/0/nationality'])
    const { guest: now } = await stored(id)
    assert.deepEqual([now.nationality, now.emails.length], ['ES', 1])
  })
})

it('takes no other word for update than true and false', async () => {
  for (const query of ['?update=yes', '?update=', '?update=true&update=true', '?updates=true']) {
    const reply = await house.ask('POST', `/api/config/v1/imports${query}`, {
      body: { data: [booking(fresh())] },
    })
    assert.equal(reply.status, 400, reply.text)
  }
})
