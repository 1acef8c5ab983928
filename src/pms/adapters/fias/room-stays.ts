import type { Guest } from './guest-record.ts'

/**
 * The guests of one room. The appliance has one stay for them, because a room has one stay at a time and its cards are
 * copies of each other. The PMS has a reservation for each of them. The stay keeps its id while any of its guests
 * remains.
 */
export interface RoomStay {
  /** The number of one of its first guests. */
  id: string
  room: string
  /** Their numbers, in the order of arrival. */
  members: readonly string[]
}

type Stays = ReadonlyMap<string, RoomStay>
/** Whether the current group of guests continues an earlier stay. */
type Fits = (group: readonly Guest[], stay: RoomStay) => boolean

const has = (group: readonly Guest[], number: string) => group.some((guest) => guest.number === number)
const met: Fits = (group, stay) => stay.members.some((number) => has(group, number))
const inRoom: Fits = (group, stay) => stay.room === group[0]?.room && met(group, stay)

/**
 * Which guests continue a stay, the strongest claim first. Guests who are still in the room keep the stay: no card of a
 * guest may be revoked because another guest moved out.
 */
const claims: readonly Fits[] = [
  (group, stay) => inRoom(group, stay) && has(group, stay.id),
  inRoom,
  (group, stay) => has(group, stay.id),
  met,
]

/** The stays of the guests in house, given their earlier stays. */
export function roomStays(guests: readonly Guest[], before: Stays): Map<string, RoomStay> {
  const groups = groupsOf(guests)
  const staysOf = byNumber(before)
  const idOf = new Map<readonly Guest[], string>()
  const claimed = new Set<string>()
  for (const fits of claims) {
    for (const group of groups) {
      if (idOf.has(group)) continue
      const stay = group
        .flatMap(({ number }) => staysOf.get(number) ?? [])
        .find((each) => !claimed.has(each.id) && fits(group, each))
      if (!stay) continue
      claimed.add(stay.id)
      idOf.set(group, stay.id)
    }
  }
  const stays = new Map<string, RoomStay>()
  for (const group of groups) {
    const id = idOf.get(group) ?? newId(group, claimed)
    claimed.add(id)
    stays.set(id, { id, room: group[0]!.room, members: group.map(({ number }) => number) })
  }
  return stays
}

/** The stays that a number may continue. */
function byNumber(stays: Stays): Map<string, RoomStay[]> {
  const found = new Map<string, RoomStay[]>()
  for (const stay of stays.values()) {
    for (const number of new Set([stay.id, ...stay.members])) {
      found.set(number, [...(found.get(number) ?? []), stay])
    }
  }
  return found
}

/**
 * Several guests in one room belong together, unless the PMS reports each of them as not sharing: one of these records
 * is then wrong.
 */
function groupsOf(guests: readonly Guest[]): Guest[][] {
  return [...Map.groupBy(guests, ({ room }) => room).values()].flatMap((there) =>
    there.every(({ shares }) => shares === false) ? there.map((guest) => [guest]) : [there],
  )
}

/** A number of one of the guests, with a suffix when that number already names another stay. */
function newId(group: readonly Guest[], taken: ReadonlySet<string>): string {
  const free = group.find(({ number }) => !taken.has(number))
  if (free) return free.number
  for (let count = 2; ; count++) {
    const id = `${group[0]!.number}.${count}`
    if (!taken.has(id)) return id
  }
}
