import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { UnitRequest } from '../../src/pms/unit-assignment/integration.ts'
import { type MadeStay, refused, today, tomorrow } from '../reservation/api/house.ts'
import {
  type HouseWithPms,
  openHouseWithPms,
  reconfigure,
  type Script,
  silence,
} from './adapters/scripted-adapter.ts'

let house: HouseWithPms
before(async () => {
  house = await openHouseWithPms()
})
after(() => house.stop())
beforeEach(() => house.pms.does({}))

type Values = Record<string, unknown>

/** A stay whose reservation belongs to the PMS. */
async function booked(units: Values[], stay: Values = {}): Promise<MadeStay> {
  return (await bookedAll([units], stay))[0]!
}

async function bookedAll(stays: Values[][], more: Values = {}): Promise<MadeStay[]> {
  const common = { startDate: today, endDate: tomorrow, status: 'Confirmed', personCount: { adults: 1 } }
  const made = await house.ask('POST', '/api/v2/reservations', {
    body: {
      integrationId: house.configurationId,
      stays: stays.map((units) => ({ ...common, reservationIds: [], units, ...more })),
    },
  })
  assert.equal(made.status, 201, made.text)
  const reservation = `/api/v2/reservations/${made.body.data.id}`
  return made.body.data.attributes.stays.map(({ id }: { id: string }) => ({
    reservation,
    path: `${reservation}/stays/${id}`,
    id,
  }))
}

const assign = ({ path }: MadeStay, body?: unknown, headers: Record<string, string> = {}) =>
  house.ask('POST', `${path}/unit-assignment`, { headers, ...(body !== undefined && { body }) })
const assignAll = ({ reservation }: MadeStay, body?: unknown) =>
  house.ask('POST', `${reservation}/unit-assignments`, { ...(body !== undefined && { body }) })

const unitsOf = async ({ path }: MadeStay) =>
  (await house.attributes(path)).units.map(({ unitId }: { unitId: string | null }) => unitId)

const choosing = (...unitIds: string[]): Script => ({ assignUnit: () => ({ is: 'chosen', unitIds }) })
/** Each stay its own unit, by the order in which they are asked for. */
const choosingInTurn = (...answers: unknown[]): Script => {
  let next = 0
  return { assignUnit: () => answers[next++] }
}
const chosen = (...unitIds: string[]) => ({ is: 'chosen', unitIds })

