import { firstNameOf } from '../../../resource/values/person-name.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../shared-reservation.ts'

/** Whether two values say the same: nothing, null, an empty text and an empty list are one. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  const [left, right] = [orNull(a), orNull(b)]
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') {
    return left === right
  }
  if (Array.isArray(left) !== Array.isArray(right)) return false
  if (Array.isArray(left)) {
    const other = right as unknown[]
    return left.length === other.length && left.every((each, index) => same(each, other[index]))
  }
  const [one, two] = [left as Record<string, unknown>, right as Record<string, unknown>]
  for (const name in one) if (!same(one[name], two[name])) return false
  for (const name in two) if (!(name in one) && orNull(two[name]) !== null) return false
  return true
}

function orNull(value: unknown): unknown {
  if (value === undefined || value === '') return null
  return Array.isArray(value) && value.length === 0 ? null : value
}

type Service = NonNullable<SharedStay['services']>[number]
type BookingId = NonNullable<SharedStay['reservationIds']>[number]

/** What makes an item of a list the same one on both sides, whatever its place. The second of one code is another. */
export const identities = {
  services: ({ serviceCode }: Service) => serviceCode,
  reservationIds: ({ type }: BookingId) => type,
} as const

/** The items of a list by what identifies them: `BRK`, and the second of it `BRK#2`. */
export function keyed<Item>(items: readonly Item[], identity: (item: Item) => string): Map<string, Item> {
  const found = new Map<string, Item>()
  for (const item of items) {
    const name = identity(item)
    let key = name
    for (let count = 2; found.has(key); count++) key = `${name}#${count}`
    found.set(key, item)
  }
  return found
}

/**
 * Whether a member of a stay or a guest says the same: lists whose items are known apart may be in any order, and a first name that
 * is only a sign is none.
 */
export function sameMember(name: string, a: unknown, b: unknown): boolean {
  if (name === 'firstName') return firstNameOf(a as string) === firstNameOf(b as string)
  const identity = (identities as Record<string, ((item: never) => string) | undefined>)[name]
  if (!identity || !Array.isArray(a) || !Array.isArray(b)) return same(a, b)
  if (a.length !== b.length) return false
  const [left, right] = [keyed(a as never[], identity), keyed(b as never[], identity)]
  return [...left].every(([key, item]) => same(item, right.get(key)))
}

/** The members, but for some, of which `reported` says otherwise than `has`. One that is undefined says nothing. */
export function differing(reported: object, has: object, without: readonly string[]): string[] {
  const known = has as Record<string, unknown>
  return Object.entries(reported).flatMap(([name, value]) =>
    value === undefined || without.includes(name) || sameMember(name, value, known[name]) ? [] : [name],
  )
}

/** A place where one side says otherwise than the other, as a pointer by ids: `/stays/<localId>/guests/<localId>/title`. */
interface Difference {
  pointer: string
  reported: unknown
  has: unknown
}

/** What `reported` says otherwise than `has`; a member that it does not have says nothing. Stays and guests go by localId. */
export function differences(reported: SharedReservation, has: SharedReservation): Difference[] {
  const found: Difference[] = []
  compare(reported, has, '', ['stays', 'externalId', 'localId'], found)
  for (const stay of reported.stays) {
    const at = `/stays/${stay.localId}`
    const other = has.stays.find((each) => isSameStay(each, stay))
    if (!other) found.push({ pointer: at, reported: stay, has: null })
    else stayDifferences(stay, other, at, found)
  }
  for (const stay of has.stays) {
    if (reported.stays.some((each) => isSameStay(each, stay))) continue
    found.push({ pointer: `/stays/${stay.localId}`, reported: null, has: stay })
  }
  return found
}

function stayDifferences(reported: SharedStay, has: SharedStay, at: string, found: Difference[]): void {
  compare(reported, has, at, ['guests', 'externalId', 'localId'], found)
  if (reported.guests === undefined) return
  const others = has.guests ?? []
  for (const guest of reported.guests) {
    const pointer = `${at}/guests/${guest.localId}`
    const other = others.find((each) => isSameGuest(each, guest))
    if (!other) found.push({ pointer, reported: guest, has: null })
    else compare(guest, other, pointer, ['externalId', 'localId'], found)
  }
  for (const guest of others) {
    if (reported.guests.some((each) => isSameGuest(each, guest))) continue
    found.push({ pointer: `${at}/guests/${guest.localId}`, reported: null, has: guest })
  }
}

/** One person may stand on a stay in two roles. */
export function isSameGuest(a: SharedGuest, b: SharedGuest): boolean {
  if (a.role !== b.role) return false
  if (a.localId || b.localId) return a.localId === b.localId
  const isOneName = sameMember('firstName', a.firstName, b.firstName) && a.lastName === b.lastName
  return same(a.externalId, b.externalId) && isOneName
}

/** What the house has not taken in yet is known by the PMS's name, or by its first day. */
export function isSameStay(a: SharedStay, b: SharedStay): boolean {
  if (a.localId || b.localId) return a.localId === b.localId
  return same(a.externalId, b.externalId) && (Boolean(a.externalId) || a.startDate === b.startDate)
}

function compare(reported: object, has: object, at: string, without: readonly string[], found: Difference[]) {
  const [says, other] = [reported, has] as [Record<string, unknown>, Record<string, unknown>]
  for (const name of differing(reported, has, without))
    found.push({ pointer: `${at}/${name}`, reported: says[name], has: other[name] ?? null })
}
