import { momentIn } from '../../../reservation/resources/house.ts'
import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { isExpectedOrInHouse } from '../../../reservation/stays/rules/status-rules.ts'
import { doubleBooked, sharersOf } from '../../../reservation/units/unit-occupancy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import { doorsAlike, doorsBehind, doorsWithLock, unitNamesOf } from '../../resources/door.ts'
import type { Key } from '../../resources/key.ts'
import { stayIdOf } from '../life/stay-of-key.ts'
import type { Confirmation } from '../orders/key-order.ts'
import { type AtDoor, guardRules } from './guard-rules.ts'
import {
  isCountedSpare,
  isRival,
  keyOfSharer,
  keysAtDoor,
  meetAtDoor,
  supersedesOthers,
} from './lock-order.ts'
import { guestsIn, unitsNamed } from './units-behind.ts'

/** The fields of a key, or of an order, that the guard reads. */
type Read =
  | 'unitName'
  | 'lock'
  | 'extraUnits'
  | 'extraLocks'
  | 'usage'
  | 'externalId'
  | 'stayId'
  | 'validFrom'
  | 'validUntil'

/** A key that would open doors from now on. */
export type WantedKey = Pick<Key, 'providerId' | 'keyType' | 'original' | 'startDate' | 'endDate'> & {
  [Name in Read]?: Key[Name] | undefined
} & {
  /** Null for a key that is not stored yet. */
  id: string | null
  /** See `KeyOrder`. */
  countsItself: boolean
  confirmed: Confirmation | null
}

/**
 * Throws unit-occupied when the key would open the unit of another guest, or end that guest's key, and the request does
 * not confirm it with the scope that is needed. It is asked for every unit of the key; `had` are those that the key opens
 * already, which are asked only when its stay has them no more. `mainDoor` is what `mainDoorOf` has read in the same
 * command. Returns the id of a live key of such a guest; null where there is none.
 */
export function guardDoors(
  tx: Transaction,
  wanted: WantedKey,
  had: OpenedUnits = noUnits,
  mainDoor: GuardedDoor | null = mainDoorOf(tx, wanted),
): string | null {
  const ids = askedDoors(tx, wanted, mainDoor).map((door) =>
    guardDoor(tx, wanted, door, door.isMain ? had.main : had.all),
  )
  return ids.find((id) => id !== null) ?? null
}

function askedDoors(
  tx: Transaction,
  { providerId, extraUnits, extraLocks }: WantedKey,
  mainDoor: GuardedDoor | null,
): AskedDoor[] {
  const extras = (extraUnits ?? []).map((name, at) => guardedDoor(tx, providerId, name, extraLocks?.[at]))
  return [
    ...(mainDoor ? [{ ...mainDoor, isMain: true }] : []),
    ...extras.map((door) => ({ ...door, isMain: false })),
  ]
}

const confirmations = `SELECT count(*) FROM journal
  WHERE subject = ? AND type IN ('key.override-used', 'stay.payment-settled-by-hand')`

/**
 * Whether a stored key opens a unit in which another guest is in house by now, although the guard would not allow it and no
 * person has confirmed it.
 */
export function opensToStranger(tx: Transaction, row: Key): boolean {
  const wanted = { ...row, countsItself: false, confirmed: null }
  const isStrangers = askedDoors(tx, wanted, mainDoorOf(tx, wanted)).some((door) => {
    const { at } = seenAt(tx, wanted, door)
    return !at.isIn && at.others > 0 && ruleFor(at).needed !== 'nothing'
  })
  return isStrangers && tx.count(confirmations, `access/keys/${row.id}`) === 0
}

const ruleFor = (at: AtDoor) => guardRules.find(({ when }) => when(at))!

/** The units that a key opens: as its main unit, and at all. */
export interface OpenedUnits {
  main: readonly string[]
  all: readonly string[]
}

/** The units of a key that opens nothing yet. */
export const noUnits: OpenedUnits = { main: [], all: [] }