describe('Stay without unitId, POST unit-assignment', () => {
  it('integration finds an eligible unit: the stay is returned with the unit', async () => {
    const { unitTypeId, unitIds } = await house.rooms(3)
    house.pms.does(choosing(unitIds[2]!))
    const stay = await booked([{ unitTypeId }])
    const reply = await assign(stay)
    assert.equal(reply.status, 200, reply.text)
    assert.equal(reply.body.data.attributes.units[0].unitId, unitIds[2])
    assert.deepEqual(reply.body.meta, { assigned: [stay.id], unassigned: [] })
    assert.deepEqual(await unitsOf(stay), [unitIds[2]])
  })

  it('the integration receives what is wanted, and the hints', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    house.pms.does(choosing(unitId))
    const stay = await booked([{ unitTypeId }], { externalId: 'PMS-7' })
    await assign(stay, { preferredUnitId: unitId, notes: 'Quiet, please.' })
    const [asked] = house.pms.unitsAsked as [UnitRequest]
    assert.partialDeepStrictEqual(asked, {
      unitTypeIds: [unitTypeId],
      preferredUnitId: unitId,
      notes: 'Quiet, please.',
    })
    assert.partialDeepStrictEqual(asked.stay, { id: stay.id, externalId: 'PMS-7', startDate: today })
    assert.equal(asked.reservation.integrationId, house.configurationId)
  })

  it('a stay of several units gets all that it lacks in one answer', async () => {
    const { unitTypeId, unitIds } = await house.rooms(3)
    house.pms.does(choosing(unitIds[1]!, unitIds[0]!))
    const stay = await booked([{ unitTypeId }, { unitTypeId, unitId: unitIds[2] }, { unitTypeId }])
    assert.equal((await assign(stay)).status, 200)
    assert.deepEqual(await unitsOf(stay), [unitIds[1], unitIds[2], unitIds[0]])
    assert.deepEqual(house.pms.unitsAsked[0]?.unitTypeIds, [unitTypeId, unitTypeId])
  })

  it('no eligible unit: 422 with the integration reason, and the stay is unchanged', async () => {
    const { unitTypeId } = await house.rooms(1)
    house.pms.does({ assignUnit: () => ({ is: 'none-eligible', reason: 'Overbooked until noon.' }) })
    const stay = await booked([{ unitTypeId }])
    refused(await assign(stay), 422, 'no-eligible-unit', undefined, {
      reason: 'rejected-by-integration',
      integrationReason: 'Overbooked until noon.',
    })
    assert.deepEqual(await unitsOf(stay), [null])
    const last = house.journal(`stays/${stay.id}`).at(-1)
    assert.partialDeepStrictEqual(last, {
      type: 'stay.unit-assignment-failed',
      data: { reason: 'rejected-by-integration' },
    })
    assert.equal(last?.data.integrationReason, undefined, 'which may name a guest')
  })

  it('the units it chose may be spelled in upper case', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    house.pms.does(choosing(unitId.toUpperCase()))
    const stay = await booked([{ unitTypeId }])
    assert.equal((await assign(stay)).status, 200)
    assert.deepEqual(await unitsOf(stay), [unitId])
  })

  it('integration refuses to change it: 409', async () => {
    const { unitTypeId } = await house.rooms(1)
    house.pms.does({ assignUnit: () => ({ is: 'change-refused', reason: 'Promised to the guest.' }) })
    const stay = await booked([{ unitTypeId }])
    refused(await assign(stay), 409, 'unit-change-refused', undefined, {
      integrationReason: 'Promised to the guest.',
    })
    assert.deepEqual(await unitsOf(stay), [null])
  })

  it('integration is switched off: 422 with that as its reason', async () => {
    const { unitTypeId } = await house.rooms(1)
    const stay = await booked([{ unitTypeId }])
    await reconfigure(house, { enabled: false })
    const reply = await assign(stay)
    await reconfigure(house, { enabled: true })
    refused(reply, 422, 'no-eligible-unit', undefined, { integrationReason: 'Grand PMS is switched off.' })
  })

  const failing: [what: string, script: Script, code: string, outcomeUnknown: boolean][] = [
    [
      'is unavailable',
      { assignUnit: () => ({ is: 'unavailable', reason: 'The line is down.' }) },
      'adapter-timeout',
      false,
    ],
    ['says nothing', { assignUnit: silence }, 'adapter-timeout', true],
    ['throws', { assignUnit: () => Promise.reject(new Error('no')) }, 'adapter-crashed', true],
    [
      'says that the PMS failed',
      { assignUnit: () => Promise.reject(new DeviceFault('vendor-error', 'E5')) },
      'vendor-error',
      true,
    ],
    ['answers rubbish', { assignUnit: () => ({ unit: '305' }) }, 'vendor-error', true],
    ['answers nothing', { assignUnit: () => undefined }, 'vendor-error', true],
  ]
  for (const [what, script, code, outcomeUnknown] of failing) {
    it(`integration ${what}: 502, and the stay is unchanged`, async () => {
      const { unitTypeId } = await house.rooms(1)
      house.pms.does(script)
      const stay = await booked([{ unitTypeId }])
      const reply = await assign(stay)
      refused(reply, 502, code, undefined, { outcomeUnknown })
      assert.equal(reply.headers.get('retry-after'), '10')
      assert.deepEqual(await unitsOf(stay), [null])
    })
  }

  it('integration chooses more units than were lacking: 502', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    house.pms.does(choosing(...unitIds))
    refused(await assign(await booked([{ unitTypeId }])), 502, 'vendor-error')
  })

  describe('what the integration chose is checked when it is written', () => {
    const rejected = async (script: (own: { unitTypeId: string; unitIds: string[] }) => Promise<string>) => {
      const own = await house.rooms(2)
      const unitId = await script(own)
      house.pms.does(choosing(unitId))
      const stay = await booked([{ unitTypeId: own.unitTypeId }])
      const reply = await assign(stay)
      refused(reply, 422, 'no-eligible-unit', undefined, { reason: 'rejected-by-integration' })
      assert.deepEqual(await unitsOf(stay), [null])
      return String(reply.body.errors[0].meta.integrationReason)
    }

    it('a unit that is not there', async () => {
      assert.match(
        await rejected(async () => '0197c0de-0000-7000-8000-000000000000'),
        /not a unit of the type/,
      )
    })

    it('a unit of another type', async () => {
      assert.match(await rejected(async () => (await house.rooms(1)).unitId), /not a unit of the type/)
    })

    it('a unit that another stay holds', async () => {
      const reason = await rejected(async ({ unitTypeId, unitIds }) => {
        await house.stay({ units: [{ unitTypeId, unitId: unitIds[0] }] })
        return unitIds[0]!
      })
      assert.match(reason, /another stay has/)
    })

    it('a unit that is out of order', async () => {
      const reason = await rejected(async ({ unitIds }) => {
        const body = { status: 'OutOfOrder' }
        assert.equal((await house.ask('PATCH', `/api/v2/units/${unitIds[0]}`, { body })).status, 204)
        return unitIds[0]!
      })
      assert.match(reason, /out of order/)
    })

    it('a unit that is blocked', async () => {
      const reason = await rejected(async ({ unitIds }) => {
        const body = [{ startDate: today, endDate: today, quantity: 0 }]
        const reply = await house.ask('PATCH', `/api/v2/availability/units/${unitIds[0]}`, { body })
        assert.equal(reply.status, 204, reply.text)
        return unitIds[0]!
      })
      assert.match(reason, /blocked/)
    })

    it('one unit for two places', async () => {
      const { unitTypeId, unitIds } = await house.rooms(2)
      house.pms.does(choosing(unitIds[0]!, unitIds[0]!))
      refused(await assign(await booked([{ unitTypeId }, { unitTypeId }])), 422, 'no-eligible-unit')
    })
  })
})

