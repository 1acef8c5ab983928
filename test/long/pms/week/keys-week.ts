import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { SharedReservation, SharedStay } from '../../../../src/pms/sync/shared-reservation.ts'
import { random } from '../../../../src/simulators/cloudevents/random.ts'
import type { SimulatedCard } from '../../../../src/simulators/devices/simulated-card.ts'
import { serve, withDoors } from '../../../access/house-with-doors.ts'
import { startAppliance } from '../../../appliance.ts'
import { disagreements } from './agreement.ts'
import { among, booking, dayAfter } from './clerk-deeds.ts'
import { atRest, furnish, link, openPms } from './hotel.ts'
import type { OpenLine } from './line.ts'
import { houseBook, type Plain } from './plain.ts'

const code = 'WK1'
/** By number, as locks are; the guests who come today have the first of them. */
const rooms = Array.from({ length: 48 }, (_, at) => String(501 + at))
const guests = 28
const today = '2026-06-01'

/** A card that was made, with whose it was meant to be. */
export interface Issued {
  keyId: string
  card: SimulatedCard
  unitName: string
  /** Of the stay, as the PMS calls it. */
  of: string
}

export interface Conflict {
  id: string
  reservationId: string
  stayId: string
  fieldGroup: string
  reason: string
  sentence: string
  state: string
  /** What the PMS had said, by pointers. */
  upstream: Record<string, unknown>
}

/** A house with locks and a dispenser, in step with a PMS that has given its guests of today their rooms. */
export async function openKeysWeek(
  t: TestContext,
  { seed, line: openLine }: { seed: number; line: OpenLine },
) {
  const house = await startAppliance()
  t.after(() => house.stop())
  const { ask, clock } = house
  const next = random(seed)
  const units = { [code]: rooms, WK2: [], WLK: [] }
  await furnish(ask, units)
  const doors = await withDoors(house, house.data, clock.now)
  const unitMapping = rooms.map((unitName) => ({ unitName, externalCode: unitName }))
  const mapped = await ask('PATCH', `/api/config/v1/access-providers/${doors.providerId}`, {
    body: { unitMapping },
  })
  assert.equal(mapped.status, 204, mapped.text)
  const { body: settings } = await ask('GET', '/api/config/v1/settings')
  const open = { body: { allowOpenBalance: true } }
  assert.equal((await ask('PATCH', `/api/config/v1/settings/${settings.data[0].id}`, open)).status, 204)

  const pms = openPms(units, clock)
  const line = await openLine(t, pms, clock)
  const names = rooms.slice(0, guests).map((unitName, number) => {
    const value = booking(() => 0.9, number, today)
    const nights = { startDate: today, endDate: dayAfter(today, 3 + Math.floor(next() * 3)) }
    const stays = [{ ...value.stays[0]!, ...nights, amount: null, units: [{ unitTypeCode: code, unitName }] }]
    return pms.book.make({ ...value, stays }).externalId
  })
  const id = await link(ask, line.attributes)
  await atRest(ask, id, pms)

  const week = {
    house,
    doors,
    pms,
    line,
    next,
    /** Of the PMS. */
    names,
    issued: [] as Issued[],
    did: {} as Record<string, number>,
    rest: () => atRest(ask, id, pms, { urge: true, refused: true }),
    synchronise: async (what: 'pull' | 'push') => {
      const reply = await ask('POST', `/api/config/v1/pms-configurations/${id}/actions/${what}`)
      assert.equal(reply.status, 200, reply.text)
    },
    book: async () =>
      new Map([...(await houseBook(ask)).values()].map((each) => [each.externalId!, each] as const)),
    choose: (conflictId: string, counts: 'Pms' | 'Local') =>
      ask('POST', `/api/config/v1/sync-conflicts/${conflictId}/actions/choose`, { body: { counts } }),
    async conflicts(filter = ''): Promise<Conflict[]> {
      const { body, text } = await ask('GET', `/api/config/v1/sync-conflicts?page[size]=100${filter}`)
      assert.ok(body.data, text)
      return body.data.map((each: { id: string; attributes: Conflict }) => ({
        ...each.attributes,
        id: each.id,
      }))
    },
    /** Where the two do not say the same, by the reservation. */
    differing(book: ReadonlyMap<string, Plain>): Map<string, string[]> {
      const found = [...pms.book.reservations].map(([name, { value }]) => {
        const mine = book.get(name)
        return [name, mine ? disagreements(mine, value) : [`${name} is not in the house`]] as const
      })
      return new Map(found.filter(([, each]) => each.length > 0))
    },
    statusOf: async (keyId: string) => String((await doors.key(keyId)).status),
  }
  return week
}

export type KeysWeek = Awaited<ReturnType<typeof openKeysWeek>>

export const stayIn = (book: ReadonlyMap<string, Plain>, name: string) => book.get(name)!.stays[0]!
export const roomOf = ({ units }: Pick<SharedStay, 'units'>) => units?.[0]?.unitName ?? null

/** The desk makes a guest a card for the room that he has, or another instead of one that he has lost. */
export async function makeCard(
  { doors, issued }: KeysWeek,
  { externalId, startDate, endDate, units }: SharedStay,
) {
  const unitName = units![0]!.unitName!
  const { id, card } = await serve(doors as never, unitName, { externalId, startDate, endDate })
  issued.push({ keyId: id, card, unitName, of: externalId! })
}

