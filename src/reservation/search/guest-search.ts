import type { GuestFactor } from '../../jsonapi/guests.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import { type Named, nameMatcher } from '../profiles/named.ts'
import { isOnFile } from '../profiles/on-file.ts'
import type { Moment } from '../resources/house.ts'
import { type Profile, profile } from '../resources/profile.ts'
import { reservation } from '../resources/reservation.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { staysIn } from '../stays/find-stays.ts'
import { isExpectedOrInHouse, isLive } from '../stays/rules/status-rules.ts'
import { isGuest } from '../values/profile-role.ts'
import { staysOfDays } from './known-stays.ts'

/** What a guest says to find a stay. */
interface GuestSearch {
  numbers: Filter[]
  /** Each says how a person has a name that the guest has typed. */
  names: ReturnType<typeof nameMatcher>[]
  arrivals: Filter[]
  /** Something that the profile of the guest has; null when it is not given. */
  onFile: string | null
}

const numbers = ['externalId', 'stays.externalId', 'reservationIds.value', 'reservationIds.searchForm']
const exactNumbers = [...numbers, ...numbers.map((path) => `stays.${path}`)]
const lastNames = ['profile.lastName', 'profiles.lastName', 'stays.profiles.lastName']
/** The normalized name lets a guest type Garcia for García, and DeVries for De Vries. */
const plainNames = lastNames.map((path) => path.replace('lastName', 'normalizedName'))
const arrivals = ['arrival', 'stays.startDate']
/** The parameter of what is on file. It is no filter of a list, because a filter of a list could be tried with all values. */
export const onFileParameter = 'filter[profile.onFile]'

/** Splits what is on file from the other parameters of a search. */
export function withoutOnFile(query: URLSearchParams): { rest: URLSearchParams; onFile: string | null } {
  const rest = new URLSearchParams([...query].filter(([name]) => name !== onFileParameter))
  return { rest, onFile: query.get(onFileParameter) }
}

/**
 * Reads the search of a caller that may only find single stays. Throws 403 `kiosk-scope` unless it asks for an exact number,
 * or for a last name and the day of arrival, and for nothing else: each other filter would tell what the guest has to say.
 */
export function readGuestSearch(filters: readonly Filter[], onFile: string | null): GuestSearch {
  const those = (paths: readonly string[], operator: Filter['operator'] = 'eq') =>
    filters.filter((filter) => paths.includes(filter.path) && filter.operator === operator)
  const names = [...those(lastNames), ...those([...lastNames, ...plainNames], 'like')]
  const search = {
    numbers: those(exactNumbers),
    names: names.map(({ value }) => nameMatcher(String(value))),
    arrivals: those(arrivals),
    onFile,
  }
  const known = search.numbers.length + search.names.length + search.arrivals.length
  const isNarrow = search.numbers.length > 0 || (search.names.length > 0 && search.arrivals.length > 0)
  if (isNarrow && known === filters.length) return search
  throw new Problem('kiosk-scope', 'Search by an exact number, or by last name and day of arrival.', {
    meta: {
      scope: 'reservations.read',
      allowed: [
        ...numbers,
        'profile.lastName + arrival',
        'profile.normalizedName[like] + arrival',
        'profile.onFile',
      ],
    },
  })
}

/** Returns the same text for the same answer of a guest, whatever its case and its spaces are. */
export function answerOf(filters: readonly Filter[], onFile: string | null): string {
  const plain = (value: unknown) => String(value).toLowerCase().replaceAll(/\s+/g, '')
  const said = filters.map(({ path, operator, value }) => `${path} ${operator} ${plain(value)}`)
  return JSON.stringify([...said.sort(), onFile === null ? null : plain(onFile)])
}

/** What a search has found. */
export interface FoundStays {
  /** What the guest has said. */
  asked: GuestFactor[]
  /** The stays for which something that the guest has said is right, and what is. */
  factors: Map<string, Set<GuestFactor>>
  /** The reservations of the stays for which everything is right: those with an open stay first, then the newest. */
  reservationIds: string[]
  /** These stays. */
  stayIds: Set<string>
  /** Their guests who have the typed name, the most exact first; none without a name. */
  named: string[]
}

/** The largest number of reservations that a search looks at. */
const mostCandidates = 1_000

/**
 * Finds the stays of a guest. A name must be the whole last name of a guest of the stay. Who has the name by its very letters goes
 * before who has it in another spelling: `Bruel` finds Brül only where there is no Bruel. Guests of one booking, which may spell
 * the name of a family in two ways, are found together. Until check-out time, who arrives today may have been expected yesterday.
 */
