import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'

const numbers = ['externalId', 'stays.externalId', 'reservationIds.value', 'reservationIds.searchForm']
const exactNumbers = [...numbers, ...numbers.map((path) => `stays.${path}`)]
const lastNames = ['profile.lastName', 'profiles.lastName', 'stays.profiles.lastName']
/** A guest called García finds himself on a keyboard without accents. */
const plainNames = lastNames.map((path) => path.replace('lastName', 'normalizedName'))
const arrivals = ['arrival', 'stays.startDate']
/** Letters of a name that are enough to look for it, whatever their case. */
const enoughLetters = 3

/**
 * A kiosk finds the guest in front of it, and nobody else: by an exact number, or by name and day of arrival.
 * Throws 403 `kiosk-scope` for any other search.
 */
export function expectNarrow(filters: readonly Filter[]): void {
  const asks = (paths: string[]) =>
    filters.some(({ path, operator }) => operator === 'eq' && paths.includes(path))
  const asksForName = filters.some(
    ({ path, operator, value }) =>
      operator === 'like' &&
      [...lastNames, ...plainNames].includes(path) &&
      String(value).trim().length >= enoughLetters,
  )
  if (asks(exactNumbers) || ((asks(lastNames) || asksForName) && asks(arrivals))) return
  throw new Problem('kiosk-scope', 'Search by an exact number, or by last name and day of arrival.', {
    meta: {
      scope: 'reservations.read',
      allowed: [...numbers, 'profile.lastName + arrival', 'profile.normalizedName[like] + arrival'],
    },
  })
}