describe('Stay with unitId', () => {
  it('POST unit-assignment or unit-assignments: returned as is, with no integration call', async () => {
    const { unitTypeId, unitId } = await house.rooms(2)
    house.pms.does({ assignUnit: () => ({ is: 'change-refused', reason: 'Never asked.' }) })
    const stay = await booked([{ unitTypeId, unitId }])
    for (const reply of [await assign(stay), await assignAll(stay)]) {
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(reply.body.meta, { assigned: [stay.id], unassigned: [] })
    }
    assert.deepEqual(await unitsOf(stay), [unitId])
    assert.deepEqual(house.pms.unitsAsked, [])
  })

  it('PUT with unitId cleared allows reassignment by calling the operation again', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    house.pms.does(choosingInTurn(chosen(unitIds[0]!), chosen(unitIds[1]!)))
    const stay = await booked([{ unitTypeId }])
    await assign(stay)
    const { startDate, endDate, status, personCount, reservationIds } = await house.attributes(stay.path)
    const body = { startDate, endDate, status, personCount, reservationIds, units: [{ unitTypeId }] }
    assert.equal((await house.ask('PUT', stay.path, { body })).status, 204)
    assert.deepEqual(await unitsOf(stay), [null])
    await assign(stay)
    assert.deepEqual(await unitsOf(stay), [unitIds[1]])
  })
})

describe('Stay without unitId, POST unit-assignments', () => {
  it('integration cannot pick a unit: 200 with empty unitId, and the others get theirs', async () => {
    const { unitTypeId, unitIds } = await house.rooms(3)
    const stays = await bookedAll([[{ unitTypeId }], [{ unitTypeId }], [{ unitTypeId }]])
    house.pms.does(
      choosingInTurn(chosen(unitIds[0]!), { is: 'none-eligible', reason: 'Full.' }, chosen(unitIds[1]!)),
    )
    const reply = await assignAll(stays[0]!)
    assert.equal(reply.status, 200, reply.text)
    const ids = stays.map(({ id }) => id)
    assert.deepEqual(reply.body.meta.assigned, [ids[0], ids[2]])
    assert.partialDeepStrictEqual(reply.body.meta.unassigned, [
      { stayId: ids[1], code: 'no-eligible-unit', meta: { integrationReason: 'Full.' } },
    ])
    assert.deepEqual(
      await Promise.all(stays.map(unitsOf)),
      [unitIds[0], null, unitIds[1]].map((id) => [id]),
    )
  })

  it('hints are those of each stay', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const [first, second] = (await bookedAll([[{ unitTypeId }], [{ unitTypeId }]])) as [MadeStay, MadeStay]
    house.pms.does(choosingInTurn(chosen(unitIds[0]!), chosen(unitIds[1]!)))
    await assignAll(first, { stays: [{ stayId: second.id.toUpperCase(), notes: 'Near the lift.' }] })
    assert.deepEqual(
      house.pms.unitsAsked.map(({ notes }) => notes),
      [null, 'Near the lift.'],
    )
  })

  it('integration is unavailable from the start: 502', async () => {
    const { unitTypeId } = await house.rooms(2)
    const stays = await bookedAll([[{ unitTypeId }], [{ unitTypeId }]])
    house.pms.does({ assignUnit: () => ({ is: 'unavailable', reason: 'The line is down.' }) })
    refused(await assignAll(stays[0]!), 502, 'adapter-timeout')
    assert.equal(house.pms.unitsAsked.length, 1)
  })

  it('integration becomes unavailable on the way: what it has picked is kept, and nobody waits for the rest', async () => {
    const { unitTypeId, unitIds } = await house.rooms(3)
    const stays = await bookedAll([[{ unitTypeId }], [{ unitTypeId }], [{ unitTypeId }]])
    house.pms.does(choosingInTurn(chosen(unitIds[0]!), { is: 'unavailable', reason: 'The line is down.' }))
    const reply = await assignAll(stays[0]!)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body.meta.assigned, [stays[0]?.id])
    assert.partialDeepStrictEqual(
      reply.body.meta.unassigned,
      stays.slice(1).map(({ id }) => ({
        stayId: id,
        code: 'adapter-timeout',
        meta: { errorCode: 'adapter-timeout', outcomeUnknown: false, retryAfterSeconds: 10 },
      })),
    )
    assert.equal(house.pms.unitsAsked.length, 2)
  })
})

