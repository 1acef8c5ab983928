import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import { nameSearch } from '../profiles/name-search.ts'

const numbers = ['externalId', 'stays.externalId', 'reservationIds.value', 'reservationIds.searchForm']
const exactNumbers = [...numbers, ...numbers.map((path) => `stays.${path}`)]
const lastNames = ['profile.lastName', 'profiles.lastName', 'stays.profiles.lastName']
/** The normalized name lets a guest type Garcia for García, and DeVries for De Vries. */
const plainNames = lastNames.map((path) => path.replace('lastName', 'normalizedName'))
const arrivals = ['arrival', 'stays.startDate']
/** The fewest letters of a name in a search with `like`. */
const enoughLetters = 3

/**
 * Throws 403 `kiosk-scope` unless the search of a kiosk is limited to its guest: by an exact number, or by last name
 * and day of arrival.
 */
export function expectNarrow(filters: readonly Filter[]): void {
  const asks = (paths: string[]) =>
    filters.some(({ path, operator }) => operator === 'eq' && paths.includes(path))
  const asksForName = filters.some(
    ({ path, operator, value }) => operator === 'like' && lettersOfName(path, String(value)) >= enoughLetters,
  )
  if (asks(exactNumbers) || ((asks(lastNames) || asksForName) && asks(arrivals))) return
  throw new Problem('kiosk-scope', 'Search by an exact number, or by last name and day of arrival.', {
    meta: {
      scope: 'reservations.read',
      allowed: [...numbers, 'profile.lastName + arrival', 'profile.normalizedName[like] + arrival'],
    },
  })
}

/** The number of letters of the longest part of a name that a filter looks for; 0 for another path. */
function lettersOfName(path: string, value: string): number {
  if (lastNames.includes(path)) return value.trim().length
  if (!plainNames.includes(path)) return 0
  return Math.max(0, ...nameSearch.parts(value).map(({ length }) => length))
}
