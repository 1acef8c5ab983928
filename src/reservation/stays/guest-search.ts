import type { GuestFactor } from '../../jsonapi/guests.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import { nameSearch } from '../profiles/name-search.ts'
import { isNamed, nameVariants } from '../profiles/named.ts'
import { isOnFile } from '../profiles/on-file.ts'
import { profile } from '../resources/profile.ts'
import { reservation } from '../resources/reservation.ts'
import type { Stay } from '../resources/stay.ts'
import { staysIn } from './find-stays.ts'

/** What a guest says to find a stay. */
interface GuestSearch {
  numbers: Filter[]
  names: Filter[]
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
/** The fewest letters by which the search index finds a name. */
const enoughLetters = 3

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
  const search = {
    numbers: those(exactNumbers),
    names: [...those(lastNames), ...those([...lastNames, ...plainNames], 'like')],
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

/** What a search has found. */
interface FoundStays {
  /** What the guest has said. */
  asked: GuestFactor[]
  /** The stays for which something that the guest has said is right, and what is. */
  factors: Map<string, Set<GuestFactor>>
  /** The reservations of the stays for which everything is right, oldest first. */
  reservationIds: string[]
  /** These stays. */
  stayIds: Set<string>
}

/** The largest number of reservations that a search looks at. */
const mostCandidates = 1_000

/** Finds the stays of a guest. A name must be the whole last name of a guest of the stay. */
export function findStays(reader: Reader, search: GuestSearch): FoundStays {
  const asked = [
    ...(search.numbers.length > 0 ? (['number'] as const) : []),
    ...(search.names.length > 0 ? (['name'] as const) : []),
    ...(search.onFile === null ? [] : (['onFile'] as const)),
  ]
  const found: FoundStays = { asked, factors: new Map(), reservationIds: [], stayIds: new Set() }
  for (const id of candidates(reader, search)) {
    const stays = staysIn(reader, id)
    for (const each of stays) {
      const factors = factorsOf(reader, each, search)
      if (factors.size > 0) found.factors.set(each.id, factors)
      if (factors.size === asked.length) found.stayIds.add(each.id)
    }
    if (stays.some((each) => found.stayIds.has(each.id))) found.reservationIds.push(id)
  }
  return found
}

/** The ids of the reservations that may be meant. */
function candidates(reader: Reader, { numbers, names, arrivals }: GuestSearch): string[] {
  const idsBy = (filters: Filter[]) =>
    reader.rows(reservation, { filters, sort: [], page: { size: mostCandidates } }).map(({ id }) => id)
  if (numbers.length > 0) return idsBy(numbers)
  const ids = names.flatMap(byIndex).flatMap((filter) => idsBy([...(filter ? [filter] : []), ...arrivals]))
  return [...new Set(ids)].sort()
}

/** The filters by which the search index finds a name; none for one that is too short: each guest of the day is looked at. */
function byIndex(filter: Filter): (Filter | null)[] {
  if (filter.operator === 'eq') return [filter]
  const { path, value } = filter
  const variants = nameVariants(String(value)).map((each) => ({ ...filter, value: each }))
  const isIndexed = variants.every((each) =>
    plainNames.includes(path)
      ? nameSearch.parts(each.value).some(({ length }) => length >= enoughLetters)
      : each.value.trim().length >= enoughLetters,
  )
  return isIndexed ? variants : [null]
}

function factorsOf(reader: Reader, { startDate, profiles }: Stay, search: GuestSearch): Set<GuestFactor> {
  const { names, onFile } = search
  const factors = new Set<GuestFactor>()
  if (search.arrivals.some(({ value }) => value !== startDate)) return factors
  // All candidates of a number have it.
  if (search.numbers.length > 0) factors.add('number')
  const guests = guestsOf(profiles ?? []).flatMap(({ id }) => reader.row(profile, id) ?? [])
  const named = guests.filter((guest) => names.every(({ value }) => isNamed(guest, String(value))))
  if (names.length > 0 && named.length > 0) factors.add('name')
  if (onFile !== null && named.some((guest) => isOnFile(guest, onFile))) factors.add('onFile')
  return factors
}

/** Who sleeps there; if nobody is known, who has booked. */
function guestsOf(profiles: NonNullable<Stay['profiles']>): NonNullable<Stay['profiles']> {
  const guests = profiles.filter(({ role }) => role === 'PrimaryGuest' || role === 'AdditionalGuest')
  return guests.length > 0 ? guests : profiles.filter(({ role }) => role === 'Booker')
}
