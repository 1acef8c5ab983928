import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { SimulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import { startAppliance } from '../../../appliance.ts'
import { patienceMs } from '../../../patience.ts'
import { passTime } from '../../../test-clock.ts'
import { disagreements } from './agreement.ts'
import { booking } from './clerk-deeds.ts'
import { atRest, furnish, link, openPms, stateOf } from './hotel.ts'
import type { OpenLine } from './line.ts'
import { houseBook, type Plain } from './plain.ts'
import { expectNobodyShares } from './week.ts'

const code = 'WK1'
/** What both desks give, and another one. */
export const room = 'R1'
export const otherRoom = 'R2'

export interface Conflict {
  id: string
  reason: string
  sentence: string
  state: string
}

/** Ines and Jonas come on the same nights; the desk gives the room to the one and the PMS to the other. */
export async function openDesks(t: TestContext, openLine: OpenLine) {
  const house = await startAppliance()
  t.after(() => house.stop())
  const { ask, clock } = house
  const units = { [code]: [room, otherRoom], WK2: [], WLK: [] }
  const { units: unitIds } = await furnish(ask, units)
  const pms = openPms(units, clock)
  const line = await openLine(t, pms, clock)
  const [ours, theirs] = ['Ines', 'Jonas'].map((name, number) => book(pms, name, number)) as [string, string]
  const id = await link(ask, line.attributes)
  await atRest(ask, id, pms)

  const mine = async (externalId: string): Promise<Plain> =>
    [...(await houseBook(ask)).values()].find((each) => each.externalId === externalId)!
  const stayPath = async (externalId: string) => {
    const { localId, stays } = await mine(externalId)
    return `/api/v2/reservations/${localId}/stays/${stays[0]!.localId}`
  }
  const roomHere = async (externalId: string) =>
    (await mine(externalId)).stays[0]!.units![0]!.unitName ?? null
  const roomThere = (externalId: string) =>
    pms.book.reservations.get(externalId)!.value!.stays[0]!.units![0]!.unitName ?? null
  /** The desk changes a stay. */
  async function desk(externalId: string, body: object): Promise<void> {
    const reply = await ask('PATCH', await stayPath(externalId), { body })
    assert.equal(reply.status, 204, reply.text)
  }
  async function deskGives(externalId: string, unitName: string | null): Promise<void> {
    const { body } = await ask('GET', await stayPath(externalId))
    const { unitTypeId } = body.data.attributes.units[0]
    await desk(externalId, { units: [{ unitTypeId, unitId: unitName && unitIds[unitName] }] })
  }
  return {
    pms,
    line,
    clock,
    /** Names at the PMS: the desk's, and the PMS's own. */
    ours,
    theirs,
    rest: () => atRest(ask, id, pms, { urge: true }),
    /** Until so many conflicts are listed, urging the house on. */
    async listed(count: number): Promise<void> {
      const end = performance.now() + patienceMs
      for (;;) {
        const { conflicts } = await stateOf(ask, id)
        if (conflicts === count) return
        assert.ok(performance.now() < end, `${conflicts} conflicts instead of ${count}`)
        await ask('POST', `/api/config/v1/pms-configurations/${id}/actions/pull`)
        await passTime(20)
      }
    },
    /** Cuts the line, and has the house find that out: from then on it makes no offers. */
    async cutNoticed(): Promise<void> {
      await line.cut()
      const reply = await ask('POST', `/api/config/v1/pms-configurations/${id}/actions/pull`)
      assert.equal(reply.status, 502, reply.text)
    },
    desk,
    deskGives,
    pmsGives(externalId: string, unitName: string | null): void {
      const value = structuredClone(pms.book.reservations.get(externalId)!.value!)
      value.stays[0]!.units = [{ unitTypeCode: code, unitName }]
      pms.book.put(externalId, value)
    },
    /** Who has which room, on either side. */
    async rooms() {
      return {
        here: [await roomHere(ours), await roomHere(theirs)],
        there: [roomThere(ours), roomThere(theirs)],
      }
    },
    /** Of a reservation, those that somebody has to look at. */
    async open(externalId: string): Promise<Conflict[]> {
      const filter = `filter[reservationId]=${(await mine(externalId)).localId}&filter[state]=open`
      const { body, text } = await ask('GET', `/api/config/v1/sync-conflicts?${filter}`)
      assert.ok(body.data, text)
      return body.data.map((each: { id: string; attributes: Conflict }) => ({
        ...each.attributes,
        id: each.id,
      }))
    },
    decide: ({ id }: Conflict, how: 'accept' | 'Pms' | 'Local') =>
      how === 'accept'
        ? ask('POST', `/api/config/v1/sync-conflicts/${id}/actions/accept`)
        : ask('POST', `/api/config/v1/sync-conflicts/${id}/actions/choose`, { body: { counts: how } }),
    async expectAgreement(): Promise<void> {
      const after = await houseBook(ask)
      const found = [...after.values()].flatMap((each) =>
        disagreements(each, pms.book.reservations.get(each.externalId!)!.value),
      )
      assert.deepEqual(found, [])
      expectNobodyShares(after)
      assert.equal((await stateOf(ask, id)).conflicts, 0)
    },
  }
}

export type Desks = Awaited<ReturnType<typeof openDesks>>

function book(pms: SimulatedPms, firstName: string, number: number): string {
  const whole = booking(() => 0.5, number, '2026-06-01')
  const [stay] = whole.stays
  const guests = [{ ...stay!.guests![0]!, firstName }]
  const stays = [{ ...stay!, guests, startDate: '2026-06-01', endDate: '2026-06-04' }]
  return pms.book.make({ ...whole, stays }).externalId
}
