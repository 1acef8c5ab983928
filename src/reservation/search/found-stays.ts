import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter, SortKey } from '../../resource/query.ts'
import { lettersOf } from '../../resource/values/letters.ts'
import { stayOfCode } from '../hand-over/hand-over-code.ts'
import { nameMatcher } from '../profiles/named.ts'
import { handOver } from '../resources/hand-over.ts'
import { profile } from '../resources/profile.ts'
import { unit } from '../resources/unit.ts'
import type { StayStatus } from '../stays/rules/status-rules.ts'
import { dateAfter } from '../stays/rules/stay-dates.ts'
import { plainForm } from '../values/reservation-ids.ts'
import { currentStays, type KnownStay, type Match, staysOfIds, staysOfNumbers } from './known-stays.ts'
import { nearName } from './near-name.ts'
import { staysInRooms } from './rooms.ts'

/** How a stay was found, in the order of the answer. A stay that was found in several ways is listed in the first of them. */
export const kinds = ['code', 'number', 'room', 'guest', 'nearName'] as const
export type Kind = (typeof kinds)[number]

/** What a clerk has typed, and what the search works with. */
export interface Search {
  reader: Reader
  typed: string
  /** Unix milliseconds. */
  now: number
  /** The date of the property, YYYY-MM-DD. */
  today: string
  may(scope: string): boolean
  /** Whether no client waits for the answer any more: each typed letter ends the search for those before it. */
  isGone(): boolean
  /** Returns the ids of the first `most` stays that pass the filters. May reject with `busy`. */
  idsOf(filters: readonly Filter[], most: number, sort?: SortKey): Promise<string[]>
}

/** The stays, best first, and the kinds that have not answered, each with its Problem. */
export interface Found {
  stays: { id: string; foundBy: Kind }[]
  unanswered: { kind: Kind; problem: Problem }[]
}

type Asked = Exclude<Kind, 'nearName'>

/** The largest number of stays of a kind. */
const mostOfKind = 8
/** The largest number of stays of current guests that are compared by how exactly they have the name. */
const mostCompared = 100
/** So many stays are read and compared with a mistyped name at a time, which takes 1 to 2 ms, and 9 ms where the name has the most spellings. */
const sliceOfStays = 100

/** Each kind, and the scope that it needs beside that of the search. A kind for which the caller has no scope is left out. */
const searches: Record<Asked, { scope: string; run(search: Search): Match[] | Promise<Match[]> }> = {
  code: { scope: handOver.scopes.read, run: byCode },
  number: { scope: 'reservations.read', run: byNumber },
  room: {
    scope: unit.scopes.read,
    run: ({ reader, typed, today }) => staysInRooms(reader, typed, today),
  },
  guest: { scope: profile.scopes.read, run: byName },
}

/**
 * Finds the stays that a typed text may mean: the code of a kiosk, a number, a room or the name of a guest. Only where these find
 * no guest who is in house or still to come, guests with nearly that name are found. At most eight of each kind. If a kind is
 * refused, such as with `busy`, the others still answer. A text without a letter or digit finds no stay.
 */
export async function foundStays(search: Search): Promise<Found> {
  if (!/[\p{L}\p{N}]/u.test(lettersOf(search.typed))) return { stays: [], unanswered: [] }
  const asked = (Object.keys(searches) as Asked[]).filter((kind) => search.may(searches[kind].scope))
  const answers = await Promise.allSettled(asked.map(async (kind) => searches[kind].run(search)))
  const ranked = ranking(search)
  const unanswered: Found['unanswered'] = []
  for (const [at, kind] of asked.entries()) {
    const answer = answers[at]!
    if (answer.status === 'fulfilled') ranked.add(kind, answer.value)
    else if (answer.reason instanceof Problem) unanswered.push({ kind, problem: answer.reason })
    else throw answer.reason
  }
  if (!ranked.hasCurrent() && !search.isGone() && search.may(profile.scopes.read))
    ranked.add('nearName', await byNearName(search))
  return { stays: ranked.stays, unanswered }
}

function byCode({ reader, typed, now }: Search): Match[] {
  const id = stayOfCode(reader, typed, now)
  return id === null ? [] : [{ id, exactness: 0 }]
}

/** A number as it is typed is more exact than a part of one. */
async function byNumber({ typed, idsOf }: Search): Promise<Match[]> {
  const path = 'reservationIds.searchForm'
  const found = await Promise.all([
    idsOf([{ path, operator: 'eq', value: plainForm(typed) }], mostOfKind, newest),
    idsOf([{ path: 'externalId', operator: 'eq', value: typed }], mostOfKind),
    idsOf([{ path, operator: 'like', value: typed }], mostOfKind, newest),
  ])
  return found.flatMap((ids, at) => ids.map((id) => ({ id, exactness: at === 2 ? 1 : 0 })))
}