describe('A unit assignment through an integration', () => {
  it('asked for twice at once asks the integration once', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const stay = await booked([{ unitTypeId }])
    house.pms.does(choosingInTurn(chosen(unitIds[0]!), chosen(unitIds[1]!)))
    const replies = await Promise.all([assign(stay), assign(stay), assignAll(stay)])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.deepEqual(await unitsOf(stay), [unitIds[0]])
    assert.equal(house.pms.unitsAsked.length, 1)
  })

  it('is bounded in how many wait for the same reservation', async () => {
    const { unitTypeId } = await house.rooms(1)
    const stay = await booked([{ unitTypeId }])
    const answer = Promise.withResolvers<unknown>()
    const asked = Promise.withResolvers<void>()
    house.pms.does({
      assignUnit: () => {
        asked.resolve()
        return answer.promise
      },
    })
    const turnedAway = Promise.withResolvers<void>()
    let replies = 0
    const waiting = Array.from({ length: 12 }, async () => {
      const reply = await assign(stay)
      if (++replies === 4) turnedAway.resolve()
      return reply
    })
    await asked.promise
    await turnedAway.promise
    answer.resolve({ is: 'change-refused', reason: 'No.' })
    const codes = (await Promise.all(waiting)).map(({ body }) => body.errors[0].code)
    assert.deepEqual(
      ['unit-change-refused', 'busy'].map((code) => codes.filter((each) => each === code).length),
      [8, 4],
    )
  })

  it('with an Idempotency-Key is answered again without asking the integration', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const stays = await bookedAll([[{ unitTypeId }], [{ unitTypeId }]])
    house.pms.does(choosingInTurn(chosen(unitIds[0]!), { is: 'none-eligible', reason: 'Full.' }))
    const path = `${stays[0]?.reservation}/unit-assignments`
    const headers = { 'Idempotency-Key': `assign-${stays[0]?.id}` }
    const first = await house.ask('POST', path, { headers })
    assert.deepEqual(first.body.meta.assigned, [stays[0]?.id])
    house.pms.does(choosing(unitIds[1]!))
    const again = await house.ask('POST', path, { headers })
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    assert.deepEqual(house.pms.unitsAsked, [])
  })

  it('that was refused may be asked for again with the same Idempotency-Key', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    const stay = await booked([{ unitTypeId }])
    const key = { 'Idempotency-Key': `assign-${stay.id}` }
    house.pms.does({ assignUnit: () => ({ is: 'none-eligible', reason: 'Full.' }) })
    refused(await assign(stay, {}, key), 422, 'no-eligible-unit')
    house.pms.does(choosing(unitId))
    assert.equal((await assign(stay, {}, key)).status, 200)
  })

  it('is not tried: the integration would carry it out', async () => {
    const { unitTypeId, unitId } = await house.rooms(1)
    const stay = await booked([{ unitTypeId }])
    house.pms.does(choosing(unitId))
    const path = `${stay.path}/unit-assignment?dryRun=true`
    refused(await house.ask('POST', path), 400, 'unknown-parameter')
    assert.deepEqual(house.pms.unitsAsked, [])
  })

  it('is the appliance’s own for a reservation without an integration, or with one that picks no units', async () => {
    const { unitTypeId, unitIds } = await house.rooms(2)
    const [own] = (await house.ask('GET', '/api/config/v1/pms-configurations?filter[adapter]=standalone'))
      .body.data
    for (const integrationId of [null, own.id, '0197c0de-0000-7000-8000-000000000000']) {
      const stay = await booked([{ unitTypeId }])
      await house.ask('PATCH', stay.reservation, { body: { integrationId } })
      const preferredUnitId = unitIds[1]
      assert.equal((await assign(stay, { preferredUnitId })).status, 200)
      assert.deepEqual(await unitsOf(stay), [preferredUnitId])
      await house.ask('PATCH', stay.path, { body: { status: 'Canceled' } })
    }
    assert.deepEqual(house.pms.unitsAsked, [])
  })

  it('is refused as ever for a stay that is over, or not of this reservation', async () => {
    const { unitTypeId, unitId } = await house.rooms(2)
    house.pms.does(choosing(unitId))
    const stay = await booked([{ unitTypeId }])
    const other = await booked([{ unitTypeId }])
    refused(await assign({ ...stay, path: `${other.reservation}/stays/${stay.id}` }), 404, 'not-found')
    await house.ask('PATCH', stay.path, { body: { status: 'Canceled' } })
    refused(await assign(stay), 409, 'stay-status-transition')
    assert.deepEqual(house.pms.unitsAsked, [])
  })
})
