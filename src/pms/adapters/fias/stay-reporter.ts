import type { SharedReservation } from '../../sync/shared-reservation.ts'
import type { GuestBook } from './guest-book.ts'
import type { HouseStays } from './local-stays.ts'
import type { Reported } from './reports.ts'
import { type RoomStay, roomStays } from './room-stays.ts'
import { checkedOut, knownHere, sharedForm } from './shared-form.ts'

/** Makes stays of the guests in the book, and reports them. */
export interface StayTeller {
  /**
   * Adds the guests whom the appliance has in house from before a restart to the book, so that a swap can detect their
   * departure.
   */
  remember(): void
  /** Reports all changes of the book. A departure from a room is reported before the next arrival in it. */
  tell(): void
  /**
   * The stay of the guest with this number, or the stay with this number in its id; null for a guest who is not in
   * house.
   */
  stayOf(number: string): RoomStay | null
}

interface TellerOptions {
  book: GuestBook
  told: Reported
  house: HouseStays
  /** Receives a sentence for each change that cannot be reported. */
  untellable(sentence: string): void
}

export function stayTeller({ book, told, house, untellable }: TellerOptions): StayTeller {
  let stays = new Map<string, RoomStay>()
  /** The appliance's version of stays that were not reported yet. */
  const found = new Map<string, SharedReservation>()
  /** Stays in unknown rooms; each causes one complaint. */
  const homeless = new Map<string, string>()

  function tellGone({ id }: RoomStay): void {
    const last = told.of(id) ?? found.get(id)
    found.delete(id)
    homeless.delete(id)
    if (last) told.tell(checkedOut(last), true)
  }

  function tellStay(stay: RoomStay, guests: ReturnType<GuestBook['guests']>): void {
    // The PMS has reported nothing about a stay whose guests are all remembered.
    if (guests.every(({ isRemembered }) => isRemembered)) return
    const code = house.unitTypeCode(stay.room)
    if (code === null) complain(stay)
    else {
      homeless.delete(stay.id)
      told.tell(sharedForm(stay, guests, code), false)
    }
  }

  function complain({ id, room, members }: RoomStay): void {
    if (homeless.get(id) === room) return
    homeless.set(id, room)
    untellable(`Room ${room}, in which the guest with G# ${members[0]} is, is no unit here, or has no type.`)
  }

  return {
    remember() {
      for (const { stay, guests } of house.inHouse()) {
        if (stays.has(stay.id)) continue
        stays.set(stay.id, stay)
        found.set(stay.id, knownHere(stay, guests))
        for (const guest of guests) book.remember(guest)
      }
    },
    tell() {
      const guests = new Map(book.guests().map((guest) => [guest.number, guest]))
      const before = stays
      stays = roomStays([...guests.values()], before)
      for (const stay of before.values()) if (!stays.has(stay.id)) tellGone(stay)
      for (const isNew of [false, true]) {
        for (const stay of stays.values()) {
          if (before.has(stay.id) === isNew) continue
          tellStay(
            stay,
            stay.members.map((number) => guests.get(number)!),
          )
        }
      }
    },
    stayOf(number) {
      const lives = [...stays.values()].find(({ members }) => members.includes(number))
      return lives ?? stays.get(number) ?? null
    },
  }
}
