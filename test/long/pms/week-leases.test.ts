import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startAppliance } from '../../appliance.ts'
import { disagreements } from './week/agreement.ts'
import { booking } from './week/clerk-deeds.ts'
import { atRest, furnish, link, openPms, stateOf } from './week/hotel.ts'
import { httpLine } from './week/line.ts'
import { houseBook } from './week/plain.ts'
import { expectNobodyShares } from './week/week.ts'

const code = 'WK1'
const rooms = ['L1', 'L2', 'L3', 'P1', 'P2', 'P3']
const lent = rooms.slice(0, 3)

describe('two desks without a line between them', () => {
  it('give no room twice where the PMS has lent some, and what it has not lent is refused with the reason', async (t) => {
    const house = await startAppliance()
    t.after(() => house.stop())
    const { ask, clock } = house
    const units = { [code]: rooms, WK2: [], WLK: [] }
    await furnish(ask, units)
    const pms = openPms(units, clock)
    const line = await httpLine(t, pms, clock)
    for (let number = 0; number < 6; number++) {
      const whole = booking(() => 0.5, number, '2026-06-01')
      pms.book.make({
        ...whole,
        stays: [{ ...whole.stays[0]!, startDate: '2026-06-02', endDate: '2026-06-04' }],
      })
    }
    const validUntil = new Date(clock.now() + 7 * 86_400_000).toISOString()
    const nights = { startDate: '2026-06-01', endDate: '2026-06-08' }
    pms.book.lend({ leaseId: 'week', unitNames: lent, ...nights, validUntil })
    const connection = { ...(line.attributes.connection as object), lendsUnits: true, assignsUnits: true }
    const id = await link(ask, { ...line.attributes, connection })
    await atRest(ask, id, pms)
    const book = [...(await houseBook(ask)).values()]
    assert.equal(book.length, 6)

    await line.cut()
    assert.equal((await ask('POST', `/api/config/v1/pms-configurations/${id}/actions/pull`)).status, 502)
    const assign = (at: number) =>
      ask(
        'POST',
        `/api/v2/reservations/${book[at]!.localId}/stays/${book[at]!.stays[0]!.localId}/unit-assignment`,
      )
    const given: string[] = []
    for (const at of [0, 1, 2]) {
      const reply = await assign(at)
      assert.equal(reply.status, 200, reply.text)
      given.push(reply.body.data.attributes.units[0].unitName)
    }
    assert.deepEqual(given.sort(), lent)
    const refused = await assign(3)
    assert.equal(refused.status, 422, refused.text)
    assert.equal(refused.body.errors[0].code, 'no-eligible-unit')
    assert.match(refused.body.errors[0].meta.integrationReason, /Grand PMS/)
    for (const at of [3, 4, 5]) {
      const { externalId } = book[at]!
      const { value } = pms.book.reservations.get(externalId!)!
      const stays = value!.stays.map((stay) => ({
        ...stay,
        units: [{ unitTypeCode: code, unitName: rooms[at]! }],
      }))
      pms.book.put(externalId!, { ...value!, stays })
    }

    await line.mend()
    await atRest(ask, id, pms, { urge: true })
    const after = await houseBook(ask)
    const found = [...after.values()].flatMap((each) =>
      disagreements(each, pms.book.reservations.get(each.externalId!)!.value),
    )
    assert.deepEqual(found, [])
    expectNobodyShares(after)
    const taken = [...after.values()].map(({ stays }) => stays[0]!.units![0]!.unitName)
    assert.deepEqual(taken.sort(), rooms)
    assert.equal((await stateOf(ask, id)).conflicts, 0)
  })
})
