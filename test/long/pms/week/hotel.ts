import assert from 'node:assert/strict'
import type { Clock } from '../../../../src/host/clock.ts'
import type { SharedReservation } from '../../../../src/pms/sync/shared-reservation.ts'
import { type SimulatedPms, simulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import type { UnitsByType } from '../../../../src/simulators/cloudevents/units.ts'
import type { Ask } from '../../../appliance.ts'
import { patienceMs } from '../../../patience.ts'
import { passTime } from '../../../test-clock.ts'

/** Unit types of the week, with their units by name. */
export const typeCodes = ['WK1', 'WK2'] as const
export const walkInCode = 'WLK'

export interface Codes {
  unitTypes: Record<string, string>
  units: Record<string, string>
  services: Record<string, string>
}

/** Each stay has a unit of its own that the desk gives it, and another that the clerk gives it: so they never meet. */
export function unitsFor(bookings: readonly SharedReservation[], walkIns: number): UnitsByType {
  const of = (code: string, at: number) =>
    bookings.flatMap(({ stays }, n) => (stays[at] ? [`${code}-desk-${n}`, `${code}-clerk-${n}`] : []))
  return {
    ...Object.fromEntries(typeCodes.map((code, at) => [code, of(code, at)])),
    [walkInCode]: Array.from({ length: walkIns }, (_, n) => `${walkInCode}-${n}`),
  }
}

export function openPms(units: UnitsByType, clock: Clock): SimulatedPms {
  return simulatedPms({ clock, units })
}

/** Sets up what the PMS sells in the house as well. */
export async function furnish(ask: Ask, units: UnitsByType): Promise<Codes> {
  const codes: Codes = { unitTypes: {}, units: {}, services: {} }
  const make = async (path: string, body: object) => {
    const reply = await ask('POST', `/api/v2/${path}`, { body })
    assert.equal(reply.status, 201, reply.text)
    return String(reply.body.data.id)
  }
  for (const [code, names] of Object.entries(units)) {
    const unitTypeId = await make('unit-types', { code, name: code, maxOccupancy: 9 })
    codes.unitTypes[code] = unitTypeId
    const made = names.map((name) => async () => {
      codes.units[name] = await make('units', { name, unitTypeId, status: 'Inspected' })
    })
    await some(made, 8)
  }
  for (const code of ['SPA', 'PARKING']) {
    const price = { currencyCode: 'EUR', amountWithTax: 10, amountWithoutTax: 8, pricingType: 24, count: 1 }
    codes.services[code] = await make('services', { code, name: code, ...price })
  }
  return codes
}

/** Does all of it, so many at a time. */
export async function some<T>(work: readonly (() => Promise<T>)[], atOnce: number): Promise<T[]> {
  const left = [...work.entries()]
  const done: T[] = []
  const one = async () => {
    for (let next = left.shift(); next; next = left.shift()) done[next[0]] = await next[1]()
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return done
}

export async function link(ask: Ask, attributes: Record<string, unknown>): Promise<string> {
  const body = { name: 'Grand PMS', adapter: 'cloudevents', heartbeatSeconds: 3600, timeoutMs: 5_000 }
  const reply = await ask('POST', '/api/config/v1/pms-configurations', { body: { ...body, ...attributes } })
  assert.equal(reply.status, 201, reply.text)
  return reply.body.data.id
}

export interface SyncState {
  state: string
  inboxLag: number
  outbox: number
  eventsBehind: number
  quarantined: number
  conflicts: number
  pullCursor: string | null
}

export async function stateOf(ask: Ask, configurationId: string): Promise<SyncState> {
  const reply = await ask('GET', `/api/config/v1/pms-configurations/${configurationId}/sync`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.data.attributes
}

/** Resolves when neither side has anything left for the other, but for what was refused where that is said. */
export async function atRest(
  ask: Ask,
  configurationId: string,
  pms: SimulatedPms,
  { urge = false, refused = false } = {},
): Promise<void> {
  let state: SyncState | null = null
  const end = performance.now() + patienceMs
  for (let looks = 0; performance.now() < end; looks++) {
    state = await stateOf(ask, configurationId)
    if (isAtRest(state, pms, refused ? await countRefused(ask) : 0)) return
    if (urge && looks % 8 === 0) {
      await ask('POST', `/api/config/v1/pms-configurations/${configurationId}/actions/pull`)
    }
    await passTime(20)
  }
  assert.fail(`not at rest within ${patienceMs / 1_000} s: ${JSON.stringify(state)}`)
}

async function countRefused(ask: Ask): Promise<number> {
  const filter = 'filter[state]=open&filter[reason]=refused-by-pms&page[size]=100'
  const reply = await ask('GET', `/api/config/v1/sync-conflicts?${filter}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.data.length
}

function isAtRest(
  { outbox, eventsBehind, pullCursor, inboxLag }: SyncState,
  pms: SimulatedPms,
  refused: number,
): boolean {
  const page = pms.book.changesAfter(pullCursor, 1)
  return (
    outbox === refused &&
    eventsBehind === 0 &&
    inboxLag === 0 &&
    pullCursor !== null &&
    page?.changes.length === 0
  )
}
