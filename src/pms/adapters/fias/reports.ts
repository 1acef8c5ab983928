import { isDeepStrictEqual } from 'node:util'
import type { SharedReservation } from '../../sync/shared-reservation.ts'
import { type HousekeepingChange, mostChanges, type ReservationChange } from '../../sync-contract.ts'

/**
 * The newest report of each reservation and room, each at a position. Positions serve as revisions and as cursors.
 */
export interface Reports {
  /** The position of the newest report, which is its revision. */
  readonly position: number
  /** Makes all further positions later than this one: reports from before a restart are older. */
  notBefore(position: number): void
  /** Reserves a position without a report. */
  next(): number
  /** Reports the current state of a reservation. Does nothing when it equals the last report. */
  report(value: SharedReservation, isClosed: boolean): void
  /** Reports the housekeeping status of a room. Does nothing when it equals the last report. */
  reportRoom(unitName: string, status: string): void
  /** The last report of a reservation. */
  lastOf(externalId: string): SharedReservation | null
  /** The reports after the position, oldest first; all reports for null. */
  after(position: number | null): ReportPage
  /** Whether no report after the position was dropped. */
  remembers(position: number): boolean
}

interface ReportPage {
  changes: (ReservationChange | HousekeepingChange)[]
  /** The position of the last change of the page. */
  position: number
  more: boolean
}

interface Entry {
  position: number
  isClosed: boolean
  change: ReservationChange | HousekeepingChange
}

/** The maximum number of closed reservations; the oldest are dropped first. */
const maxClosed = 2_000

/** A position is a time in Unix milliseconds, or one more than the position before. */
export function reports(now: () => number): Reports {
  /** In the order of their positions. */
  const entries = new Map<string, Entry>()
  let newest = 0
  let droppedUpTo = 0

  function enter(key: string, change: Entry['change'], isClosed: boolean): void {
    entries.delete(key)
    entries.set(key, { position: newest, isClosed, change })
  }

  function next(): number {
    newest = Math.max(now(), newest + 1)
    return newest
  }

  function dropClosed(): void {
    const closed = [...entries].filter(([, entry]) => entry.isClosed)
    for (const [key, entry] of closed.slice(0, Math.max(0, closed.length - maxClosed))) {
      entries.delete(key)
      droppedUpTo = Math.max(droppedUpTo, entry.position)
    }
  }

  const keyOf = (externalId: string) => `reservation ${externalId}`

  return {
    get position() {
      return newest
    },
    notBefore(position) {
      newest = Math.max(newest, position)
    },
    next,
    report(value, isClosed) {
      const externalId = value.externalId ?? ''
      const before = entries.get(keyOf(externalId))?.change
      if (before?.is === 'reservation' && isDeepStrictEqual(before.value, value)) return
      const changedAt = now()
      enter(
        keyOf(externalId),
        { is: 'reservation', externalId, revision: next(), changedAt, value },
        isClosed,
      )
      if (isClosed) dropClosed()
    },
    reportRoom(unitName, status) {
      const key = `room ${unitName}`
      const before = entries.get(key)?.change
      if (before?.is === 'housekeeping' && before.status === status) return
      enter(key, { is: 'housekeeping', unitName, revision: next(), status }, false)
    },
    lastOf(externalId) {
      const known = entries.get(keyOf(externalId))?.change
      return known?.is === 'reservation' ? known.value : null
    },
    after(from) {
      const later = [...entries.values()].filter(({ position }) => from === null || position > from)
      const page = later.slice(0, mostChanges)
      const more = later.length > page.length
      return {
        changes: page.map(({ change }) => change),
        position: more ? (page.at(-1)?.position ?? newest) : newest,
        more,
      }
    },
    remembers: (position) => position >= droppedUpTo,
  }
}
