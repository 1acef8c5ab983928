import { createHash } from 'node:crypto'
import type { MewsReservation } from './records.ts'

/** Where a pull is: in a full load by windows of arrival, or in what has changed since a moment. Moments in Unix milliseconds. */
export type Place =
  | { is: 'all'; startedAt: number; window: number; page: string | null; told: readonly string[] }
  | { is: 'since'; from: number; upTo: number | null; page: string | null; told: readonly string[] }

/**
 * How far what has changed is looked at again: what is written there at one moment may be seen there at a later one. What
 * was told of it already is known by its marks.
 */
export const overlapMs = 60_000
/** Marks in a cursor. Without its mark something is told twice, which does no harm. */
const mostMarks = 80

const none = '-'

export function writePlace(place: Place): string {
  const page = place.page ?? none
  const marks = place.told.slice(-mostMarks).join(',')
  if (place.is === 'all') return ['all', place.startedAt, place.window, page, marks].join(':')
  return ['since', place.from, place.upTo ?? none, page, marks].join(':')
}

/** Null for no cursor, and for one that is none of ours. */
export function readPlace(cursor: string | null): Place | null {
  const [word, first = '', second = '', page = none, marks = ''] = (cursor ?? '').split(':')
  const from = Number(first)
  if (!/^\d{1,15}$/.test(first) || !/^(-|\d{1,15})$/.test(second)) return null
  const at = page === none ? null : page
  const told = marks === '' ? [] : marks.split(',')
  if (word === 'all' && second !== none)
    return { is: 'all', startedAt: from, window: Number(second), page: at, told }
  if (word !== 'since') return null
  return { is: 'since', from, upTo: second === none ? null : Number(second), page: at, told }
}

/** A short name for a reservation as it is. */
export function markOf(record: MewsReservation): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 8)
}