export async function patchStay({ house }: KeysWeek, { localId, stays }: Plain, body: object): Promise<void> {
  const path = `/api/v2/reservations/${localId}/stays/${stays[0]!.localId}`
  const reply = await house.ask('PATCH', path, { body })
  assert.equal(reply.status, 204, reply.text)
}

/** What becomes of a guest at the desk, in the order of the days; each has one of these lives. */
const lives: Record<string, (week: KeysWeek, guest: Plain) => Promise<void>> = {
  async 'comes and gets a card'(week, guest) {
    await patchStay(week, guest, { status: 'InHouse' })
    await makeCard(week, guest.stays[0]!)
  },
  async 'comes and loses his card'(week, guest) {
    await lives['comes and gets a card']!(week, guest)
    await makeCard(week, guest.stays[0]!)
  },
  async 'comes and leaves'(week, guest) {
    await lives['comes and gets a card']!(week, guest)
    week.house.clock.advance(1_200_000)
    await patchStay(week, guest, { status: 'CheckedOut' })
  },
  async 'gets a card before he comes'(week, guest) {
    await makeCard(week, guest.stays[0]!)
  },
  async 'comes without a card'(week, guest) {
    await patchStay(week, guest, { status: 'InHouse' })
  },
  async 'does not come'() {},
}

/** What a clerk does to a guest, knowing nothing of the house but giving no room twice. */
const clerkDeeds: Record<string, (week: KeysWeek, value: SharedReservation, stay: SharedStay) => void> = {
  moves(week, value, stay) {
    stay.units = [{ unitTypeCode: code, unitName: freeThere(week, value, stay) }]
  },
  prolongs(week, value, stay) {
    stay.endDate = dayAfter(stay.endDate, 1)
    if (!isFreeThere(week, value, stay, roomOf(stay)!)) clerkDeeds.moves!(week, value, stay)
  },
  postpones(week, value, stay) {
    stay.startDate = dayAfter(stay.startDate, 1)
    clerkDeeds.prolongs!(week, value, stay)
  },
  shortens(_, __, stay) {
    stay.endDate = dayAfter(stay.startDate, 2)
  },
  cancels(_, __, stay) {
    stay.status = 'Canceled'
  },
  'takes the room away'(_, __, stay) {
    stay.units = [{ unitTypeCode: code, unitName: null }]
  },
}

function isFreeThere(
  { pms }: KeysWeek,
  { externalId }: SharedReservation,
  stay: SharedStay,
  unitName: string,
): boolean {
  return [...pms.book.reservations.values()].every(
    ({ externalId: name, value }) =>
      name === externalId ||
      (value?.stays ?? []).every(
        (each) =>
          each.status === 'Canceled' ||
          roomOf(each) !== unitName ||
          each.startDate >= stay.endDate ||
          stay.startDate >= each.endDate,
      ),
  )
}

/** Rather one that was another's until now. */
function freeThere(week: KeysWeek, value: SharedReservation, stay: SharedStay): string {
  const free = rooms.filter((name) => name !== roomOf(stay) && isFreeThere(week, value, stay, name))
  const was = free.filter((name) => Number(name) <= 500 + guests)
  return was.length > 0 && week.next() < 0.7 ? among(week.next, was) : among(week.next, free)
}

/** What the clerk does to the first of them, whatever chance says: those with a card are moved, and who has left is canceled. */
const certain = ['moves', 'moves', 'cancels']

/** Two days go by in which each side does what it will, and somebody new is given a room by the PMS. */
export async function liveApart(week: KeysWeek): Promise<void> {
  const { house, pms, names, next, did } = week
  const book = await week.book()
  const count = (what: string) => {
    did[what] = (did[what] ?? 0) + 1
  }
  const [kinds, deeds] = [Object.keys(lives), [...Object.keys(clerkDeeds), 'deletes', 'leaves alone']]
  for (const [at, name] of names.entries()) {
    const life = at < kinds.length ? kinds[at]! : among(next, kinds)
    house.clock.advance(600_000)
    await lives[life]!(week, book.get(name)!)
    count(life)
  }
  house.clock.advance(36 * 3_600_000)
  for (const [at, name] of names.entries()) {
    const deed = certain[at] ?? among(next, deeds)
    const value = structuredClone(pms.book.reservations.get(name)!.value!)
    if (deed === 'deletes') pms.book.remove(name)
    else if (deed in clerkDeeds) {
      clerkDeeds[deed]!(week, value, value.stays[0]!)
      pms.book.put(name, value)
    }
    count(deed)
    if (deed === 'cancels' || at % 3 === 0) {
      const canceled = deed === 'cancels' ? rooms[at]! : null
      books(week, 1_000 + at, canceled)
    }
  }
}

/** Somebody who comes on the third day, in a room that is free for all that the PMS knows. */
function books(week: KeysWeek, number: number, unitName: string | null): void {
  const value = booking(week.next, number, today)
  const stay = {
    ...value.stays[0]!,
    startDate: dayAfter(today, 2),
    endDate: dayAfter(today, 5),
    amount: null,
  }
  const isFree = unitName !== null && isFreeThere(week, value, stay, unitName)
  stay.units = [{ unitTypeCode: code, unitName: isFree ? unitName : freeThere(week, value, stay) }]
  week.pms.book.make({ ...value, stays: [stay] })
}
