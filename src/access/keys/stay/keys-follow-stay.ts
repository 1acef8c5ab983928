import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { staysInHouse } from '../../../reservation/units/unit-occupancy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { uuidPattern } from '../../../resource/fields.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { accessProvider } from '../../resources/access-provider.ts'
import { type Door, doorsOfUnit } from '../../resources/door.ts'
import { type Key, key } from '../../resources/key.ts'
import { keysOf, keysThatMayReturn, meet, newerKey } from '../doors/lock-order.ts'
import { mayReturn } from '../doors/may-return.ts'
import { supersede } from '../doors/superseding.ts'
import { happen } from '../life/key-life.ts'
import { isAtUnitOf, keysOfOwner } from '../life/key-owner.ts'
import { endKeys } from './end-keys.ts'
import { link, linkByName } from './link-keys.ts'

/**
 * Lets the keys follow a stay that was written. Keys that were ordered by its name before it was known become its keys. A stay
 * that is over, or whose check-in is undone, has no key; one that goes on has its keys again. A guest who moves in gets
 * the keys that were made for the vacant unit, and those of guests before end.
 */
export const keysFollowStay: StayPorts['keysFollow'] = (tx, before, row) => {
  const was = before?.status
  const { id, externalId, status } = row
  const had = unitsOf(before)
  const isRenamed = externalId !== before?.externalId || String(had) !== String(unitsOf(row))
  if (externalId && isRenamed) tx.gather(linkByName, externalId)
  if (!isLive(status)) {
    if (was !== undefined && was !== status) endKeys(tx, keysOfOwner(tx, { stayId: id }), 'stay-over')
    return
  }
  const wasOver = was !== undefined && !isLive(was)
  const isInHouse = status === 'InHouse'
  if (was === 'InHouse' && !isInHouse) {
    const made = keysOfOwner(tx, { stayId: id }).filter((each) => each.status !== 'virtual')
    endKeys(tx, made, 'check-in-undone')
  }
  if (wasOver || (isInHouse && was !== undefined && was !== 'InHouse')) bringBack(tx, row, wasOver)
  if (!isInHouse) return
  const entered = unitsOf(row).filter((unitId) => was !== 'InHouse' || !had.includes(unitId))
  for (const unitId of entered) moveIn(tx, row, unitId)
}

function unitsOf(row: Stay | null): string[] {
  return (row?.units ?? []).flatMap(({ unitId }) => unitId ?? [])
}

/**
 * Gives keys back that only their stay ended, as far as nothing was sent to a lock system and nothing is proven, the stay still
 * has their unit, and no other guest is there. A key in doubt is in doubt again. `isLifted`: the stay was over, so that what a
 * request ended before is no longer refused.
 */
function bringBack(tx: Transaction, row: Stay, isLifted: boolean): void {
  for (const each of keysOfOwner(tx, { stayId: row.id })) {
    if (mayComeBack(tx, row, each)) comeBack(tx, each)
    if (isLifted && each.revokedAs) tx.patch(key, each.id, { revokedAs: null })
  }
}

function mayComeBack(tx: Transaction, row: Stay, each: Key): boolean {
  const { endedFrom, status, revocationToldAt, proof, doorRows } = each
  const isUntold = status === (endedFrom === 'virtual' ? 'removed' : 'revocationPending') && !revocationToldAt
  if (!endedFrom || !isUntold || proof || doorRows?.[0]?.proof) return false
  if (endedFrom === 'virtual' && !each.unitName) return true
  return isAtUnitOf(tx, row.id, each) === true && mayReturn(tx, each)
}

function comeBack(tx: Transaction, each: Key): void {
  const { id, endedFrom } = each
  // A newer key that has its door, and is not proven never made, keeps it. One that has ended may have been used there.
  const statuses = ['live', 'pendingWrite', 'unknown'] as const
  const newer = newerKey(tx, each, { statuses })?.id ?? each.doorRows?.[0]?.endedById
  tx.patch(key, id, { endedFrom: null })
  if (endedFrom === 'live' && newer) supersede(tx, each, newer)
  else happen(tx, each, 'stay-goes-on', { as: endedFrom === 'pendingWrite' ? 'unknown' : endedFrom })
}

