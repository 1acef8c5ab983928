import { isDeepStrictEqual } from 'node:util'
import type { SharedReservation } from '../../sync/shared-reservation.ts'
import { type HousekeepingChange, mostChanges, type ReservationChange } from '../../sync-contract.ts'

/**
 * The newest report of each reservation and room, each with a position. Positions serve as revisions and as cursors.
 */
export interface Reported {
  /** The position of the newest report, which is its revision. */
  readonly place: number
  /** Makes all further positions later than this one: reports from before a restart are older. */
  notBefore(place: number): void
  /** Reserves a position without a report. */
  next(): number
  /** Reports the current state of a reservation. Does nothing when it equals the last report. */
  tell(value: SharedReservation, isOver: boolean): void
  tellRoom(unitName: string, status: string): void
  /** The last report of a reservation. */
  of(externalId: string): SharedReservation | null
  /** The reports after the position, oldest first; all reports for null. */
  after(place: number | null): ToldPage
  /** Whether no report after the position was dropped. */
  remembers(place: number): boolean
}

interface ToldPage {
  changes: (ReservationChange | HousekeepingChange)[]
  place: number
  more: boolean
}

interface Entry {
  place: number
  isOver: boolean
  change: ReservationChange | HousekeepingChange
}

/** The maximum number of closed reservations; the oldest are dropped first. */
const mostOver = 2_000

/** A position is a time in Unix milliseconds, or one more than the position before. */
export function reported(now: () => number): Reported {
  const entries = new Map<string, Entry>()
  let place = 0
  let forgotten = 0

  function enter(key: string, change: Entry['change'], isOver: boolean): void {
    entries.delete(key)
    entries.set(key, { place, isOver, change })
  }

  function next(): number {
    place = Math.max(now(), place + 1)
    return place
  }

  function forgetOver(): void {
    const over = [...entries].filter(([, entry]) => entry.isOver)
    for (const [key, entry] of over.slice(0, Math.max(0, over.length - mostOver))) {
      entries.delete(key)
      forgotten = Math.max(forgotten, entry.place)
    }
  }

  const keyOf = (externalId: string) => `reservation ${externalId}`

  return {
    get place() {
      return place
    },
    notBefore(other) {
      place = Math.max(place, other)
    },
    next,
    tell(value, isOver) {
      const externalId = value.externalId ?? ''
      const before = entries.get(keyOf(externalId))?.change
      if (before?.is === 'reservation' && isDeepStrictEqual(before.value, value)) return
      const changedAt = now()
      enter(keyOf(externalId), { is: 'reservation', externalId, revision: next(), changedAt, value }, isOver)
      if (isOver) forgetOver()
    },
    tellRoom(unitName, status) {
      const key = `room ${unitName}`
      const before = entries.get(key)?.change
      if (before?.is === 'housekeeping' && before.status === status) return
      enter(key, { is: 'housekeeping', unitName, revision: next(), status }, false)
    },
    of(externalId) {
      const known = entries.get(keyOf(externalId))?.change
      return known?.is === 'reservation' ? known.value : null
    },
    after(from) {
      // The map keeps the order of the reports.
      const later = [...entries.values()].filter((entry) => from === null || entry.place > from)
      const page = later.slice(0, mostChanges)
      const more = later.length > page.length
      return {
        changes: page.map(({ change }) => change),
        place: more ? (page.at(-1)?.place ?? place) : place,
        more,
      }
    },
    remembers: (from) => from >= forgotten,
  }
}
