import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { UnitRequest } from '../../../src/pms/unit-assignment/integration.ts'
import { type MadeStay, refused } from '../../reservation/api/house.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { playedPms, reported } from './played-pms.ts'

let house: LinkedHouse
before(async () => {
  house = await openLinkedHouse({ pms: playedPms({ lends: true }), adapter: { assignsUnits: true } })
  await house.synchronise('pull')
})
after(() => house.stop())

type Values = Record<string, unknown>

const day = 86_400_000
const nights = { startDate: '2026-07-01', endDate: '2026-07-03' }
let leases = 0

/** Rooms of a type of their own, some of which the PMS lends for the nights of 1 and 2 July. */
async function rooms(count: number, lent: number[], more: Record<string, unknown> = {}) {
  const own = await house.rooms(count, { name: 'Double room' })
  const names = await Promise.all(
    own.unitIds.map(async (id) => String((await house.attributes(`/api/v2/units/${id}`)).name)),
  )
  const leaseId = `LEASE-${++leases}`
  const lease = {
    is: 'lease',
    leaseId,
    revision: 1,
    unitNames: lent.map((index) => names[index]),
    startDate: '2026-07-01',
    endDate: '2026-07-02',
    validUntil: house.clock.now() + day,
    ...more,
  }
  house.pms.send(lease)
  await house.synchronise('pull')
  return { ...own, names, lease }
}

async function booked(unitTypeId: string, more: Record<string, unknown> = {}): Promise<MadeStay> {
  const stay = {
    ...nights,
    status: 'Confirmed',
    personCount: { adults: 1 },
    reservationIds: [],
    units: [{ unitTypeId }],
    ...more,
  }
  const body = { integrationId: house.configurationId, stays: [stay] }
  const made = await house.ask('POST', '/api/v2/reservations', { body })
  assert.equal(made.status, 201, made.text)
  const reservation = `/api/v2/reservations/${made.body.data.id}`
  const { id } = made.body.data.attributes.stays[0]
  return { reservation, path: `${reservation}/stays/${id}`, id }
}

const assign = ({ path }: MadeStay, body: object = {}) =>
  house.ask('POST', `${path}/unit-assignment`, { body })
const unitOf = async ({ path }: MadeStay): Promise<string | null> =>
  (await house.attributes(path)).units[0].unitId

async function offline(): Promise<void> {
  house.pms.cut()
  await eventually('no line', async () => (await house.state()).state === 'disconnected')
  await eventually('written down', () => house.count('SELECT isConnected FROM sync_link') === 0)
}

async function online(): Promise<void> {
  house.pms.mend()
  await eventually('a line', () => house.count('SELECT isConnected FROM sync_link') === 1)
}

const without = (sentence: string | RegExp, reply: Awaited<ReturnType<LinkedHouse['ask']>>) => {
  refused(reply, 422, 'no-eligible-unit', undefined, { reason: 'rejected-by-integration' })
  const reason = String(reply.body.errors[0].meta.integrationReason)
  if (typeof sentence === 'string') assert.equal(reason, sentence)
  else assert.match(reason, sentence)
}

/** What the PMS picks when it is asked: the last of its type that is free there. */
const asks = (pick: (request: UnitRequest) => unknown) => {
  house.adapter.script.assignUnit = pick
}
const unreachable = () => ({ is: 'unavailable', reason: 'The line is down.' })

describe('With a line, the PMS', () => {
  it('picks the unit, lent or not', async () => {
    const { unitTypeId, unitIds } = await rooms(2, [0])
    asks(() => ({ is: 'chosen', unitIds: [unitIds[1]] }))
    const stay = await booked(unitTypeId)
    assert.equal((await assign(stay)).status, 200)
    assert.equal(await unitOf(stay), unitIds[1])
    await house.synchronise('push')
    assert.deepEqual(
      house.pms.offered.findLast(({ localId }) => stay.reservation.endsWith(localId))?.leaseIds,
      [],
    )
  })

  it('is asked for what names no PMS as well, where it is the only one', async () => {
    const { unitTypeId, unitIds } = await rooms(1, [])
    asks(() => ({ is: 'chosen', unitIds }))
    const stay = await house.stay({ ...nights, units: [{ unitTypeId }] })
    assert.equal((await assign(stay)).status, 200)
    assert.equal(await unitOf(stay), unitIds[0])
  })
})

