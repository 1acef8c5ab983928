import type { Likeness } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import { lettersOf } from '../../resource/values/letters.ts'

export const reservationIdTypes = [
  'Master',
  'Confirmation',
  'Channel',
  'Pms',
  'Group',
  'Cancellation',
  'TravelAgent',
  'Voucher',
  'Other',
] as const
export type ReservationIdType = (typeof reservationIdTypes)[number]

interface ReservationId {
  type: ReservationIdType
  value: string
  source?: string | null
}

/** Returns the entries with their search forms. Throws 422 `reservation-id-duplicate-type` when two have the same type. */
export function reservationIds(
  entries: readonly ReservationId[],
): (ReservationId & { searchForm: string })[] {
  const ids = new Map<ReservationIdType, ReservationId & { searchForm: string }>()
  for (const [at, { type, value, source }] of entries.entries()) {
    if (ids.has(type)) {
      throw new Problem('reservation-id-duplicate-type', `There is more than one id of type ${type}.`, {
        pointer: `/reservationIds/${at}/type`,
        meta: { type },
      })
    }
    ids.set(type, {
      type,
      value,
      ...(typeof source === 'string' && { source }),
      searchForm: searchForm(value),
    })
  }
  return [...ids.values()]
}

/** The signs that a search form keeps, as the releases before did. SQLite takes them out of the plain form: see `plainForm`. */
const signs = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~‐‒–—―−•·’‘“”„‚«»§¶°×÷†‡⁄']
/** Those that most numbers have, if any. */
const usualSigns = [...'-/_.#']

/**
 * Returns a confirmation number as it is stored for searching, in upper case. The release before compares it with what a guest types
 * without spaces, so it keeps the signs that such numbers have.
 */
export function searchForm(value: string): string {
  const kept = Array.from(value.normalize('NFKC'), (each) => (signs.includes(each) ? each : plainForm(each)))
  return kept.join('').normalize('NFKC')
}

/** Returns a confirmation number in the form that is compared: its letters and digits, in upper case. */
export function plainForm(typed: string): string {
  return lettersOf(typed).toUpperCase().normalize('NFKC')
}

/** The paths of a number in a list of them at this path. */
export const numbersOf = (path: string): string[] => [`${path}.value`, `${path}.searchForm`]

/** How a part of a number is compared. */
export const numberSearch: Likeness = {
  parts: (typed) => (plainForm(typed) === '' ? [] : [{ texts: [plainForm(typed)] }]),
  text: plainForm,
  sql: (column) => column,
}

const without = (some: readonly string[]) =>
  some.reduce((sql, sign) => `replace(${sql}, '${sign === "'" ? "''" : sign}', '')`, 'searchForm')

/**
 * The SQL of the plain form of a stored search form; null where it has no letter and no digit, which is what no guest types. SQLite
 * works it out for each row that it looks at, so most numbers pass few calls.
 */
export const plainFormSql = `nullif(CASE ${[
  `WHEN searchForm NOT GLOB '*[^0-9A-Z]*' THEN searchForm`,
  `WHEN searchForm NOT GLOB '*[^${usualSigns.join('')}0-9A-Z]*' THEN ${without(usualSigns)}`,
  `ELSE ${without(signs)}`,
].join(' ')} END, '')`
