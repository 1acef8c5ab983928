import type { Guest } from './guest-record.ts'

/**
 * Those who live in a room together. To the house they are one stay, because a room has one at a time and its cards are
 * copies of each other; to the PMS each has a reservation of his own. The stay keeps its name while anybody is left of it.
 */
export interface RoomStay {
  /** The number of one of those with whom it began. */
  id: string
  room: string
  /** Numbers, in the order in which they came. */
  members: readonly string[]
}

type Stays = ReadonlyMap<string, RoomStay>
/** Whether those who are together now are the stay that was before. */
type Fits = (group: readonly Guest[], stay: RoomStay) => boolean

const has = (group: readonly Guest[], number: string) => group.some((guest) => guest.number === number)
const met: Fits = (group, stay) => stay.members.some((number) => has(group, number))
const inRoom: Fits = (group, stay) => stay.room === group[0]?.room && met(group, stay)

/**
 * Who goes on with a stay, the strongest claim first. Whoever is still in the room keeps it, so that no card dies under a
 * guest because another moved out.
 */
const claims: readonly Fits[] = [
  (group, stay) => inRoom(group, stay) && has(group, stay.id),
  inRoom,
  (group, stay) => has(group, stay.id),
  met,
]

/** The stays that the guests in house make, given those that they made before. */
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

/** The stays that a number may go on with. */
function byNumber(stays: Stays): Map<string, RoomStay[]> {
  const found = new Map<string, RoomStay[]>()
  for (const stay of stays.values()) {
    for (const number of new Set([stay.id, ...stay.members])) {
      found.set(number, [...(found.get(number) ?? []), stay])
    }
  }
  return found
}

/** Several in one room are together unless the PMS says of each that he shares it with nobody: then one of them is wrong. */
function groupsOf(guests: readonly Guest[]): Guest[][] {
  return [...Map.groupBy(guests, ({ room }) => room).values()].flatMap((there) =>
    there.every(({ shares }) => shares === false) ? there.map((guest) => [guest]) : [there],
  )
}

/** A number of theirs; with a further one behind it where it names another stay. */
function newId(group: readonly Guest[], taken: ReadonlySet<string>): string {
  const free = group.find(({ number }) => !taken.has(number))
  if (free) return free.number
  for (let count = 2; ; count++) {
    const id = `${group[0]!.number}.${count}`
    if (!taken.has(id)) return id
  }
}