describe('Without a line', () => {
  before(async () => {
    asks(unreachable)
  })

  it('a unit that was lent for all nights is given by the rules of the house, and the message names the lease', async () => {
    const { unitTypeId, unitIds, lease } = await rooms(3, [1, 2])
    await offline()
    const first = await booked(unitTypeId)
    const second = await booked(unitTypeId)
    assert.equal((await assign(first, { preferredUnitId: unitIds[2] })).status, 200)
    assert.equal((await assign(second)).status, 200)
    assert.deepEqual([await unitOf(first), await unitOf(second)], [unitIds[2], unitIds[1]])
    without(
      'There is no connection to Opera, and no Double room that Opera has lent for 1 to 3 July can be given.',
      await assign(await booked(unitTypeId)),
    )
    await online()
    await house.synchronise('push')
    const offer = house.pms.offered.findLast(({ localId }) => first.reservation.endsWith(localId))
    assert.deepEqual(offer?.leaseIds, [lease.leaseId])
    assert.equal(
      offer?.value.stays[0]?.units?.[0]?.unitName,
      (await house.attributes(`/api/v2/units/${unitIds[2]}`)).name,
    )
  })

  it('without a lease there is no unit, and a sentence says why', async () => {
    const { unitTypeId } = await rooms(2, [])
    await offline()
    const stay = await booked(unitTypeId)
    without(
      'There is no connection to Opera, and it has lent no Double room for 1 to 3 July.',
      await assign(stay),
    )
    assert.equal(await unitOf(stay), null)
    await online()
  })

  const wrong: [what: string, lease: () => Record<string, unknown>][] = [
    ['for other nights', () => ({ startDate: '2026-07-03', endDate: '2026-07-09' })],
    ['for the first night alone', () => ({ endDate: '2026-07-01' })],
    ['until a moment ago', () => ({ validUntil: house.clock.now() })],
    ['and was taken back', () => ({ unitNames: [] })],
  ]
  for (const [what, lease] of wrong) {
    it(`a unit that was lent ${what} is not given`, async () => {
      const { unitTypeId } = await rooms(1, [0], lease())
      await offline()
      without(/it has lent no Double room/, await assign(await booked(unitTypeId)))
      await online()
    })
  }

  it('nothing is given by a lease that has run out meanwhile', async () => {
    const { unitTypeId, unitIds } = await rooms(2, [0, 1], { validUntil: house.clock.now() + 60_000 })
    await offline()
    const first = await booked(unitTypeId)
    assert.equal((await assign(first)).status, 200)
    house.clock.advance(60_000)
    without(/it has lent no Double room/, await assign(await booked(unitTypeId)))
    assert.ok(unitIds.includes(String(await unitOf(first))), 'what was given stays')
    await online()
  })

  it('a unit that nobody has lent is not given by hand either, nor for a further night', async () => {
    const { unitTypeId, unitIds } = await rooms(2, [0])
    await offline()
    const stay = await booked(unitTypeId)
    const give = (body: object) => house.ask('PATCH', stay.path, { body })
    const to = (unitId: string) => ({ units: [{ unitTypeId, unitId }] })
    without(/granted no lease of T\d+-2 for 1 to 3 July/, await give(to(unitIds[1]!)))
    assert.equal((await give(to(unitIds[0]!))).status, 204)
    without(/for 1 to 4 July/, await give({ endDate: '2026-07-04' }))
    without(/for 30 June to 3 July/, await give({ startDate: '2026-06-30' }))
    assert.equal((await give({ endDate: '2026-07-02' })).status, 204, 'for fewer nights it may be kept')
    assert.equal((await give({ comment: 'Still ours.' })).status, 204)
    without(
      /T\d+-2/,
      await house.ask('PUT', `${stay.path}/units`, { body: [{ unitTypeId, unitId: unitIds[1] }] }),
    )
    const whole = {
      integrationId: house.configurationId,
      stays: [
        {
          ...nights,
          status: 'Confirmed',
          personCount: { adults: 1 },
          reservationIds: [],
          ...to(unitIds[1]!),
        },
      ],
    }
    without(/T\d+-2/, await house.ask('POST', '/api/v2/reservations', { body: whole }))
    await online()
    assert.equal((await give(to(unitIds[1]!))).status, 204, 'with a line it may, and the PMS receives it')
  })

  it('what names no PMS is under the same rule, where that PMS is the only one', async () => {
    const { unitTypeId, unitIds } = await rooms(2, [1])
    await offline()
    const stay = await house.stay({ ...nights, units: [{ unitTypeId }] })
    const refusal = await house.ask('PATCH', stay.path, {
      body: { units: [{ unitTypeId, unitId: unitIds[0] }] },
    })
    without(/granted no lease of/, refusal)
    assert.equal((await assign(stay)).status, 200)
    assert.equal(await unitOf(stay), unitIds[1])
    await online()
  })

  it('a unit that was given by a lease stays the guest’s when the PMS says another', async () => {
    const { unitTypeId, unitIds, names } = await rooms(2, [0])
    await offline()
    const stay = await booked(unitTypeId)
    await assign(stay)
    await online()
    await eventually('sent', () =>
      house.pms.offered.some(({ localId }) => stay.reservation.endsWith(localId)),
    )
    await eventually('an empty outbox', async () => (await house.state()).outbox === 0)
    const externalId = String((await house.attributes(stay.reservation)).externalId)
    const value = house.pms.value(externalId)!
    house.pms.report(externalId, {
      ...value,
      stays: [
        {
          ...value.stays[0]!,
          units: [{ unitTypeCode: value.stays[0]!.units![0]!.unitTypeCode, unitName: names[1]! }],
        },
      ],
    })
    await house.synchronise('pull')
    assert.equal(await unitOf(stay), unitIds[0])
    await eventually(
      'sent again',
      () => house.pms.value(externalId)?.stays[0]?.units?.[0]?.unitName === names[0],
    )
  })

  it('what the PMS itself has given is taken in when it is back', async () => {
    const { unitTypeId, unitIds, names } = await rooms(1, [])
    await offline()
    const { code } = await house.attributes(`/api/v2/unit-types/${unitTypeId}`)
    house.pms.report('GIVEN', reported('GIVEN', { units: [{ unitTypeCode: code, unitName: names[0]! }] }))
    await online()
    await house.synchronise('pull')
    const found = await house.reservation('GIVEN')
    const attributes = found?.attributes as unknown as { stays: Values[] } | undefined
    assert.partialDeepStrictEqual(attributes?.stays[0], { units: [{ unitId: unitIds[0] }] })
  })
})

describe('A lease', () => {
  it('is shown, and changes with its revision alone', async () => {
    const { lease } = await rooms(2, [0, 1])
    const kept = async () => {
      const { body } = await house.ask('GET', `/api/config/v1/room-leases?filter[leaseId]=${lease.leaseId}`)
      return body.data[0].attributes
    }
    assert.partialDeepStrictEqual(await kept(), {
      unitNames: lease.unitNames,
      startDate: '2026-07-01',
      pmsRevision: 1,
    })
    house.pms.send({ ...lease, revision: 3, unitNames: [] }, { ...lease, revision: 2 })
    await house.synchronise('pull')
    assert.partialDeepStrictEqual(await kept(), { unitNames: [], pmsRevision: 3 })
  })
})