const newest: SortKey = { path: 'startDate', descending: true }
const soonest: SortKey = { path: 'startDate', descending: false }

/** Less exact than each `NameMatch`. */
const partOfName = 3

/** Guests in house, guests who are still to come, and former guests are looked for apart: none of them hides the others. */
async function byName({ reader, typed, today, idsOf }: Search): Promise<Match[]> {
  const since = sinceFor(today)
  const named: Filter = { path: 'profile.normalizedName', operator: 'like', value: typed }
  const [inHouse, toCome] = await Promise.all([
    idsOf([{ path: 'status', operator: 'eq', value: 'InHouse' }, named], mostCompared),
    idsOf([{ path: 'endDate', operator: 'gte', value: since }, named], mostCompared, soonest),
  ])
  const ids = new Set([...inHouse, ...toCome])
  if (ids.size < mostOfKind) {
    const former = await idsOf([{ path: 'endDate', operator: 'lt', value: since }, named], mostOfKind, newest)
    for (const id of former) ids.add(id)
  }
  const matchOf = nameMatcher(typed)
  return staysOfIds(reader, [...ids]).map(({ id, people }) => ({
    id,
    exactness: Math.min(partOfName, ...people.flatMap((each) => matchOf(each) ?? [])),
  }))
}

/** Other requests are answered between the slices. Where the client has gone, the rest is left. */
async function byNearName({ reader, typed, today, isGone }: Search): Promise<Match[]> {
  const errors = nearName(typed)
  const found: Match[] = []
  const numbers = currentStays(reader, open, sinceFor(today))
  for (let at = 0; at < numbers.length && !isGone(); at += sliceOfStays) {
    for (const { id, people } of staysOfNumbers(reader, numbers.slice(at, at + sliceOfStays))) {
      const counts = people.map(errors).filter((count) => count !== null)
      if (counts.length > 0) found.push({ id, exactness: Math.min(...counts) })
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return found
}

/** Guests who left yesterday count as current: they may still be asked for. */
const sinceFor = (today: string) => dateAfter(today, -1)

/** Collects the stays kind by kind, each once, in the order of the answer. */
function ranking({ reader, today }: Search) {
  const stays: Found['stays'] = []
  const seen = new Set<string>()
  let isCurrent = false

  function add(kind: Kind, matches: readonly Match[]): void {
    const fresh = Map.groupBy(
      matches.filter(({ id }) => !seen.has(id)),
      ({ id }) => id,
    )
    const ranked = staysOfIds(reader, [...fresh.keys()]).map((stay) => {
      const exactness = Math.min(...fresh.get(stay.id)!.map((match) => match.exactness))
      const place = standing(stay, today)
      return { stay, place, order: orderOf(kind, place, exactness) }
    })
    ranked.sort((one, other) => compared(one.order, other.order) || byDate(one, other))
    isCurrent ||= ranked.some(({ place }) => place !== over)
    // Others may still be found in another way: who is called Zimmer is in one of many rooms called so.
    for (const { stay } of ranked.slice(0, mostOfKind)) {
      seen.add(stay.id)
      stays.push({ id: stay.id, foundBy: kind })
    }
  }

  return { stays, add, hasCurrent: () => isCurrent }
}

const open: readonly StayStatus[] = ['InHouse', 'Confirmed', 'Tentative', 'Waitlisted']
const over = open.length

/** The place of a stay among those of its kind. A stay that should have ended is over unless its guest is in house. */
function standing({ status, endDate }: KnownStay, today: string): number {
  const place = open.indexOf(status)
  return place < 0 || (place > 0 && endDate < sinceFor(today)) ? over : place
}

/**
 * A whole number or room comes before parts of others. Among guests, those who are current come first, of these the ones with the
 * whole name before those with a part of it: eight guests in house called Oliver do not hide Li, who arrives today.
 */
function orderOf(kind: Kind, place: number, exactness: number): number[] {
  if (kind === 'nearName') return [place, exactness]
  if (kind !== 'guest') return [exactness, place]
  return [Number(place === over), Number(exactness === partOfName), place, exactness]
}

function compared(one: readonly number[], other: readonly number[]): number {
  return one.map((each, at) => each - other[at]!).find((difference) => difference !== 0) ?? 0
}

interface Placed {
  stay: KnownStay
  place: number
}

/** Stays that are over: the newest first. Others: the next first, so that arrivals of later months do not hide today's. */
function byDate(one: Placed, other: Placed): number {
  const days = one.stay.startDate.localeCompare(other.stay.startDate)
  return one.place === over ? -days : days
}
