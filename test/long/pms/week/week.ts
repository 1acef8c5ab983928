import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Clock } from '../../../../src/host/clock.ts'
import type { Adapter } from '../../../../src/pms/contract.ts'
import type { SharedReservation } from '../../../../src/pms/sync/shared-reservation.ts'
import { random } from '../../../../src/simulators/cloudevents/random.ts'
import type { SimulatedPms } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import { type Ask, startAppliance, type TestAppliance } from '../../../appliance.ts'
import { passTime } from '../../../test-clock.ts'
import { disagreements } from './agreement.ts'
import { booking, clerkActs } from './clerk-deeds.ts'
import { type Desk, deskActs, walksIn } from './desk-deeds.ts'
import { atRest, furnish, link, openPms, stateOf, unitsFor } from './hotel.ts'
import type { Line, OpenLine } from './line.ts'
import { expectedConflicts } from './oracle.ts'
import { houseBook, type Plain } from './plain.ts'

export interface WeekOptions {
  seed: number
  reservations: number
  /** On each side, while the line is cut. */
  changes: number
  line: OpenLine
  /** Ways to a PMS; those of the build unless said otherwise. */
  adapters?: readonly Adapter[]
  /** Of the configuration, besides what the line says. */
  attributes?: Record<string, unknown>
  /** Opens the house, which is one within the test unless said otherwise. */
  house?: () => Promise<WeekHouse>
}

export type WeekHouse = Pick<TestAppliance, 'ask' | 'stop'> & {
  clock: Clock & Pick<TestAppliance['clock'], 'advance'>
}

/** A house and a PMS that have come into step, and what each does by itself afterwards. */
export interface Week {
  house: WeekHouse
  pms: SimulatedPms
  line: Line
  configurationId: string
  desk: Desk
  /** By the names of the PMS, as both had it when the line was cut. */
  base: Map<string, SharedReservation>
  /** Names of those that have units of their own in the house, in their order. */
  furnished: Map<string, number>
  /** What the PMS has had since, by the same names. */
  revisions: Map<string, (SharedReservation | null)[]>
  /** How often each side did what. */
  did: { desk: Record<string, number>; clerk: Record<string, number> }
}

const weekMs = 7 * 86_400_000

