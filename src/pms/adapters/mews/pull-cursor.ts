import { createHash } from 'node:crypto'
import type { MewsReservation } from './records.ts'

/**
 * The cursor of a pull: in a full load by windows of arrival, or in the changes since a time. Times are Unix
 * milliseconds.
 */
export type PullCursor =
  | { is: 'all'; startedAt: number; window: number; page: string | null; reported: readonly string[] }
  | { is: 'since'; from: number; upTo: number | null; page: string | null; reported: readonly string[] }

/**
 * The overlap of two requests for changes: a change may become visible at Mews later than its own time. Marks in the
 * cursor identify the changes that were already reported.
 */
export const overlapMs = 60_000
/** The maximum number of marks in a cursor. A change without a mark is reported twice, which is harmless. */
const maxMarks = 80

const none = '-'

export function writeCursor(place: PullCursor): string {
  const page = place.page ?? none
  const marks = place.reported.slice(-maxMarks).join(',')
  if (place.is === 'all') return ['all', place.startedAt, place.window, page, marks].join(':')
  return ['since', place.from, place.upTo ?? none, page, marks].join(':')
}

/** Null for a missing or invalid cursor. */
export function readCursor(cursor: string | null): PullCursor | null {
  const [word, first = '', second = '', page = none, marks = ''] = (cursor ?? '').split(':')
  const from = Number(first)
  if (!/^\d{1,15}$/.test(first) || !/^(-|\d{1,15})$/.test(second)) return null
  const at = page === none ? null : page
  const reported = marks === '' ? [] : marks.split(',')
  if (word === 'all' && second !== none)
    return { is: 'all', startedAt: from, window: Number(second), page: at, reported }
  if (word !== 'since') return null
  return { is: 'since', from, upTo: second === none ? null : Number(second), page: at, reported }
}

/** A short hash of a reservation's state. */
export function markOf(record: MewsReservation): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 8)
}
