import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../seed.ts'
import { fieldsOf, importingHouse, type Values } from './importing-house.ts'

const at = importingHouse()
const { fresh, booking, row, stored } = at

const guest = (firstName: string, lastName: string, role = 'AdditionalGuest', more: Values = {}) => ({
  role,
  firstName,
  lastName,
  ...more,
})

async function desk(path: string, body: Values): Promise<void> {
  const reply = await at.house.ask('PATCH', path, { body })
  assert.ok(reply.status < 300, reply.text)
}

describe('a price with taxes and nights of the desk', () => {
  const taxes = [{ code: 'VAT', name: 'VAT', percent: 9, amount: 18 }]
  const amount = {
    currency: 'EUR',
    amountWithTax: 218,
    amountWithoutTax: 200,
    taxes,
    perNight: [
      { date: '2026-06-01', amountWithTax: 100 },
      { date: '2026-06-02', amountWithTax: 118 },
    ],
  }

  it('stays after a guest has left before the end of the booking, when an import changes the comment', async () => {
    const externalId = fresh()
    const here = { units: [{ unitTypeId: at.single.unitTypeId, unitId: at.single.unitIds[0] }] }
    const { id } = await row(booking(externalId, here))
    const { path } = await stored(id)
    await desk(path, { amount })
    await desk(path, { status: 'InHouse' })
    const payment = { amount: 21800, currency: 'EUR', brand: 'Cash' }
    const paid = await at.house.ask('POST', `${path}/actions/record-payment`, { body: payment })
    assert.ok(paid.status < 300, paid.text)
    await desk(path, { status: 'CheckedOut' })
    const was = await stored(id)
    assert.notEqual(was.stay.endDate, '2026-06-03')
    const left = await row(booking(externalId, { ...here, comment: 'Left a hat' }), '?update=true')
    assert.deepEqual(fieldsOf(left), ['stays/0/comment'])
    assert.deepEqual((await stored(id)).stay.amount, was.stay.amount)
  })

  it('keeps its taxes when an import moves the stay for the same total', async () => {
    const externalId = fresh()
    const { id } = await row(booking(externalId))
    await desk((await stored(id)).path, { amount })
    const moved = booking(externalId, { startDate: '2026-06-02', endDate: '2026-06-04' })
    assert.deepEqual(fieldsOf(await row(moved, '?update=true')), ['stays/0/startDate', 'stays/0/endDate'])
    const { perNight: _, ...kept } = amount
    assert.deepEqual((await stored(id)).stay.amount, kept)
  })
})

