import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Store } from '../../../src/jsonapi/resource-routes.ts'
import type { Request } from '../../../src/jsonapi/route.ts'
import { importRoutes } from '../../../src/reservation/reservations/import-routes.ts'
import type { ReservationCommands } from '../../../src/reservation/reservations/reservation-commands.ts'
import { startAppliance, type TestAppliance } from '../../appliance.ts'

let house: TestAppliance
let unit: { id: string; unitTypeId: string }
before(async () => {
  house = await startAppliance()
  const { body } = await house.ask('GET', '/api/v2/units?filter[name]=101')
  unit = { id: body.data[0].id, unitTypeId: body.data[0].attributes.unitTypeId }
})
after(() => house.stop())

const send = (data: unknown, token?: string) =>
  house.ask('POST', '/api/config/v1/imports', { body: { data }, ...(token && { token }) })
const stay = (more: object = {}) => ({
  startDate: '2024-05-01',
  endDate: '2024-05-03',
  status: 'CheckedOut',
  personCount: { adults: 1 },
  units: [{ unitTypeId: unit.unitTypeId }],
  reservationIds: [],
  ...more,
})

it('accepts and refuses each row by itself, and points into the row', async () => {
  const { status, body } = await send([
    { externalId: 'I-1', stays: [stay(), stay({ status: 'Canceled' })] },
    { externalId: 'I-2', stays: [stay(), stay({ endDate: '2024-04-30' })] },
    { externalId: 'I-3', stays: [stay({ status: 'Vanished' })] },
    { externalId: 'I-4', stays: [] },
  ])
  assert.equal(status, 200)
  const { accepted, refused, rows } = body.meta
  assert.deepEqual([accepted, refused], [1, 3])
  assert.equal(rows[0].already, false)
  const told = rows.slice(1).map(({ errors }: { errors: { code: string; source: object }[] }) => {
    return errors.map(({ code, source }) => [code, source])
  })
  assert.deepEqual(told.flat(), [
    ['end-before-start', { pointer: '/data/1/stays/1/endDate' }],
    ['validation-failed', { pointer: '/data/2/stays/0/status' }],
    ['validation-failed', { pointer: '/data/3/stays' }],
  ])
  const kept = await house.ask('GET', `/api/v2/reservations/${rows[0].id}`)
  assert.equal(kept.body.data.attributes.stays.length, 2)
  const none = await house.ask('GET', '/api/v2/reservations?filter[externalId]=I-2')
  assert.deepEqual(none.body.data, [])
})

it('makes one profile of guests who are alike in several stays of a reservation, and of others one each', async () => {
  const [ana, ben] = [
    { firstName: 'Ana', lastName: 'Alike', emails: [{ address: 'ana@example.com' }] },
    { firstName: 'Ben', lastName: 'Alike' },
  ]
  const cases: [stays: object[][], guests: number[][]][] = [
    [
      [[ana], [ana]],
      [[0], [0]],
    ],
    [
      [[ana], [ben], [ana]],
      [[0], [1], [0]],
    ],
    [
      [[ana, ben], [ben]],
      [[0, 1], [1]],
    ],
    [
      [
        [ben, ben],
        [ben, ben],
      ],
      [
        [0, 1],
        [0, 1],
      ],
    ],
    [
      [[ana], [{ ...ana, emails: [] }]],
      [[0], [1]],
    ],
    [
      [[{ ...ana, role: 'PrimaryGuest' }], [{ ...ana, role: 'Booker' }]],
      [[0], [0]],
    ],
  ]
  for (const [at, [given, expected]] of cases.entries()) {
    const stays = given.map((profiles) => stay({ profiles }))
    const { body, text } = await send([{ externalId: `AL-${at}`, stays }])
    assert.equal(body.meta.accepted, 1, text)
    const kept = await house.ask('GET', `/api/v2/reservations/${body.meta.rows[0].id}`)
    const ids: string[][] = kept.body.data.attributes.stays.map(
      ({ profiles }: { profiles: { id: string }[] }) => profiles.map(({ id }) => id),
    )
    const all = [...new Set(ids.flat())]
    assert.deepEqual(
      ids.map((each) => each.map((id) => all.indexOf(id))),
      expected,
      String(at),
    )
  }
})

