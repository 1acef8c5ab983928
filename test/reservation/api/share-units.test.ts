import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aStay, type MadeStay, openHouse, type ReservationHouse, refused, today, tomorrow } from './house.ts'

let house: ReservationHouse
before(async () => {
  house = await openHouse()
})
after(() => house.stop())

const share = ({ id }: MadeStay, other: { id: string }, token = 'demo') =>
  house.ask('POST', `/api/v2/stays/${id}/actions/share`, { body: { withStayId: other.id }, token })
const patch = ({ path }: MadeStay, body: object) => house.ask('PATCH', path, { body })
const unitsOf = async ({ path }: MadeStay): Promise<string[]> =>
  (await house.attributes(path)).units.map(({ unitId }: { unitId: string | null }) => unitId)

/** How many units of a type are left tonight. */
async function left(unitTypeId: string): Promise<number> {
  const query = `filter[unitTypeId]=${unitTypeId}&filter[startDate]=${today}&filter[endDate]=${today}`
  const { body, text } = await house.ask('GET', `/api/v2/availability/unit-types?${query}`)
  assert.equal(body.data?.length, 1, text)
  return body.data[0].attributes.quantity
}

/** A type of one unit, which a stay has, and a stay of another type without a unit. */
async function hostAndGuest() {
  const { unitTypeId, unitId } = await house.rooms(1)
  const other = await house.rooms(1)
  const host = await house.stay({ units: [{ unitTypeId, unitId }] })
  const guest = await house.stay({ units: [{ unitTypeId: other.unitTypeId }] })
  return { host, guest, unitTypeId, unitId, otherType: other.unitTypeId }
}

