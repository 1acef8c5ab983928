import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { monday } from '../../appliance.ts'
import { openHouse, type ReservationHouse, refused, today, tomorrow, yesterday } from './house.ts'
import { inHouse, newStay } from './stay-samples.ts'

const hour = 3_600_000
/** It is five in the afternoon when a test begins. */
const afterMidnight = monday + 9 * hour
const morning = monday + 15 * hour
const noon = monday + 19 * hour
const nextAfternoon = monday + 24 * hour

describe('The night that is not over', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  afterEach(() => house.clock.set(monday))
  after(() => house.stop())

  const tonight = { startDate: today, endDate: tomorrow }
  const dayUse = { startDate: today, endDate: today, startTime: '10:00', endTime: '11:00' }
  const book = (unitTypeId: string, stay: object) =>
    house.ask('POST', '/api/v2/reservations', {
      body: { stays: [{ ...newStay(), units: [{ unitTypeId }], ...stay }] },
    })
  const change = (path: string, body: object) => house.ask('PATCH', path, { body })
  const isSoldOut = (reply: Parameters<typeof refused>[0], date = today) =>
    refused(reply, 422, 'no-eligible-unit', undefined, { dates: [date] })

  it('has no unit left while a day use of its date holds the last one, until the morning is over', async () => {
    const { unitTypeId } = await house.rooms(1)
    assert.equal((await book(unitTypeId, dayUse)).status, 201)
    for (const at of [monday, afterMidnight]) {
      house.clock.set(at)
      isSoldOut(await book(unitTypeId, dayUse))
      isSoldOut(await book(unitTypeId, tonight))
    }
    house.clock.set(noon)
    assert.equal((await book(unitTypeId, dayUse)).status, 201)
  })

  it('is not sold after midnight in place of a guest who has not left', async () => {
    const { unitTypeId, path } = await inHouse(house, { startDate: yesterday, endDate: today })
    for (const at of [monday, afterMidnight]) {
      house.clock.set(at)
      isSoldOut(await book(unitTypeId, tonight))
    }
    assert.equal((await change(path, { status: 'CheckedOut' })).status, 204)
    assert.equal((await book(unitTypeId, tonight)).status, 201)
  })

  it('is not sold after midnight in place of a unit whose block ended with it', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    const block = (startDate: string, quantity: number) =>
      house.ask('PATCH', `/api/v2/availability/units/${unitId}`, {
        body: [{ startDate, endDate: startDate, quantity }],
      })
    assert.equal((await block(today, 0)).status, 204)
    house.clock.set(afterMidnight)
    assert.equal((await block('2026-06-10', 0)).status, 204)
    isSoldOut(await book(unitTypeId, tonight))
  })

  it('is sold as well by who confirms, moves or adds a stay, or gives it another type', async () => {
    const { unitTypeId } = await house.rooms(1)
    const { unitTypeId: otherType } = await house.rooms(1)
    const units = [{ unitTypeId }]
    await house.stay({ units, ...tonight })
    const waiting = await house.stay({ units, ...tonight, status: 'Waitlisted' })
    const next = await house.stay({ units, startDate: tomorrow, endDate: '2026-06-03' })
    const other = await house.stay({ units: [{ unitTypeId: otherType }], ...tonight })
    house.clock.set(afterMidnight)
    isSoldOut(await change(waiting.path, { status: 'Confirmed' }))
    isSoldOut(await change(next.path, { startDate: today }))
    isSoldOut(await change(other.path, { units }))
    const stays = [
      { ...newStay({ units, startDate: tomorrow, endDate: '2026-06-03' }), id: next.id },
      newStay({ units, ...tonight }),
    ]
    isSoldOut(await house.ask('PUT', next.reservation, { body: { stays } }))
  })

  it('is nothing new to a guest in house who gets another type in its morning', async () => {
    const guest = await inHouse(house, { startDate: today, endDate: '2026-06-03' })
    const { unitTypeId, unitId } = await house.rooms(1)
    const told = await house.ask('PATCH', `/api/v2/availability/unit-types/${unitTypeId}`, {
      body: [
        { startDate: today, endDate: today, quantity: 0 },
        { startDate: tomorrow, endDate: tomorrow, quantity: 1 },
      ],
    })
    assert.equal(told.status, 204, told.text)
    house.clock.set(morning)
    const moved = await change(guest.path, { units: [{ unitTypeId, unitId }] })
    assert.equal(moved.status, 204, moved.text)
  })

  it('is sold as well to a guest in house who takes another unit besides', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const units = [{ unitTypeId, unitId: unitIds[0] }]
    const guest = await house.stay({ units, ...tonight, status: 'InHouse' })
    const late = await house.stay({ units: [{ unitTypeId }], ...tonight })
    const more = { units: [...units, { unitTypeId }] }
    for (const at of [monday, afterMidnight]) {
      house.clock.set(at)
      isSoldOut(await change(guest.path, more))
    }
    assert.equal((await change(late.path, { status: 'Canceled' })).status, 204)
    assert.equal((await change(guest.path, more)).status, 204)
  })

  it('and those after it are left to the guest who is past his time, however many were promised a unit', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const unit = (at: number) => [{ unitTypeId, unitId: unitIds[at] }]
    const guest = await house.stay({ units: unit(0), ...tonight, status: 'InHouse' })
    await house.stay({ units: [{ unitTypeId }], startDate: tomorrow, endDate: '2026-06-03' })
    await change(`/api/v2/units/${unitIds[1]}`, { status: 'OutOfOrder' })
    house.clock.set(nextAfternoon)
    isSoldOut(await book(unitTypeId, { startDate: tomorrow, endDate: '2026-06-03' }), tomorrow)
    const longer = await change(guest.path, { endDate: '2026-06-03' })
    assert.equal(longer.status, 204, longer.text)
  })

  it('is the guest’s who comes after midnight, although the room is blocked from the next night on', async () => {
    const arrives = async (dates: object, change = {}) => {
      house.clock.set(monday)
      const { unitTypeId, unitId } = await house.rooms(1)
      const units = [{ unitTypeId, unitId }]
      const { path } = await house.stay({ units, ...dates })
      const body = [{ startDate: tomorrow, endDate: '2026-06-05', quantity: 0, reason: 'Painting' }]
      const blocked = await house.ask('PATCH', `/api/v2/availability/units/${unitId}`, { body })
      assert.equal(blocked.status, 204, blocked.text)
      await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: change })
      house.clock.set(afterMidnight)
      return house.ask('PATCH', path, { body: { status: 'InHouse' } })
    }
    for (const startDate of [today, yesterday, '2026-05-28'])
      assert.equal((await arrives({ startDate, endDate: tomorrow })).status, 204, startDate)
    refused(await arrives(tonight, { status: 'OutOfOrder' }), 409, 'stay-status-transition')
  })
})
