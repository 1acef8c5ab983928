import type { LinkRecord } from '../../../devices/network/guest-link.ts'
import type { SharedReservation } from '../../sync/shared-reservation.ts'
import type { GuestBook } from './guest-book.ts'
import type { LocalStays } from './local-stays.ts'
import type { Reports } from './reports.ts'
import { type RoomStay, roomStays } from './room-stays.ts'
import { checkedOut, knownHere, sharedForm } from './shared-form.ts'

/** Makes stays of the guests in the book, and reports them. */
export interface StayReporter {
  /**
   * Adds the guests whom the appliance has in house from before a restart to the book, so that a swap can detect their
   * departure.
   */
  remember(): void
  /** The sentences about stays that cannot be reported are due once more: what was said before is settled. */
  complainAgain(): void
  /** Reports all changes of the book. A departure from a room is reported before the next arrival in it. */
  report(): void
  /**
   * The stay of the guest with this number, or the stay whose id is this number; null for a guest who is not in house.
   */
  stayOf(number: string): RoomStay | null
  /**
   * The stay that the guest with this number has left, by his departure or his move from this room, with the guests who are still in it;
   * null for another number or room.
   */
  stayLeftBy(number: string, room: string): RoomStay | null
}

interface ReporterOptions {
  book: GuestBook
  reports: Reports
  localStays: LocalStays
  /** Receives a sentence for each stay that cannot be reported, and the record that says what is wrong. */
  complain(sentence: string, record: LinkRecord): void
  /** Called when the cause of such a sentence is gone. */
  relieved(): void
}

const mostLeft = 1_000

/** Makes reports of stays out of the guests in the book, room by room. */
export function stayReporter({
  book,
  reports,
  localStays,
  complain,
  relieved,
}: ReporterOptions): StayReporter {
  let stays = new Map<string, RoomStay>()
  /** The appliance's own form of remembered stays, for a departure before the first report. */
  const remembered = new Map<string, SharedReservation>()
  /** The unknown room of each stay that has one, by the id of the stay: it causes one complaint. */
  const unknownRooms = new Map<string, string>()
  /** The stays of guests who have left them, by the number of the guest and the room. */
  const left = new Map<string, RoomStay>()
  const placeOf = (number: string, room: string) => JSON.stringify([number, room])

  function keepLeft(before: ReadonlyMap<string, RoomStay>): void {
    for (const stay of before.values()) {
      const members = stays.get(stay.id)?.members ?? []
      for (const number of stay.members) {
        if (!members.includes(number)) left.set(placeOf(number, stay.room), { ...stay, members: [] })
      }
    }
    for (const place of [...left.keys()].slice(0, Math.max(0, left.size - mostLeft))) left.delete(place)
  }

  function reportDeparture({ id }: RoomStay): void {
    const last = reports.lastOf(id) ?? remembered.get(id)
    remembered.delete(id)
    if (unknownRooms.delete(id)) relieved()
    if (last) reports.report(checkedOut(last), true)
  }

  function reportStay(stay: RoomStay, guests: ReturnType<GuestBook['guests']>): void {
    // The PMS has reported nothing about a stay whose guests are all remembered.
    if (guests.every(({ isRemembered }) => isRemembered)) return
    const code = localStays.unitTypeCode(stay.room)
    if (code === null) complainOnce(stay)
    else {
      if (unknownRooms.delete(stay.id)) relieved()
      reports.report(sharedForm(stay, guests, code), false)
    }
  }

  function complainOnce({ id, room, members }: RoomStay): void {
    if (unknownRooms.get(id) === room) return
    unknownRooms.set(id, room)
    complain(
      `Room ${room}, in which the guest with G# ${members[0]} is, does not exist here, or has no type. Add the room or correct its name.`,
      { id: 'GI', fields: { 'G#': id, RN: room } },
    )
  }

  return {
    remember() {
      for (const { stay, guests } of localStays.inHouse()) {
        if (stays.has(stay.id)) continue
        stays.set(stay.id, stay)
        remembered.set(stay.id, knownHere(stay, guests))
        for (const guest of guests) book.remember(guest)
      }
    },
    complainAgain: () => unknownRooms.clear(),
    report() {
      const guests = new Map(book.guests().map((guest) => [guest.number, guest]))
      const before = stays
      stays = roomStays([...guests.values()], before)
      keepLeft(before)
      for (const stay of before.values()) if (!stays.has(stay.id)) reportDeparture(stay)
      const [kept, added] = partition([...stays.values()], ({ id }) => before.has(id))
      for (const stay of [...kept, ...added]) {
        reportStay(
          stay,
          stay.members.map((number) => guests.get(number)!),
        )
      }
    },
    stayOf(number) {
      const lives = [...stays.values()].find(({ members }) => members.includes(number))
      return lives ?? stays.get(number) ?? null
    },
    stayLeftBy(number, room) {
      const stay = left.get(placeOf(number, room))
      return stay ? (stays.get(stay.id) ?? stay) : null
    },
  }
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))]
}
