import type { Guest, GuestRecord } from './guest-record.ts'

/** Who is in house as far as the PMS has told. */
export interface GuestBook {
  /** In the order in which they came. */
  guests(): Guest[]
  /** Takes what a record says; a sentence where it cannot be taken. A record that comes late or twice changes nothing. */
  take(record: GuestRecord): string | null
  /**
   * Takes a database swap that has come to its end: who is not told in it has left. Not so when it is not `whole`, because
   * something in it could not be read, or when it tells nobody: then absence proves nothing. Gives sentences.
   */
  swap(records: readonly GuestRecord[], isWhole: boolean): string[]
  /** A guest whom the house has in house from this PMS, and of whom the PMS has told nothing yet. */
  remember(guest: Guest): void
}

/** Nobody has more guests in house. */
const mostGuests = 20_000

export function guestBook(): GuestBook {
  const book = new Map<string, Guest>()

  function take(record: GuestRecord): string | null {
    if (record.is === 'in') return enter(record.guest)
    if (record.is === 'changed') return enter(overlaid(book.get(record.guest.number), record.guest))
    return record.is === 'out' ? leave(record) : null
  }

  function enter(guest: Guest): string | null {
    const missing = !guest.arrival ? 'GA, the arrival,' : !guest.departure ? 'GD, the departure,' : null
    if (missing) return `Of the guest with G# ${guest.number} ${missing} is not told.`
    if (!book.has(guest.number) && book.size >= mostGuests) {
      return `More than ${mostGuests} guests are in house; the guest with G# ${guest.number} was not taken.`
    }
    book.set(guest.number, guest)
    return null
  }

  function leave({ number, room, shares }: GuestRecord & { is: 'out' }): string | null {
    if (number !== null) {
      // It is about the room that he had before, when he has another by now.
      if (room === null || book.get(number)?.room === room) book.delete(number)
      return null
    }
    const there = [...book.values()].filter((guest) => guest.room === room)
    if (there.length > 1 && shares) {
      return `One of ${there.length} guests has left room ${room}, and G# does not say who.`
    }
    for (const guest of there) book.delete(guest.number)
    return null
  }

  function swap(records: readonly GuestRecord[], isWhole: boolean): string[] {
    const problems: string[] = []
    const seen = new Set<string>()
    for (const record of records) {
      // Of a room that is vacant in a swap nobody may be named.
      if (record.is === 'out' && record.number === null) clear(record.room, seen)
      else {
        const problem = take(record)
        if (problem) problems.push(problem)
        if (record.is === 'in' || record.is === 'changed') seen.add(record.guest.number)
      }
    }
    const unseen = [...book.keys()].filter((number) => !seen.has(number))
    if (unseen.length === 0) return problems
    const isReadable = isWhole && problems.length === 0
    if (isReadable && seen.size > 0) for (const number of unseen) book.delete(number)
    else problems.push(notBelieved(unseen.length, isReadable))
    return problems
  }

  function clear(room: string | null, seen: ReadonlySet<string>): void {
    for (const guest of [...book.values()]) {
      if (guest.room === room && !seen.has(guest.number)) book.delete(guest.number)
    }
  }

  return {
    guests: () => [...book.values()],
    take,
    swap,
    remember(guest) {
      if (!book.has(guest.number) && book.size < mostGuests) book.set(guest.number, guest)
    },
  }
}

/** A change tells what there is now; a field that is not there may be empty, or not have been told. */
function overlaid(before: Guest | undefined, change: Guest): Guest {
  if (!before) return change
  const told = Object.entries(change).filter(([, value]) => value !== null)
  const { isRemembered, ...known } = before
  return { ...known, ...Object.fromEntries(told) }
}

function notBelieved(absent: number, isReadable: boolean): string {
  const why = isReadable ? 'tells no guest at all' : 'has records that cannot be read'
  return `The database swap ${why}; who is not in it (${absent}) stays in house until one is whole, or he leaves.`
}
