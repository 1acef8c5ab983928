import { momentIn } from '../../../reservation/resources/house.ts'
import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { isExpectedOrInHouse } from '../../../reservation/stays/rules/status-rules.ts'
import { doubleBooked, noParty, sharersOf, staysInHouse } from '../../../reservation/units/unit-occupancy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import { having } from '../../../resource/query.ts'
import { doorNamed, doorsWithLock } from '../../resources/door.ts'
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

/** The fields of a key, or of an order, that the guard reads. */
type Read =
  | 'unitName'
  | 'lock'
  | 'extraUnits'
  | 'usage'
  | 'externalId'
  | 'stayId'
  | 'validFrom'
  | 'validUntil'

/** A key that would open doors from now on. */
export type WantedKey = Pick<Key, 'providerId' | 'keyType' | 'original'> & {
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
 * already, which are asked only when its stay has them no more. Returns the id of a live key of such a guest; null where
 * there is none.
 */
export function guardDoors(tx: Transaction, wanted: WantedKey, had: OpenedUnits = noUnits): string | null {
  const { unitName, extraUnits } = wanted
  const main = unitName == null ? null : guardDoor(tx, wanted, { unitName, isMain: true }, had.main)
  const extras = (extraUnits ?? []).map((name) =>
    guardDoor(tx, wanted, { unitName: name, isMain: false }, had.all),
  )
  return [main, ...extras].find((id) => id !== null) ?? null
}

/** The units that a key opens: as its main unit, and at all. */
export interface OpenedUnits {
  main: readonly string[]
  all: readonly string[]
}

/** The units of a key that opens nothing yet. */
export const noUnits: OpenedUnits = { main: [], all: [] }

/** A unit of the key. An original ends the older keys of each: where a lock system leaves it open, the guard takes it so. */
interface AskedDoor {
  unitName: string
  isMain: boolean
}

function guardDoor(
  tx: Transaction,
  wanted: WantedKey,
  door: AskedDoor,
  opened: readonly string[],
): string | null {
  const { confirmed, providerId } = wanted
  const lock = doorNamed(tx, providerId, door.unitName)
  // The keys of a shared lock open it side by side.
  if (lock?.isShared) return null
  const { at, stayIds, keyId } = seenAt(tx, wanted, door, lock?.lock ?? null)
  if (opened.includes(door.unitName) && (at.holds || at.mayHold)) return null
  const rule = guardRules.find(({ when }) => when(at))!
  if (rule.needed === 'nothing') return null
  if (confirmed !== null && (rule.needed === 'confirmation' || confirmed.mayOverride)) return keyId
  throw new Problem('unit-occupied', rule.detail, {
    pointer: door.isMain ? '/unitName' : '/extraUnits',
    meta: { scope: rule.needed === 'override' ? 'keys.override' : 'keys.issue', stayIds, keyId },
  })
}

/** The facts at a unit, the other stays that they concern, and a live key of theirs. */
function seenAt(tx: Transaction, wanted: WantedKey, { unitName, isMain }: AskedDoor, lock: string | null) {
  const own = stayOf(tx, wanted)
  const behind = unitsBehind(tx, wanted.providerId, unitName, lock)
  const has = ({ units }: Stay) => units.some(({ unitId }) => unitId && behind.has(unitId))
  const holds = own !== null && isExpectedOrInHouse(own.status) && has(own)
  const sharing = own?.shareId ? sharersOf(tx, own.id, tx.now) : []
  const party = new Set(sharing.flatMap(({ stayId, unitId }) => (behind.has(unitId) ? stayId : [])))
  const isOther = (id: string) => id !== own?.id && !party.has(id)
  const inside = guestsIn(tx, behind)
    .filter(isOther)
    .map((id) => tx.find(stay, id))
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
      row.lock === lock &&
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
 * The ids of the units behind a lock. Two units may have got one lock before that was refused, and a lock that unit-sync has
 * found has the lock system's own name besides that of the unit.
 */
function unitsBehind(
  tx: Transaction,
  providerId: string,
  unitName: string,
  lock: string | null,
): ReadonlySet<string> {
  const names = lock === null ? [] : doorsWithLock(tx, providerId, lock).map(({ name }) => name)
  const found = [...new Set([unitName, ...names])].flatMap((name) => tx.select(unit, having({ name }), [], 1))
  return new Set(found.map(({ id }) => id))
}

/** The ids of the stays that are in house in these units. */
function guestsIn(tx: Transaction, unitIds: ReadonlySet<string>): string[] {
  return [...new Set([...unitIds].flatMap((id) => staysInHouse(tx, id, noParty)))]
}

/** The id of the stay in house behind the main door of a key; null for none, several, and a lock that units share. */
export function onlyGuestBehind(
  tx: Transaction,
  { providerId, unitName }: Pick<WantedKey, 'providerId' | 'unitName'>,
): string | null {
  const door = unitName ? doorNamed(tx, providerId, unitName) : null
  if (!unitName || !door || door.isShared) return null
  const [only, ...others] = guestsIn(tx, unitsBehind(tx, providerId, unitName, door.lock))
  return others.length === 0 ? (only ?? null) : null
}

/** The stay of a key. A key that was made before its stay was stored finds it by its externalId. */
function stayOf(tx: Transaction, { stayId, externalId, unitName }: WantedKey): Stay | null {
  const named = externalId ? { name: externalId, unitName: unitName ?? null } : null
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
