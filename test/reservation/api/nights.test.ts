import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openHouse, type ReservationHouse, refused } from './house.ts'

let house: ReservationHouse
let settings: string
before(async () => {
  house = await openHouse()
  const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  settings = `/api/config/v1/settings/${id}`
})
after(() => house.stop())

const set = (body: Record<string, unknown>) => house.ask('PATCH', settings, { body })

const planned = async (dates: Record<string, unknown>) => {
  const { nights, plannedStartsAt, plannedEndsAt } = await house.attributes((await house.stay(dates)).path)
  return { nights, starts: plannedStartsAt, ends: plannedEndsAt }
}

const cases: [
  name: string,
  timeZone: string,
  dates: Record<string, string>,
  Awaited<ReturnType<typeof planned>>,
][] = [
  [
    'the property’s hours where the stay has none',
    'Europe/Lisbon',
    { startDate: '2026-07-01', endDate: '2026-07-03' },
    { nights: 2, starts: '2026-07-01T14:00:00.000Z', ends: '2026-07-03T10:00:00.000Z' },
  ],
  [
    'a start that the spring change skips, an hour later',
    'Europe/Berlin',
    { startDate: '2027-03-28', startTime: '02:30', endDate: '2027-03-29' },
    { nights: 1, starts: '2027-03-28T01:30:00.000Z', ends: '2027-03-29T09:00:00.000Z' },
  ],
  [
    'a start that the autumn change repeats, the first time',
    'Europe/Berlin',
    { startDate: '2026-10-25', startTime: '02:30', endDate: '2026-10-26' },
    { nights: 1, starts: '2026-10-25T00:30:00.000Z', ends: '2026-10-26T10:00:00.000Z' },
  ],
  [
    'an end that the autumn change repeats, the second time',
    'Europe/Berlin',
    { startDate: '2026-10-24', endDate: '2026-10-25', endTime: '02:30' },
    { nights: 1, starts: '2026-10-24T13:00:00.000Z', ends: '2026-10-25T01:30:00.000Z' },
  ],
  [
    'a leap day is a night',
    'Europe/Lisbon',
    { startDate: '2028-02-28', endDate: '2028-03-01' },
    { nights: 2, starts: '2028-02-28T15:00:00.000Z', ends: '2028-03-01T11:00:00.000Z' },
  ],
  [
    'day use has no nights',
    'Europe/Lisbon',
    { startDate: '2026-07-01', startTime: '09:00', endDate: '2026-07-01', endTime: '17:00:00' },
    { nights: 0, starts: '2026-07-01T08:00:00.000Z', ends: '2026-07-01T16:00:00.000Z' },
  ],
  [
    'a zone of 45 minutes, in which summer is in January',
    'Pacific/Chatham',
    { startDate: '2027-01-01', endDate: '2027-01-02' },
    { nights: 1, starts: '2027-01-01T01:15:00.000Z', ends: '2027-01-01T21:15:00.000Z' },
  ],
  [
    'a clock change of half an hour',
    'Australia/Lord_Howe',
    { startDate: '2026-10-03', endDate: '2026-10-04', endTime: '02:15' },
    { nights: 1, starts: '2026-10-03T04:30:00.000Z', ends: '2026-10-03T15:45:00.000Z' },
  ],
]

describe('When a stay is planned to start and end', () => {
  for (const [name, timeZone, dates, expected] of cases) {
    it(`${timeZone}, ${name}`, async () => {
      assert.equal((await set({ timeZone })).status, 204)
      assert.deepEqual(await planned(dates), expected)
    })
  }

  it('a day use that ends before it starts by the property’s hours is refused', async () => {
    const { unitTypeId } = await house.rooms(0)
    const stay = {
      startDate: '2026-07-01',
      endDate: '2026-07-01',
      status: 'Confirmed',
      personCount: { adults: 1 },
    }
    const body = { stays: [{ ...stay, units: [{ unitTypeId }], reservationIds: [] }] }
    const refusal = await house.ask('POST', '/api/v2/reservations', { body })
    refused(refusal, 422, 'end-before-start', '/data/attributes/stays/0/endTime')
  })

  it('a unit that is left at the hour another guest comes is free for that guest', async () => {
    await set({ timeZone: 'Europe/Berlin' })
    const { unitTypeId, unitId } = await house.rooms(1)
    const units = [{ unitTypeId, unitId }]
    await house.stay({ units, startDate: '2026-10-24', endDate: '2026-10-25', endTime: '03:00' })
    await house.stay({ units, startDate: '2026-10-25', startTime: '03:00', endDate: '2026-10-26' })
  })
})

describe('The property’s hours change', () => {
  it('stays to come are planned by the new ones, those that are over are not', async () => {
    await set({ timeZone: 'Europe/Lisbon' })
    const { unitTypeId, unitId } = await house.rooms(1)
    const first = await house.stay({
      startDate: '2026-07-01',
      endDate: '2026-07-02',
      units: [{ unitTypeId, unitId }],
    })
    const next = await house.stay({
      startDate: '2026-07-02',
      endDate: '2026-07-03',
      units: [{ unitTypeId, unitId }],
    })
    const over = await house.stay({ startDate: '2026-07-01', endDate: '2026-07-02' })
    await house.ask('PATCH', over.path, { body: { status: 'Canceled' } })
    for (const timeZone of ['Asia/Tokyo', 'America/New_York', 'Europe/Lisbon']) {
      assert.equal((await set({ timeZone })).status, 204)
    }
    assert.equal((await set({ checkInTime: '16:00' })).status, 204)
    assert.equal((await house.attributes(first.path)).plannedStartsAt, '2026-07-01T15:00:00.000Z')
    assert.equal((await house.attributes(next.path)).plannedStartsAt, '2026-07-02T15:00:00.000Z')
    assert.equal((await house.attributes(over.path)).plannedStartsAt, '2026-07-01T14:00:00.000Z')
    await set({ checkInTime: '15:00' })
  })

  it('hours by which two guests would have one unit are refused, and nothing is changed', async () => {
    const refusal = await set({ checkOutTime: '15:30' })
    refused(refusal, 422, 'validation-failed', '', { code: 'unit-occupied' })
    assert.equal((await house.attributes(settings)).checkOutTime, '11:00')
  })
})