/** A door that a key asks for, as it is now. Of a shared lock, whose keys open it side by side, the guard asks no more. */
export interface GuardedDoor {
  unitName: string
  /** Null when the lock system has no lock for the unit. */
  lock: string | null
  isShared: boolean
  /** The ids of the units behind the lock, and of the stays that are in house there. */
  units: ReadonlySet<string>
  guests: readonly string[]
}

/** A unit of the key. An original ends the older keys of each: where a lock system leaves it open, the guard takes it so. */
interface AskedDoor extends GuardedDoor {
  isMain: boolean
}

function guardDoor(
  tx: Transaction,
  wanted: WantedKey,
  door: AskedDoor,
  opened: readonly string[],
): string | null {
  if (door.isShared) return null
  const { confirmed } = wanted
  const { at, stayIds, keyId } = seenAt(tx, wanted, door)
  if (opened.includes(door.unitName) && (at.holds || at.mayHold)) return null
  const rule = ruleFor(at)
  if (rule.needed === 'nothing') return null
  if (confirmed !== null && (rule.needed === 'confirmation' || confirmed.mayOverride)) return keyId
  throw new Problem('unit-occupied', rule.detail, {
    pointer: door.isMain ? '/unitName' : '/extraUnits',
    meta: { scope: rule.needed === 'override' ? 'keys.override' : 'keys.issue', stayIds, keyId },
  })
}

/** The facts at a unit, the other stays that they concern, and a live key of theirs. */
function seenAt(tx: Transaction, wanted: WantedKey, { lock, units: behind, guests, isMain }: AskedDoor) {
  const own = stayOf(tx, wanted)
  const has = ({ units }: Stay) => units.some(({ unitId }) => unitId && behind.has(unitId))
  const holds = own !== null && isExpectedOrInHouse(own.status) && has(own)
  const sharing = own?.shareId ? sharersOf(tx, own.id, tx.now) : []
  const party = new Set(sharing.flatMap(({ stayId, unitId }) => (behind.has(unitId) ? stayId : [])))
  const isOther = (id: string) => id !== own?.id && !party.has(id)
  const inside = guests.filter(isOther).map((id) => tx.find(stay, id))
  const live = keysAtDoor(tx, { lock, providerId: wanted.providerId }, 'live')
  const keysOfStays = live.flatMap((row) =>
    row.stayId && row.stayId !== own?.id ? [{ row, whose: tx.find(stay, row.stayId) }] : [],
  )
  const { keysOfParty = [], keysOfOthers = [] } = Object.groupBy(keysOfStays, ({ whose }) =>
    isOther(whose.id) ? 'keysOfOthers' : 'keysOfParty',
  )
  const rivals = live.filter((row) => isRival(wanted, row))
  const isIn = holds && own.status === 'InHouse'
  const checkedInAt = (isIn && own.checkedInAt) || tx.now
  const leaving = keysOfOthers.filter(
    ({ row, whose }) =>
      behind.size > 0 &&
      (row.lock === lock || whose.reservationId !== own?.reservationId) &&
      whose.status === 'InHouse' &&
      !has(whose) &&
      row.createdAt <= checkedInAt &&
      meetAtDoor(wanted, row),
  )
  const promised = keysOfOthers.filter(
    ({ row, whose }) => rivals.includes(row) && isExpectedOrInHouse(whose.status) && (!holds || has(whose)),
  )
  const sharers = keysOfParty.filter(
    ({ row, whose }) => rivals.includes(row) && isExpectedOrInHouse(whose.status),
  )
  const supersedes = supersedesOthers({ ...wanted, usage: wanted.usage ?? 'Guest' })
  const spareEnds =
    isMain && isCountedSpare(wanted.usage, wanted.countsItself) ? rivals.find(supersedesOthers) : undefined
  const at: AtDoor = {
    usage: wanted.usage,
    original: wanted.original,
    holds,
    isIn,
    mayHold: own === null || own.units.every(({ unitId }) => !unitId),
    others: inside.length,
    keysOfOthers: keysOfOthers.filter(({ whose }) => behind.size === 0 && whose.status === 'InHouse').length,
    companions: inside.filter(({ reservationId }) => reservationId === own?.reservationId).length,
    leaving: supersedes ? leaving.length : 0,
    isLater: isLater(tx, wanted, inside),
    isDoubleBooked: holds && doubleBooked(tx, own.id).some(({ unitId }) => behind.has(unitId)),
    endsPromisedKey: supersedes && promised.length > 0,
    endsSharersKey: supersedes && sharers.length > 0 && !keyOfSharer(tx, { ...wanted, lock }, own?.id),
    spareEndsKey: spareEnds !== undefined,
  }
  const present = inside.map(({ id }) => id)
  const theirs =
    keysOfOthers.find(({ whose }) => present.includes(whose.id)) ?? leaving[0] ?? sharers[0] ?? promised[0]
  const stayIds = present.length > 0 ? present : sharers.map(({ whose }) => whose.id)
  return { at, stayIds: [...new Set(stayIds)], keyId: (spareEnds ?? theirs?.row)?.id ?? null }
}

