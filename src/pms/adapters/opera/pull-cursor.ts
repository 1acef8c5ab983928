import { createHash } from 'node:crypto'

/** The place of the fetching between two pages. Marks of time are `lastModifyDateTime` as numbers. */
export interface PullCursor {
  /** The latest change that was seen in a round that is over. */
  seen: number
  /** Changes from here on are reported by the next round of the days around today. */
  near: number
  /** Changes from here on are reported by the next round of all stays; null before the first. */
  all: number | null
  /** When the last round of all stays began, by the clock of the appliance. */
  allAt: number
  /** Short hashes of the states that were reported last. */
  reported: readonly string[]
  /** Stands for the states of the rooms that were reported last. */
  rooms: string
  /** The offset of the stream up to which the named reservations were fetched. */
  stream?: string | null
  /** The property whose reservations were fetched; absent before the first page. */
  hotelId?: string
  /** The place in a round; null between two rounds. */
  at: Round | null
}

export interface Round {
  is: 'near' | 'all'
  /** The day of its beginning, YYYY-MM-DD. */
  today: string
  /** When it began, by the clock of the appliance. */
  beganAt: number
  step: number
  offset: number
  /** The mark for the round after this one. */
  next: number
  /** The latest change that was seen in this round. */
  latest: number
}

/** The maximum number of hashes in a cursor. A change without one may be reported twice, which is harmless. */
const mostReported = 60

export const firstCursor: PullCursor = {
  seen: 0,
  near: 0,
  all: null,
  allAt: 0,
  reported: [],
  rooms: '',
  at: null,
}

/** Writes a place in the changes as the text of a cursor. */
export function writeCursor({ reported, ...cursor }: PullCursor): string {
  return JSON.stringify({ v: 1, ...cursor, reported: reported.slice(-mostReported).join('') })
}

/** Null for a missing cursor, and for one that this version has not written. */
export function readCursor(text: string | null): PullCursor | null {
  if (text === null) return null
  try {
    const { v, reported, ...cursor } = JSON.parse(text) as Omit<PullCursor, 'reported'> & {
      v: number
      reported: unknown
    }
    if (v !== 1 || typeof reported !== 'string') return null
    return { ...cursor, reported: reported.match(/.{8}/g) ?? [] }
  } catch {
    return null
  }
}

/** A short hash of a reservation's state. */
export function hashOf(record: unknown): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 8)
}