export async function openWeek(t: Pick<TestContext, 'after'>, options: WeekOptions): Promise<Week> {
  const { adapters } = options
  const house = await (options.house?.() ?? startAppliance(adapters ? { adapters } : {}))
  t.after(() => house.stop())
  const { now } = house.clock
  const next = random(options.seed)
  const bookings = Array.from({ length: options.reservations }, (_, number) =>
    booking(next, number, dayOf(now())),
  )
  const units = unitsFor(bookings, Math.ceil(options.changes / 40))
  const codes = await furnish(house.ask, units)
  const pms = openPms(units, house.clock)
  const line = await options.line(t, pms, house.clock)
  for (const each of bookings) pms.book.make(each)
  const configurationId = await link(house.ask, { ...line.attributes, ...options.attributes })
  await atRest(house.ask, configurationId, pms)
  const desk = { ask: house.ask, codes, next, today: () => dayOf(now()), walkIns: 0, payments: new Map() }
  const base = new Map([...pms.book.reservations].map(([name, { value }]) => [name, structuredClone(value!)]))
  const furnished = new Map([...base.keys()].map((name, number) => [name, number]))
  return {
    house,
    pms,
    line,
    configurationId,
    desk,
    base,
    furnished,
    revisions: new Map(),
    did: { desk: {}, clerk: {} },
  }
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** What goes by in a while, with deeds that are numbered from `firstDeed` on. */
export interface While extends Pick<WeekOptions, 'changes' | 'seed'> {
  firstDeed?: number
  spanMs?: number
}

/** A while goes by in which both sides change two thirds of the reservations, of which they share one third of all. */
export async function live(
  week: Week,
  { changes, seed, firstDeed = 0, spanMs = weekMs }: While,
): Promise<void> {
  const { house, pms, desk, did, base } = week
  const next = random(seed + 1 + firstDeed)
  // Of later ones the house has no units.
  const names = [...base.keys()].filter((name) => week.furnished.has(name))
  const third = Math.floor(names.length / 3)
  const [ofDesk, ofClerk] = [names.slice(0, 2 * third), names.slice(third)]
  const ids = new Map(
    [...(await houseBook(desk.ask)).values()].map((each) => [each.externalId, each.localId]),
  )
  const stop = pms.book.onChange(({ type, data }) => {
    const { externalId, reservation = null } = data as { externalId: string; reservation?: SharedReservation }
    if (!type.startsWith('pms.reservation')) return
    week.revisions.set(externalId, [...(week.revisions.get(externalId) ?? []), structuredClone(reservation)])
  })
  const count = (of: Record<string, number>, what: string) => {
    of[what] = (of[what] ?? 0) + 1
  }
  for (let deed = firstDeed; deed < firstDeed + changes; deed++) {
    house.clock.advance(spanMs / changes)
    for (let tries = 0; tries < 100; tries++) {
      const name = ofClerk[Math.floor(next() * ofClerk.length)]!
      const number = week.furnished.get(name)!
      const what =
        deed % 40 === 7
          ? bookedAnew(week, deed)
          : clerkActs(pms, name, { next, today: desk.today(), number, deed })
      if (!what) continue
      count(did.clerk, what)
      break
    }
    for (let tries = 0; tries < 100; tries++) {
      const name = ofDesk[Math.floor(desk.next() * ofDesk.length)]!
      const isWalkIn = deed % 40 === 3
      const what = isWalkIn
        ? await walksIn(desk, deed).then(() => 'walks in')
        : await deskActs(desk, { id: ids.get(name)!, number: week.furnished.get(name)!, deed })
      if (!what) continue
      count(did.desk, what)
      break
    }
  }
  stop()
}

function bookedAnew({ pms, desk }: Week, deed: number): string {
  pms.book.make(booking(desk.next, 100_000 + deed, desk.today()))
  return 'books'
}

/** From here on, what both have now is what they had when they went on by themselves. */
export function remember({ pms, base, revisions }: Week): void {
  revisions.clear()
  base.clear()
  for (const [name, { value }] of pms.book.reservations) if (value) base.set(name, structuredClone(value))
}

/** The groups of which the rules say that the two sides will not agree by themselves, by the stay or the reservation. */
export function expectedOf(week: Week, book: ReadonlyMap<string, Plain>): string[] {
  const expected: string[] = []
  for (const house of book.values()) {
    const base = week.base.get(house.externalId ?? '')
    const revisions = week.revisions.get(house.externalId ?? '')
    if (!base || !revisions) continue
    for (const each of expectedConflicts(base, house, revisions, week.desk.today())) {
      expected.push(`${house.externalId} ${each}`)
    }
  }
  return expected.sort()
}

/** The conflicts that the house lists, in the same form. */
export async function listedConflicts(ask: Ask, book: ReadonlyMap<string, Plain>): Promise<string[]> {
  const listed = new Set<string>()
  for (let next: string | null = '/api/config/v1/sync-conflicts?page[size]=100'; next; ) {
    const { status, body, text } = await ask('GET', next)
    assert.equal(status, 200, text)
    for (const { attributes } of body.data) {
      const reservation = book.get(attributes.reservationId)!
      const stay = reservation.stays.find(({ localId }) => localId === attributes.stayId)
      listed.add(`${reservation.externalId} ${stay?.externalId ?? ''} ${attributes.fieldGroup}`)
    }
    next = body.links.next ?? null
  }
  return [...listed].sort()
}

/** Fails unless both sides are the same, nothing was lost or doubled, and nobody shares a room. */
export async function expectAgreement(week: Week, quarantined = 0): Promise<Map<string, Plain>> {
  const { house, pms, desk, configurationId } = week
  const book = await houseBook(house.ask)
  const byName = new Map([...book.values()].map((each) => [each.externalId, each]))
  const found: string[] = []
  for (const [name, { value }] of pms.book.reservations) {
    const mine = byName.get(name)
    if (mine) found.push(...disagreements(mine, value))
    else if (value) found.push(`${name} is not in the house`)
  }
  for (const { externalId, localId } of book.values()) {
    if (externalId && !pms.book.reservations.has(externalId)) found.push(`${externalId} is not at the PMS`)
    if (!externalId) found.push(`${localId} was never sent to the PMS`)
  }
  assert.deepEqual(found, [])
  expectNothingTwice(week, book)
  expectPaymentsOnce(pms, desk, book)
  expectNobodyShares(book)
  await expectEventsOnce(house.ask, pms)
  assert.equal((await stateOf(house.ask, configurationId)).quarantined, quarantined)
  return book
}

/** As many as were made on either side: where one was made twice, both may agree on the twin. */
function expectNothingTwice({ pms, desk, did, furnished }: Week, house: ReadonlyMap<string, Plain>): void {
  const made = furnished.size + (did.clerk.books ?? 0) + desk.walkIns
  assert.deepEqual([house.size, pms.book.reservations.size], [made, made])
}

/** What the PMS has deleted after it had received the payments is its own affair. */
function expectPaymentsOnce(
  { book: there }: SimulatedPms,
  { payments }: Desk,
  house: ReadonlyMap<string, Plain>,
): void {
  const gone = [...house.values()].filter(
    ({ externalId }) => !there.reservations.get(externalId ?? '')?.value,
  )
  const ofGone = new Set(gone.flatMap((each) => each.payments ?? []).map(({ id }) => id))
  const recorded = [...there.reservations.values()].flatMap(({ value }) => value?.payments ?? [])
  const sorted = (pairs: [string, number][]) => pairs.sort(([a], [b]) => a.localeCompare(b))
  assert.deepEqual(
    sorted(recorded.map(({ id, amount }) => [id, amount])),
    sorted([...payments].filter(([id]) => !ofGone.has(id))),
  )
}

/** No unit is given to two stays that hold it at the same time, but for the stays of which that is `listed` as a conflict. */
export function expectNobodyShares(
  book: ReadonlyMap<string, Plain>,
  listed: ReadonlySet<string> = new Set(),
): void {
  const holding = [...book.values()]
    .flatMap(({ stays }) => stays)
    .filter(({ status }) => status === 'Confirmed' || status === 'InHouse')
  const byUnit = Map.groupBy(
    holding.flatMap((stay) => (stay.units ?? []).map(({ unitName }) => ({ unitName, stay }))),
    ({ unitName }) => unitName,
  )
  for (const [name, held] of byUnit) {
    if (!name) continue
    const sorted = held.map(({ stay }) => stay).sort((a, b) => a.startDate.localeCompare(b.startDate))
    for (const [at, stay] of sorted.entries()) {
      const after = sorted[at + 1]
      const isListed = [stay, after].some((each) => listed.has(each?.localId ?? ''))
      if (after && !isListed)
        assert.ok(
          stay.endDate <= after.startDate,
          `${name} is given to two: ${JSON.stringify([stay, after])}`,
        )
    }
  }
}

/** What the house wrote down as events is what the PMS has heard: each, by its number, whatever was sent again. */
async function expectEventsOnce(ask: Ask, pms: SimulatedPms): Promise<void> {
  const sequenceOf = (each: object) => String((each as { sequence?: string }).sequence)
  const heardOnce = () =>
    [...new Map(pms.received.map((each) => [each.id, sequenceOf(each)]))]
      .sort(([, one], [, other]) => one.localeCompare(other))
      .map(([id]) => id)
  // Others may happen meanwhile: that it is in step is an event itself.
  const written = await eventsOf(ask)
  const last = written.at(-1) ?? ''
  for (let tries = 0; tries < 500 && !heardOnce().includes(last); tries++) await passTime(20)
  const heard = heardOnce()
  const first = written.indexOf(heard[0] ?? '')
  assert.ok(first >= 0, 'the PMS has heard something')
  assert.deepEqual(heard.slice(0, heard.indexOf(last) + 1), written.slice(first))
}

async function eventsOf(ask: Ask): Promise<string[]> {
  const written: string[] = []
  for (let next: string | null = '/api/v2/events?page[size]=1000'; next; ) {
    const { status, body, text } = await ask('GET', next)
    assert.equal(status, 200, text)
    written.push(...body.data.map(({ id }: { id: string }) => id))
    next = body.data.length > 0 ? (body.links?.next ?? null) : null
  }
  return written
}