/** When the guest before left a unit, Unix milliseconds; 0 if there was none. */
const leftAt = `SELECT coalesce(max(stay.checkedOutAt), 0) FROM stay_unit JOIN stay ON stay.rid = stay_unit.owner
  WHERE stay_unit.unitId = ${ridOf('unit')} AND stay.rid <> ${ridOf('stay')}`

/**
 * The keys of a unit whose guest moves in. A key without a name that was made, or is valid, only since the unit is vacant is the
 * guest's, because the desk was quicker than the books. Others that are valid now end: no guest sleeps behind another's PIN.
 */
function moveIn(tx: Transaction, row: Stay, unitId: string): void {
  // A nameless key in a unit where others are in house belongs to no guest.
  const vacantSince =
    staysInHouse(tx, unitId, { id: row.id }).length > 0 ? Infinity : tx.count(leftAt, unitId, row.id)
  for (const each of keysAt(tx, tx.find(unit, unitId).name)) {
    if (each.usage !== 'Guest' || each.stayId === row.id) continue
    if (isGuests(each, row, vacantSince)) link(tx, each, row.id)
    else if (isStrangers(tx, each, row)) endKeys(tx, [each], 'next-guest')
  }
}

/** Whether a key without a stay is that of the guest who moves in. Only a lost stay had a key that was named by an id. */
function isGuests(
  { stayId, stayName, externalId, validFrom, createdAt }: Key,
  row: Stay,
  vacantSince: number,
) {
  if (stayId) return false
  const name = stayName ?? externalId
  if (name && name === row.externalId) return true
  const isNameless = !name || uuidPattern.test(name) || !row.externalId
  return isNameless && Math.max(createdAt, validFrom ?? 0) >= vacantSince
}

/** Whether a key is valid now, and its stay is over, or neither in house nor has the unit. */
function isStrangers(tx: Transaction, each: Key, row: Stay): boolean {
  const { stayId, externalId, validFrom } = each
  if (!meet(each, { validFrom: tx.now, validUntil: row.plannedEndsAt })) return false
  if (!stayId) return !externalId || (validFrom ?? 0) <= tx.now
  const { status } = tx.find(stay, stayId)
  return !isLive(status) || (status !== 'InHouse' && isAtUnitOf(tx, stayId, each) === false)
}

/** The keys of the doors of a unit that may open them, at every lock system; at a lock that it shares, those of its own names. */
function keysAt(tx: Transaction, unitName: string): Key[] {
  const doors = tx.select(accessProvider, []).flatMap(({ id }) =>
    [...Map.groupBy(doorsOfUnit(tx, id, unitName), ({ lock }) => lock).values()].map((named) => ({
      id,
      named,
    })),
  )
  return doors.flatMap(({ id, named }) => {
    const [{ lock, isShared }] = named as [Door]
    const at = { providerId: id, lock }
    const mayReturn = keysThatMayReturn(tx, at).filter((each) => each.lock === lock)
    return [...keysOf(tx, at, 'virtual', 'pendingWrite', 'unknown', 'live'), ...mayReturn].filter(
      (each) =>
        // The guard refuses a card that is being made when it is finished.
        (each.status !== 'pendingWrite' || each.keyType === 'pinCode') &&
        (!isShared || named.some(({ name }) => name === each.unitName)),
    )
  })
}

/** The names of the units of a stay's keys that are live, pendingWrite or unknown. */
export function keyedUnits(tx: Transaction, stayId: string): readonly string[] {
  const sql = `SELECT json_group_array(unitName) FROM key
    WHERE stayId = ${ridOf('stay')} AND status IN ('live', 'pendingWrite', 'unknown')`
  return JSON.parse(tx.text(sql, stayId) ?? '[]') as string[]
}

const madeForStay = `SELECT count(*) FROM key JOIN stay ON stay.rid = key.stayId
  WHERE stay.rid = ${ridOf('stay')} AND key.createdAt >= stay.createdAt`

/** Whether a key was ever made for a stay. One that waited for its name was not. */
export function everHadKey(tx: Transaction, stayId: string): boolean {
  return tx.count(madeForStay, stayId) > 0
}