describe('guests whom the desk has put in another order', () => {
  const family = [
    guest('Ana', 'Sá', 'PrimaryGuest'),
    guest('Ben', 'Kern'),
    guest('Leo', 'Kern'),
    guest('李', '王'),
    guest('Eva', 'Novák', 'Booker'),
  ]

  it('are found again by their names, in any order and with roles that they have taken from one another', async () => {
    const orders = fc.shuffledSubarray([...family.keys()], { minLength: family.length })
    await fc.assert(
      fc.asyncProperty(
        orders,
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        async (order, isSwapped, named) => {
          const externalId = fresh()
          const { id } = await row(booking(externalId, { profiles: family }))
          const { path, stay } = await stored(id)
          const roles = stay.profiles.map(({ role }: Values) => role)
          const profiles = order.map((from, to) => ({
            id: stay.profiles[from].id,
            role: roles[isSwapped ? to : from],
          }))
          await desk(path, { profiles })
          const was = await stored(id)
          const file = booking(externalId, { profiles: family.slice(0, named) })
          assert.deepEqual((await row(file, '?update=true')).differences, [])
          assert.deepEqual(await stored(id), was)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('keep their places when one of them is another person in the file', async () => {
    const externalId = fresh()
    const { id } = await row(booking(externalId, { profiles: family }))
    const { path, stay } = await stored(id)
    const [ana, ben, leo, ...others] = stay.profiles
    await desk(path, { profiles: [ana, leo, ben, ...others] })
    const file = booking(externalId, { profiles: family.with(1, guest('Max', 'Neu')) })
    assert.deepEqual((await row(file, '?update=true')).differences, [
      { field: 'stays/0/profiles/1/lastName', stored: 'Kern', given: 'Neu' },
      { field: 'stays/0/profiles/1/firstName', stored: 'Ben', given: 'Max' },
    ])
    const ids = (await stored(id)).stay.profiles.map((each: Values) => each.id)
    assert.deepEqual(
      ids.toSpliced(2, 1),
      [ana, leo, ...others].map((each) => each.id),
    )
    assert.notEqual(ids[2], ben.id)
  })
})

describe('one guest in several stays of a booking', () => {
  const sofia = (more: Values) => [guest('Sofía', 'García', 'PrimaryGuest', more)]
  const group = (externalId: string, rooms: number, more: Values[] = []) => {
    const [one] = booking(externalId).stays
    const stays = Array.from({ length: rooms }, (_, index) => ({
      ...one!,
      externalId: `${externalId}-${index}`,
      ...(more[index] ?? more[0]),
    }))
    return { ...booking(externalId), stays }
  }
  const guestsOf = async (id: string) =>
    (await at.house.attributes(`/api/v2/reservations/${id}`)).stays.map(
      ({ profiles }: { profiles: Values[] }) => profiles[0]!.id,
    )

  it('has the new address of the file, because all stays of the row state it', async () => {
    const externalId = fresh()
    const { id } = await row(group(externalId, 2))
    const was = await guestsOf(id)
    const file = group(externalId, 2, [{ profiles: sofia({ emails: [{ address: 'new@example.com' }] }) }])
    assert.deepEqual(fieldsOf(await row(file, '?update=true')), [
      'stays/0/profiles/0/emails',
      'stays/1/profiles/0/emails',
    ])
    assert.deepEqual((await row(file, '?update=true')).differences, [])
    assert.deepEqual(await guestsOf(id), was)
    const { emails } = await at.house.attributes(`/api/v2/profiles/${was[0]}`)
    assert.equal(emails[0].address, 'new@example.com')
  })

  it('keeps the known address where the stays of the row state different ones', async () => {
    const externalId = fresh()
    const { id } = await row(group(externalId, 2))
    const [one] = await guestsOf(id)
    const was = await at.house.attributes(`/api/v2/profiles/${one}`)
    const said = ['a@example.com', 'b@example.com'].map((address) => ({
      profiles: sofia({ emails: [{ address }] }),
    }))
    assert.deepEqual((await row(group(externalId, 2, said), '?update=true')).differences, [])
    assert.deepEqual(await at.house.attributes(`/api/v2/profiles/${one}`), was)
  })

  it('is one in a room more, and another guest of all rooms is one too', async () => {
    const externalId = fresh()
    const { id } = await row(group(externalId, 2))
    const was = await guestsOf(id)
    assert.deepEqual(fieldsOf(await row(group(externalId, 3), '?update=true')), ['stays/2'])
    assert.deepEqual(await guestsOf(id), [...was, was[0]])
    const other = group(externalId, 3, [{ profiles: [guest('Max', 'Neu', 'PrimaryGuest')] }])
    assert.equal((await row(other, '?update=true')).differences.length, 6)
    const now = await guestsOf(id)
    assert.notEqual(now[0], was[0])
    assert.equal(new Set(now).size, 1)
    assert.deepEqual((await row(other)).differences, [])
  })
})

it('moves the stays of a booking into rooms that they leave to one another', async () => {
  const externalId = fresh()
  const [one] = booking(externalId).stays
  const inRooms = (...rooms: number[]) => ({
    ...booking(externalId),
    stays: rooms.map((room, index) => ({
      ...one!,
      externalId: `${externalId}-${index}`,
      units: [{ unitTypeId: at.single.unitTypeId, unitId: at.single.unitIds[room] }],
    })),
  })
  const { id } = await row(inRooms(20, 21, 22))
  for (const rooms of [
    [21, 20, 22],
    [20, 22, 23],
    [22, 23, 20],
    [24, 22, 23],
  ]) {
    const moved = await row(inRooms(...rooms), '?update=true')
    assert.equal(moved.errors, undefined, JSON.stringify(moved))
    const { stays } = await at.house.attributes(`/api/v2/reservations/${id}`)
    assert.deepEqual(
      stays.map(({ units: [unit] }: { units: Values[] }) => unit!.unitId),
      rooms.map((room) => at.single.unitIds[room]),
    )
  }
  const dated = (...starts: string[]) => ({
    ...booking(externalId),
    stays: inRooms(24, 24, 23).stays.map((each, index) => ({
      ...each,
      startDate: `2026-07-0${starts[index]}`,
      endDate: `2026-07-0${Number(starts[index]) + 1}`,
    })),
  })
  for (const starts of [
    ['1', '2', '3'],
    ['2', '1', '3'],
  ]) {
    const moved = await row(dated(...starts), '?update=true')
    assert.equal(moved.errors, undefined, JSON.stringify(moved))
    assert.deepEqual((await row(dated(...starts))).differences, [])
    const { stays } = await at.house.attributes(`/api/v2/reservations/${id}`)
    const rooms = stays.map(({ units: [unit] }: { units: Values[] }) => unit!.unitId)
    assert.deepEqual(
      rooms,
      [24, 24, 23].map((room) => at.single.unitIds[room]),
    )
  }
  const taken = await row(inRooms(22, 22, 23), '?update=true')
  assert.equal(taken.errors[0].code, 'unit-occupied')
})

it('finds no difference in what a release before has stored: two profiles of one guest, and a sign as first name', async () => {
  const externalId = fresh()
  const [one] = booking(externalId).stays
  const stays = ['-1', '-2'].map((suffix) => ({ ...one!, externalId: externalId + suffix }))
  const old = stays.map((each, index) => ({
    ...each,
    personCount: { adults: 1, children: 0, infants: 0 },
    profiles: [guest('-', 'Madonna', 'PrimaryGuest', { title: `${index}` })],
  }))
  await row({ ...booking(externalId), stays: old })
  const now = stays.map((each) => ({ ...each, profiles: [guest('', 'Madonna', 'PrimaryGuest')] }))
  assert.deepEqual((await row({ ...booking(externalId), stays: now }, '?update=true')).differences, [])
})

describe('a comment to which the desk has added', () => {
  const texts: [given: string, atDesk: string][] = [
    ['Quiet room', 'Quiet room\nAllergic to nuts'],
    ['Quiet room', 'Allergic to nuts\nQuiet room'],
    ['Room 1 of 2\nLate', 'Room 1 of 2\nCot is ordered\nLate'],
    ['Late\r\nCot', 'Cot\nLate'],
    [' Ruhig ', 'Ruhig\nSpäte Anreise'],
    ['', 'By phone: late'],
  ]
  for (const [given, atDesk] of texts)
    it(`stays as it is: ${JSON.stringify(atDesk)}`, async () => {
      const externalId = fresh()
      const file = booking(externalId, { comment: given })
      const { id } = await row(file)
      await desk((await stored(id)).path, { comment: atDesk })
      assert.deepEqual((await row(file, '?update=true')).differences, [])
      assert.equal((await stored(id)).stay.comment, atDesk)
    })

  it('is another one where the import has another line', async () => {
    const externalId = fresh()
    await row(booking(externalId, { comment: 'Quiet room' }))
    const file = booking(externalId, { comment: 'Quiet' })
    assert.deepEqual((await row(file, '?update=true')).differences, [
      { field: 'stays/0/comment', stored: 'Quiet room', given: 'Quiet' },
    ])
  })
})

it('reinstates a booking without the room that another guest has got since', async () => {
  const externalId = fresh()
  const [unitTypeId, unitId] = [at.single.unitTypeId, at.single.unitIds[30]]
  const { id } = await row(booking(externalId, { units: [{ unitTypeId, unitId }] }))
  await desk((await stored(id)).path, { status: 'Canceled' })
  await row(booking(fresh(), { units: [{ unitTypeId, unitId }] }))
  const file = booking(externalId, { endDate: '2026-06-04' })
  assert.deepEqual(fieldsOf(await row(file, '?update=true')), ['stays/0/endDate', 'stays/0/status'])
  const { status, units } = (await stored(id)).stay
  assert.deepEqual([status, units[0].unitId ?? null], ['Confirmed', null])
})

it('leaves a guest erased whose stay is to come, with the comments', async () => {
  const externalId = fresh()
  const file = (more: Values = {}) => booking(externalId, more, { comment: 'Ms García calls again' })
  const { id } = await row(file())
  const [profile] = (await stored(id)).stay.profiles
  const erased = await at.house.ask('POST', `/api/v2/profiles/${profile.id}/actions/erase`, { body: {} })
  assert.ok(erased.status < 300, erased.text)
  assert.deepEqual((await row(file(), '?update=true')).differences, [])
  assert.deepEqual(fieldsOf(await row(file({ endDate: '2026-06-04' }), '?update=true')), ['stays/0/endDate'])
  const { reservation, stay, guest: now } = await stored(id)
  assert.deepEqual([reservation.comment, stay.comment, now.lastName], [null, null, 'Guest'])
})
