import { createHash } from 'node:crypto'
import type { MewsReservation } from './records.ts'

/**
 * The cursor of a pull: in a full load by windows of arrival, or in the changes since a time. Times are Unix
 * milliseconds.
 */
export type PullCursor = (
  | { is: 'all'; startedAt: number; window: number }
  | { is: 'since'; from: number; upTo: number | null }
) & {
  page: string | null
  reported: readonly string[]
  /** The last change of a room that was reported. */
  rooms: number
  /** Stands for the service whose reservations were fetched. */
  service: string
}

/**
 * The overlap of two requests for changes: a change may become visible at Mews later than its own time. Marks in the
 * cursor identify the changes that were already reported.
 */
export const overlapMs = 60_000
/** The maximum number of marks in a cursor. A change without a mark is reported twice, which is harmless. */
const maxMarks = 80

const none = '-'

/** Writes a place in the changes as the text of a cursor. */
export function writeCursor(place: PullCursor): string {
  const page = place.page ?? none
  const marks = place.reported.slice(-maxMarks).join(',')
  const common = [page, marks, place.rooms, place.service]
  if (place.is === 'all') return ['all', place.startedAt, place.window, ...common].join(':')
  return ['since', place.from, place.upTo ?? none, ...common].join(':')
}

/** Null for a missing or invalid cursor, and for one of another service. */
export function readCursor(cursor: string | null, service: string): PullCursor | null {
  const [word, first = '', second = '', page = none, marks = '', rooms = '0', of = service] = (
    cursor ?? ''
  ).split(':')
  if (of !== service) return null
  const from = Number(first)
  if (!/^\d{1,15}$/.test(first) || !/^(-|\d{1,15})$/.test(second)) return null
  const common = {
    page: page === none ? null : page,
    reported: marks === '' ? [] : marks.split(','),
    rooms: Number(rooms) || 0,
    service,
  }
  if (word === 'all' && second !== none) {
    return { is: 'all', startedAt: from, window: Number(second), ...common }
  }
  if (word !== 'since') return null
  return { is: 'since', from, upTo: second === none ? null : Number(second), ...common }
}

/** A short hash of a reservation's state. */
export function markOf(record: MewsReservation): string {
  return markOfText(JSON.stringify(record))
}

/** A short hash of a text. */
export function markOfText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8)
}