export function findStays(
  reader: Reader,
  search: GuestSearch,
  moment: Pick<Moment, 'today' | 'night'>,
): FoundStays {
  const asked = [
    ...(search.numbers.length > 0 ? (['number'] as const) : []),
    ...(search.names.length > 0 ? (['name'] as const) : []),
    ...(search.onFile === null ? [] : (['onFile'] as const)),
  ]
  const days = daysOf(search.arrivals, moment)
  const all = candidates(reader, search, days)
    .flatMap((id) => staysIn(reader, id))
    .filter(({ startDate }) => days === null || days.includes(startDate))
    .map((stay) => ({ stay, ...rightFor(reader, stay, search) }))
  const isRight = ({ factors }: { factors: Set<GuestFactor> }) => factors.size === asked.length
  const found = all.filter(isRight)
  const best = bestOf(found)
  const booked = new Set(found.flatMap(({ stay, match }) => (match <= best ? [stay.reservationId] : [])))
  for (const each of found) if (!booked.has(each.stay.reservationId)) each.factors.delete('name')
  const own = found.filter(isRight)
  return {
    asked,
    factors: new Map(all.flatMap(({ stay, factors }) => (factors.size > 0 ? [[stay.id, factors]] : []))),
    reservationIds: openFirst(own.map(({ stay }) => stay)),
    stayIds: new Set(own.map(({ stay }) => stay.id)),
    named: search.names.length === 0 ? [] : idsOf(own.flatMap(({ named }) => named)),
  }
}

/** The days on which the arrival may be that the guest has said; null where none was said. Several days are no day. */
function daysOf(
  arrivals: readonly Filter[],
  { today, night }: Pick<Moment, 'today' | 'night'>,
): string[] | null {
  if (arrivals.length === 0) return null
  const [day, ...others] = new Set(arrivals.map(({ value }) => String(value)))
  if (others.length > 0) return []
  return day === today ? [...new Set([today, night])] : [day!]
}

/** The ids of the reservations that may be meant, oldest first. */
function candidates(reader: Reader, { numbers, names }: GuestSearch, days: string[] | null): string[] {
  if (numbers.length > 0) {
    const query = { filters: numbers, sort: [], page: { size: mostCandidates } }
    return reader.rows(reservation, query).map(({ id }) => id)
  }
  const named = staysOfDays(reader, days ?? []).filter(({ people }) =>
    people.some((each) => matchOf(each, names) !== null),
  )
  const ids = named.flatMap(({ id }) => reader.row(stay, id)?.reservationId ?? [])
  return [...new Set(ids)].sort().slice(0, mostCandidates)
}

/** What of all that the guest has said is right for a stay, and how the name is: 0 for the very letters, or without a name. */
function rightFor(
  reader: Reader,
  { profiles }: Stay,
  { numbers, names, onFile }: GuestSearch,
): { factors: Set<GuestFactor>; match: number; named: NamedGuest[] } {
  const factors = new Set<GuestFactor>()
  // All candidates of a number have it.
  if (numbers.length > 0) factors.add('number')
  const guests = guestsOf(profiles ?? []).flatMap(({ id }) => reader.row(profile, id) ?? [])
  const named = guests.flatMap((guest) => {
    const match = matchOf(guest, names)
    return match === null ? [] : [{ guest, match }]
  })
  if (names.length > 0 && named.length > 0) factors.add('name')
  if (onFile !== null && named.some(({ guest }) => isOnFile(guest, onFile))) factors.add('onFile')
  return { factors, match: Math.min(...named.map(({ match }) => match)), named }
}

/** A guest who has the typed name, and how. */
interface NamedGuest {
  guest: Profile
  match: number
}

const idsOf = (named: readonly NamedGuest[]) =>
  named.toSorted((one, other) => one.match - other.match).map(({ guest }) => guest.id)

/** How a person has all of these names: the least exact counts, 0 without names; null where one is that of another. */
function matchOf(person: Named, names: GuestSearch['names']): number | null {
  const matches = names.map((match) => match(person)).filter((match) => match !== null)
  return matches.length < names.length ? null : Math.max(0, ...matches)
}

/** The best match of a name: that of a guest who may check in or is in house, where one is found. */
function bestOf(found: readonly { stay: Stay; match: number }[]): number {
  const expected = found.filter(({ stay }) => isExpectedOrInHouse(stay.status))
  return Math.min(...(expected.length > 0 ? expected : found).map(({ match }) => match))
}

/** The reservations of these stays. Portals give a number again, so those with an open stay go first, the oldest before the others. */
function openFirst(stays: readonly Stay[]): string[] {
  const ids = (some: readonly Stay[]) => some.map(({ reservationId }) => reservationId)
  const open = stays.filter(({ status }) => isLive(status))
  return [...new Set([...ids(open), ...ids(stays).toReversed()])]
}

/** Who sleeps there; if no guest is known, who has booked. */
function guestsOf(profiles: NonNullable<Stay['profiles']>): NonNullable<Stay['profiles']> {
  const guests = profiles.filter(isGuest)
  return guests.length > 0 ? guests : profiles.filter(({ role }) => role === 'Booker')
}