it('leaves a booking that was imported before as it is, and says what differs', async () => {
  const [first] = (await send([{ externalId: 'I-5', stays: [stay()] }])).body.meta.rows
  const { accepted, differing, rows } = (
    await send([{ externalId: 'I-5', stays: [stay({ status: 'Canceled' })] }])
  ).body.meta
  const differences = [{ field: 'stays/0/status', stored: 'CheckedOut', given: 'Canceled' }]
  assert.deepEqual(rows, [{ item: 0, id: first.id, already: true, differences }])
  assert.deepEqual([accepted, differing], [0, 1])
  const kept = await house.ask('GET', `/api/v2/reservations/${first.id}`)
  assert.equal(kept.body.data.attributes.status, 'CheckedOut')
})

it('knows a booking by its integration and its externalId, because two PMSs both count from 1', async () => {
  const [here, there] = ['0198b2c0-0000-7000-8000-000000000001', '0198b2c0-0000-7000-8000-000000000002']
  const named = (integrationId?: string) => [{ externalId: 'I-77', integrationId, stays: [stay()] }]
  const imported = async (integrationId?: string) => (await send(named(integrationId))).body.meta.rows[0]
  const first = await imported(here)
  const other = await imported(there)
  assert.deepEqual([first.already, other.already], [false, false])
  assert.notEqual(other.id, first.id)
  assert.deepEqual(await imported(here), { item: 0, id: first.id, already: true, differences: [] })
  assert.deepEqual(await imported(there), { item: 0, id: other.id, already: true, differences: [] })

  const booking = { externalId: 'I-78', integrationId: here, stays: [stay({ status: 'Confirmed' })] }
  const created = await house.ask('POST', '/api/v2/reservations', { body: booking })
  const [own] = (await send([{ externalId: 'I-78', stays: [stay()] }])).body.meta.rows
  assert.equal(own.already, false)
  assert.notEqual(own.id, created.body.data.id)
})

it('knows a booking that was imported before its PMS was connected', async () => {
  const connected = '0198b2c0-0000-7000-8000-000000000003'
  const [first] = (await send([{ externalId: 'I-79', stays: [stay()] }])).body.meta.rows
  const [again] = (await send([{ externalId: 'I-79', integrationId: connected, stays: [stay()] }])).body.meta
    .rows
  assert.deepEqual(again, { item: 0, id: first.id, already: true, differences: [] })
  const body = { externalId: 'I-79', integrationId: connected }
  assert.equal((await house.ask('PATCH', `/api/v2/reservations/${first.id}`, { body })).status, 204)
  const [third] = (await send([{ externalId: 'I-79', stays: [stay()] }])).body.meta.rows
  assert.deepEqual([third.errors[0].code, third.errors[0].meta.id], ['external-id-conflict', first.id])
})

it('takes over a guest who is in house, with his room and his profile', async () => {
  const profiles = [{ role: 'PrimaryGuest', firstName: 'Rui', lastName: 'Costa' }]
  const dates = { startDate: '2026-05-30', endDate: '2026-06-04' }
  const there = stay({
    ...dates,
    status: 'InHouse',
    units: [{ unitTypeId: unit.unitTypeId, unitId: unit.id }],
    profiles,
  })
  const [{ id }] = (await send([{ externalId: 'I-6', stays: [there] }])).body.meta.rows
  const room = await house.ask('GET', `/api/v2/units/${unit.id}`)
  assert.equal(room.body.data.attributes.occupied, true)
  const found = await house.ask('GET', '/api/v2/reservations?filter[profile.lastName]=Costa')
  assert.deepEqual(
    found.body.data.map((each: { id: string }) => each.id),
    [id],
  )
})

it('takes at most 100 rows, and at least one', async () => {
  const many = Array.from({ length: 101 }, (_, index) => ({ externalId: `M-${index}`, stays: [stay()] }))
  assert.equal((await send(many)).status, 413)
  assert.equal((await send([])).status, 422)
  const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Kiosk', role: 'kiosk' } })
  assert.equal((await send(many.slice(0, 1), made.body.meta.token)).status, 403)
})

it('lets other requests run after each invalid row', async () => {
  const refusing = { execute: () => assert.fail('no row is valid') } as unknown as Store['writer']
  const [route] = importRoutes({ writer: refusing } as Store, {} as ReservationCommands)
  const rows = Array.from({ length: 100 }, () => ({ colour: 'blue', stays: [] }))
  const request = {
    body: async () => rows,
    header: () => '',
    query: new URLSearchParams(),
    caller: { by: 'test', requestId: null, may: () => true },
  } as unknown as Request
  // The first call loads what checks a body.
  await route!.handle(request)
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const { text } = await route!.handle(request)
  isOver = true
  assert.equal(JSON.parse(text!).meta.refused, 100)
  assert.ok(turns >= rows.length, `it took ${turns} turns of the event loop`)
})