describe('Stays that share a unit', () => {
  it('have it together, and take one of the units that are left', async () => {
    const { host, guest, unitTypeId, unitId, otherType } = await hostAndGuest()
    assert.deepEqual([await left(unitTypeId), await left(otherType)], [0, 0])
    const shared = await share(guest, host)
    assert.equal(shared.status, 200, shared.text)
    assert.deepEqual(await unitsOf(guest), [unitId])
    const { shareId } = await house.attributes(host.path)
    assert.match(shareId, /^[0-9a-f-]{36}$/)
    assert.equal(shared.body.data.attributes.shareId, shareId)
    assert.deepEqual([await left(unitTypeId), await left(otherType)], [0, 1])
    // A third one joins the same two.
    const third = await house.stay({ units: [{ unitTypeId: otherType }] })
    assert.equal((await share(third, guest)).body.data.attributes.shareId, shareId)
    for (const each of [host, guest, third]) {
      const entered = await patch(each, { status: 'InHouse' })
      assert.equal(entered.status, 204, entered.text)
    }
    // The unit is in use until the last one leaves.
    for (const [each, occupied] of [
      [third, true],
      [host, true],
      [guest, false],
    ] as const) {
      const gone = await patch(each, { status: 'CheckedOut' })
      assert.equal(gone.status, 204, gone.text)
      assert.equal((await house.attributes(`/api/v2/units/${unitId}`)).occupied, occupied)
    }
    assert.equal(await left(unitTypeId), 1)
  })

  it('may be booked so, also where nothing else is left, and in a unit that is in use', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    const shareId = '0197c0de-0000-7000-8000-000000000001'
    const units = [{ unitTypeId, unitId }]
    const host = await house.stay({ units, shareId })
    assert.equal((await patch(host, { status: 'InHouse' })).status, 204)
    assert.equal(
      (await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status: 'Dirty' } })).status,
      204,
    )
    const guest = await house.stay({ units, shareId: shareId.toUpperCase() })
    const entered = await patch(guest, { status: 'InHouse' })
    assert.equal(entered.status, 204, entered.text)
    for (const stranger of [{ units }, { units, shareId: '0197c0de-0000-7000-8000-000000000002' }]) {
      const stays = [{ ...aStay, ...stranger }]
      refused(await house.ask('POST', '/api/v2/reservations', { body: { stays } }), 409, 'unit-occupied')
    }
  })

  it('get the unit of the other when a unit is assigned, also one that is not ready', async () => {
    const { unitTypeId, unitIds } = await house.rooms(3)
    const unitId = unitIds[2]!
    const host = await house.stay({ units: [{ unitTypeId, unitId }] })
    const guest = await house.stay({ units: [{ unitTypeId }] })
    assert.equal(
      (await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status: 'Dirty' } })).status,
      204,
    )
    await share(guest, host)
    assert.equal((await patch(guest, { units: [{ unitTypeId }] })).status, 204)
    const assigned = await house.ask('POST', `${guest.path}/unit-assignment`)
    assert.equal(assigned.status, 200, assigned.text)
    assert.deepEqual(await unitsOf(guest), [unitId])
    // Nobody is in it yet: it has to be cleaned first.
    refused(await patch(guest, { status: 'InHouse' }), 409, 'stay-status-transition')
    // A unit that is asked for goes first.
    assert.equal((await patch(guest, { units: [{ unitTypeId }] })).status, 204)
    const body = { preferredUnitId: unitIds[0] }
    assert.equal((await house.ask('POST', `${guest.path}/unit-assignment`, { body })).status, 200)
    assert.deepEqual(await unitsOf(guest), [unitIds[0]])
  })

  it('part only when one of them has another unit, and that is left', async () => {
    const { host, guest, unitTypeId, otherType } = await hostAndGuest()
    await share(guest, host)
    refused(await patch(guest, { shareId: null }), 409, 'unit-occupied')
    refused(await patch(host, { shareId: '0197c0de-0000-7000-8000-000000000003' }), 409, 'unit-occupied')
    const sold = await house.stay({ units: [{ unitTypeId: otherType }] })
    const apart = { units: [{ unitTypeId: otherType }], shareId: null }
    refused(await patch(guest, apart), 422, 'no-eligible-unit')
    assert.equal((await patch(sold, { status: 'Canceled' })).status, 204)
    assert.equal((await patch(guest, apart)).status, 204)
    assert.deepEqual([await left(unitTypeId), await left(otherType)], [0, 0])
  })

  it('get another unit where that of the other is not free for all of the stay', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const [unitId, other] = unitIds
    const host = await house.stay({ units: [{ unitTypeId, unitId }] })
    await house.stay({ units: [{ unitTypeId, unitId }], startDate: tomorrow, endDate: '2026-06-03' })
    const guest = await house.stay({ units: [{ unitTypeId }], endDate: '2026-06-03' })
    const { shareId } = { shareId: '0197c0de-0000-7000-8000-000000000009' }
    for (const each of [host, guest]) assert.equal((await patch(each, { shareId })).status, 204)
    refused(await share(guest, host), 409, 'unit-occupied')
    const assigned = await house.ask('POST', `${guest.path}/unit-assignment`)
    assert.equal(assigned.status, 200, assigned.text)
    assert.deepEqual(await unitsOf(guest), [other])
  })

  it('have one place each: of several units of the other one is named', async () => {
    const { unitTypeId, unitIds } = await house.rooms(5)
    const [one, two, three, four] = unitIds
    const place = (unitId: string | undefined) => ({ unitTypeId, unitId })
    const host = await house.stay({ units: [place(one), place(two)] })
    const guest = await house.stay({ units: [{ unitTypeId }] })
    refused(await share(guest, host), 422, 'validation-failed', '/data/attributes/unitId')
    const named = (unitId: string | undefined, joining = guest) =>
      house.ask('POST', `/api/v2/stays/${joining.id}/actions/share`, {
        body: { withStayId: host.id, unitId },
      })
    refused(await named(three), 422, 'validation-failed', '/data/attributes/unitId')
    assert.equal((await named(two)).status, 200)
    assert.deepEqual(await unitsOf(guest), [two])
    const couple = await house.stay({ units: [place(three), place(four)] })
    refused(await named(one, couple), 422, 'validation-failed', '/data/attributes/unitId')
    assert.deepEqual(await unitsOf(couple), [three, four])
  })

  it('are chosen by the front desk, and are others that hold units', async () => {
    const { host, guest } = await hostAndGuest()
    const unknown = { id: '0197c0de-0000-7000-8000-000000000000' }
    refused(await share(guest, unknown), 422, 'reference-unknown', '/data/attributes/withStayId')
    refused(await share(guest, guest), 422, 'validation-failed', '/data/attributes/withStayId')
    refused(await share({ ...guest, ...unknown }, host), 404, 'not-found')
    refused(await share(guest, host, await house.tokenOf('kiosk')), 403, 'scope-required')
    assert.equal((await patch(host, { status: 'Canceled' })).status, 204)
    refused(await share(guest, host), 409, 'stay-status-transition')
    assert.equal((await house.attributes(guest.path)).shareId, null)
    const wrong = await house.ask('PATCH', guest.path, { body: { shareId: '7' } })
    refused(wrong, 422, 'validation-failed', '/data/attributes/shareId')
  })
})

describe('A stay that shared with a guest who should have left', () => {
  it('takes a unit more when it moves to another one', async () => {
    const own = await openHouse()
    try {
      const { unitTypeId, unitIds } = await own.rooms(2)
      const [unitId, other] = unitIds
      const shareId = '0197c0de-0000-7000-8000-000000000008'
      const sharing = { units: [{ unitTypeId, unitId }], shareId }
      const stays = await own.stay({ ...sharing, endDate: '2026-06-05' })
      const overdue = await own.stay(sharing)
      for (const { path } of [stays, overdue])
        assert.equal((await own.ask('PATCH', path, { body: { status: 'InHouse' } })).status, 204)
      own.clock.advance(40 * 3_600_000)
      await own.stay({ units: [{ unitTypeId }], startDate: '2026-06-03', endDate: '2026-06-04' })
      const body = { units: [{ unitTypeId, unitId: other }] }
      refused(await own.ask('PATCH', stays.path, { body }), 422, 'no-eligible-unit')
    } finally {
      await own.stop()
    }
  })
})
