import { isDeepStrictEqual } from 'node:util'
import type { SharedReservation } from '../sync/shared-reservation.ts'
import { type HousekeepingChange, mostChanges, type ReservationChange } from '../sync-side.ts'

/** What the house was told, or is to be told: the newest of each reservation and room, each at a place of its own. */
export interface Reported {
  /** The place of the newest; a place is the revision of what stands there. */
  readonly place: number
  /** Places are later than this from now on: what was told before a restart is older. */
  notBefore(place: number): void
  /** A place at which nothing stands. */
  next(): number
  /** What a reservation is now. Nothing happens when it was told so already. */
  tell(value: SharedReservation, isOver: boolean): void
  tellRoom(unitName: string, status: string): void
  /** What was told of a reservation. */
  of(externalId: string): SharedReservation | null
  /** What is later than the place, oldest first; all there is for null. */
  after(place: number | null): ToldPage
  /** Whether nothing that is later than the place was forgotten. */
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

/** Reservations that are over, of which the oldest are forgotten first. */
const mostOver = 2_000

/** Places are moments in Unix milliseconds, or what follows the place before. */
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
      // They stand in the order in which they were told.
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