/**
 * The door of a unit; that of the lock where one is known, for the unit may have got another name or another lock since. Two units
 * may have got one lock before that was refused, and a lock that unit-sync has found has the lock system's own name besides that of
 * the unit.
 */
function guardedDoor(
  tx: Transaction,
  providerId: string,
  unitName: string,
  known: string | null | undefined,
): GuardedDoor {
  const withLock = known ? doorsWithLock(tx, providerId, known) : []
  const doors = withLock.length > 0 ? withLock : doorsBehind(tx, providerId, unitName)
  const lock = doors[0]?.lock ?? null
  if (doors[0]?.isShared) return { unitName, lock, isShared: true, units: new Set(), guests: [] }
  const hasLetters = lock !== null && lock.toLowerCase() !== lock.toUpperCase()
  const alike = hasLetters ? doorsAlike(tx, providerId, lock) : doors
  const ids = unitsNamed(tx, [unitName, ...unitNamesOf(alike)])
  return { unitName, lock, isShared: false, units: new Set(ids), guests: guestsIn(tx, ids) }
}

/** The main door of a key as it is now; null for a key without one. */
export function mainDoorOf(
  tx: Transaction,
  { providerId, unitName, lock }: Pick<WantedKey, 'providerId' | 'unitName' | 'lock'>,
): GuardedDoor | null {
  return unitName == null ? null : guardedDoor(tx, providerId, unitName, lock)
}

/** The id of the stay in house behind a door; null for none, several, a lock that units share, and without a lock. */
export function onlyGuestBehind(door: GuardedDoor | null): string | null {
  if (!door || door.lock === null || door.isShared) return null
  const [only, ...others] = door.guests
  return others.length === 0 ? (only ?? null) : null
}

/** The stay of a key. A key that was made before its stay was stored finds it by its externalId. */
function stayOf(tx: Transaction, { stayId, externalId, unitName, ...dates }: WantedKey): Stay | null {
  const named = externalId ? { name: externalId, unitName: unitName ?? null, dates } : null
  const id = stayId ?? stayIdOf(tx, named)
  return id === null ? null : tx.find(stay, id)
}

/**
 * Whether a PIN opens only after every guest inside should have left: after the planned end, or on another day than today
 * where that has passed. A card is never later: the lock would end the cards of the guests inside.
 */
function isLater(tx: Transaction, { keyType, validFrom }: WantedKey, inside: readonly Stay[]): boolean {
  if (keyType === 'keyCard' || inside.length === 0) return false
  const { now, tomorrowAt } = momentIn(tx)
  return inside.every(({ plannedEndsAt }) => {
    const leavesAt = (plannedEndsAt ?? 0) > now ? plannedEndsAt! : tomorrowAt
    return leavesAt <= (validFrom ?? 0)
  })
}

/** Whether a stored key may open its doors again. */
export function isAllowed(tx: Transaction, row: Key): boolean {
  try {
    guardDoors(tx, { ...row, countsItself: false, confirmed: null })
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** Journals that a key was made with a confirmation, and why. The audit shows the reason. */
export function noteConfirmation(
  tx: Transaction,
  id: string,
  confirmed: Confirmation | null,
  otherKeyId: string | null,
): void {
  if (confirmed !== null)
    tx.journal('key.override-used', `access/keys/${id}`, { reason: confirmed.reason, otherKeyId })
}
