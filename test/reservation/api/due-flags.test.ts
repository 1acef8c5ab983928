import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { monday } from '../../appliance.ts'
import { openHouse, type ReservationHouse, today, tomorrow } from './house.ts'
import { inHouse } from './stay-samples.ts'

const day = 24 * 3_600_000

describe('who is due in and who is due out', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const meta = async (path: string) => (await house.ask('GET', path)).body.data.meta
  const neither = { dueIn: false, dueOut: false }
  const dueIn = { dueIn: true, dueOut: false }
  const dueOut = { dueIn: false, dueOut: true }

  it('is said of a stay from its first day to its last', async () => {
    const { path } = await house.stay({ startDate: tomorrow, endDate: '2026-06-03' })
    const seen = []
    for (let days = 0; days < 4; days++) {
      house.clock.set(monday + days * day)
      seen.push(await meta(path))
    }
    assert.deepEqual(seen, [neither, dueIn, dueIn, neither])
    house.clock.set(monday)
  })

  it('is not said because a comment looks like a stay', async () => {
    const comment = `"startDate":"${today}","startTime":null,"endDate":"${today}","endTime":null,"status":"Confirmed"`
    const { path } = await house.stay({ startDate: tomorrow, endDate: '2026-06-03', comment })
    assert.deepEqual(await meta(path), neither)
  })

  it('changes at the property’s midnight, in lists as well', async () => {
    const { path, id } = await house.stay({ startDate: tomorrow, endDate: '2026-06-03' })
    const both = async () => {
      const list = await house.ask('GET', `/api/v2/stays?filter[id]=${id}`)
      return [await meta(path), list.body.data[0].meta]
    }
    house.clock.set(Date.parse('2026-06-01T22:59:59Z'))
    assert.deepEqual(await both(), [neither, neither])
    house.clock.set(Date.parse('2026-06-01T23:00:00Z'))
    assert.deepEqual(await both(), [dueIn, dueIn])
    house.clock.set(monday)
  })

  it('is said of the guest in house on his last day, and until he has left', async () => {
    const { path } = await inHouse(house)
    assert.deepEqual(await meta(path), neither)
    house.clock.set(monday + day)
    assert.deepEqual(await meta(path), dueOut)
    house.clock.set(monday + 2 * day)
    assert.deepEqual(await meta(path), dueOut)
    await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
    assert.deepEqual(await meta(path), neither)
    house.clock.set(monday)
  })

  it('is said of a reservation when it is so of any of its stays', async () => {
    const { reservation, unitTypeId } = await inHouse(house)
    assert.deepEqual(await meta(reservation), neither)
    const stay = {
      startDate: today,
      endDate: tomorrow,
      status: 'Confirmed',
      personCount: { adults: 1 },
      units: [{ unitTypeId }],
      reservationIds: [],
    }
    house.clock.set(monday + day)
    const added = await house.ask('POST', `${reservation}/stays`, { body: stay })
    assert.equal(added.status, 201, added.text)
    assert.deepEqual(await meta(reservation), { dueIn: true, dueOut: true })
    house.clock.set(monday)
  })

  it('is said in lists, of what comes along, and when few fields were asked for', async () => {
    const { reservation, id } = await house.stay()
    const list = await house.ask('GET', `/api/v2/stays?filter[id]=${id}&fields[stay]=comment`)
    assert.deepEqual(list.body.data[0].attributes, { comment: null })
    assert.deepEqual(list.body.data[0].meta, dueIn)
    const read = await house.ask('GET', `${reservation}?include=stays`)
    assert.deepEqual(read.body.included[0].meta, dueIn)
    assert.equal((await meta('/api/v2/units?page[size]=1'))?.dueIn, undefined)
  })

  it('is answered in full to who has seen the revision, once it may have changed within it', async () => {
    const { path } = await house.stay({ startDate: tomorrow, endDate: '2026-06-03' })
    const first = await house.ask('GET', path)
    const headers = { 'If-None-Match': String(first.headers.get('etag')) }
    assert.equal((await house.ask('GET', path, { headers })).status, 304)
    house.clock.set(monday + day)
    const second = await house.ask('GET', path, { headers })
    assert.equal(second.status, 200)
    assert.equal(second.headers.get('etag'), first.headers.get('etag'))
    assert.deepEqual(second.body.data.meta, dueIn)
    house.clock.set(monday)
  })
})
