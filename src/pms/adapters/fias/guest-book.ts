import type { Guest, GuestRecord } from './guest-record.ts'

/** The guests in house, as the PMS has reported them. */
export interface GuestBook {
  /** In the order of arrival of their records. */
  guests(): Guest[]
  /** Applies a record; returns a sentence when it cannot be applied. Applying it a second time changes nothing. */
  apply(record: GuestRecord): string | null
  /**
   * Applies a completed database swap: a guest who is absent in it has left. An incomplete swap (`isWhole` false), and
   * a swap without any guest, prove no absence. Returns sentences about records that cannot be applied.
   */
  swap(records: readonly GuestRecord[], isWhole: boolean): string[]
  /** Adds a guest whom the appliance has in house from this PMS, and whom the PMS has not reported since the start. */
  remember(guest: Guest): void
}

/** The maximum number of guests in house. */
const maxGuests = 20_000

/** The guests whom the PMS has said are in house, by their numbers. */
export function guestBook(): GuestBook {
  const book = new Map<string, Guest>()

  function apply(record: GuestRecord): string | null {
    if (record.is === 'in') return enter(record.guest)
    if (record.is === 'changed') return enter(merged(book.get(record.guest.number), record.guest))
    return record.is === 'out' ? leave(record) : null
  }

  function enter(guest: Guest): string | null {
    const missing = !guest.arrival ? 'GA, the arrival' : !guest.departure ? 'GD, the departure' : null
    if (missing) return `The record of the guest with G# ${guest.number} has no ${missing}.`
    if (!book.has(guest.number) && book.size >= maxGuests) {
      return `More than ${maxGuests} guests are in house; the guest with G# ${guest.number} was not stored.`
    }
    book.set(guest.number, guest)
    return null
  }

  function leave({ number, room, shares }: GuestRecord & { is: 'out' }): string | null {
    if (number !== null) {
      // A departure from another room than his current one is late: he has moved since, and is still in house.
      if (room === null || book.get(number)?.room === room) book.delete(number)
      return null
    }
    const there = [...book.values()].filter((guest) => guest.room === room)
    // A record without a share flag may be of one of those who are known to share.
    if (there.length > 1 && (shares ?? there.some((guest) => guest.shares))) {
      return `One of ${there.length} guests has left room ${room}, but the record has no G#, so it is not known who.`
    }
    for (const guest of there) book.delete(guest.number)
    return null
  }

  function swap(records: readonly GuestRecord[], isWhole: boolean): string[] {
    const problems: string[] = []
    const seen = new Set<string>()
    for (const record of records) {
      // A room that a swap reports as vacant has no guest whom the swap does not name.
      if (record.is === 'out' && record.number === null) clear(record.room, seen)
      else {
        const problem = apply(record)
        if (problem) problems.push(problem)
        if (record.is === 'in' || record.is === 'changed') seen.add(record.guest.number)
      }
    }
    const unseen = [...book.keys()].filter((number) => !seen.has(number))
    if (unseen.length === 0) return problems
    const isReadable = isWhole && problems.length === 0
    if (isReadable && seen.size > 0) for (const number of unseen) book.delete(number)
    else problems.push(absenceUnproven(unseen.length, isReadable))
    return problems
  }

  function clear(room: string | null, seen: ReadonlySet<string>): void {
    for (const guest of [...book.values()]) {
      if (guest.room === room && !seen.has(guest.number)) book.delete(guest.number)
    }
  }

  return {
    guests: () => [...book.values()],
    apply,
    swap,
    remember(guest) {
      if (!book.has(guest.number) && book.size < maxGuests) book.set(guest.number, guest)
    },
  }
}

/** A change contains current values. A field that is absent keeps its value: it may only not have been sent. */
function merged(before: Guest | undefined, change: Guest): Guest {
  if (!before) return change
  const reported = Object.entries(change).filter(([, value]) => value !== null)
  const { isRemembered, ...known } = before
  return { ...known, ...Object.fromEntries(reported) }
}

function absenceUnproven(absent: number, isReadable: boolean): string {
  const why = isReadable ? 'tells no guest at all' : 'has records that cannot be read'
  return `The database swap ${why}; guests who are not in it (${absent}) stay in house until a swap is complete or they leave.`
}
