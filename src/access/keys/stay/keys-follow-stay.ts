import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { staysNamed } from '../../../reservation/stays/find-stays.ts'
import { isLive } from '../../../reservation/stays/status-rules.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { command, type Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Attributes } from '../../../resource/resource.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { accessProvider } from '../../resources/access-provider.ts'
import { doorNamed } from '../../resources/door.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'
import { guardDoors } from '../door-guard.ts'
import { isOpen, setStatus, supersede } from '../key-status.ts'
import { keysOf, meet, newerKey } from '../pending/lock-order.ts'
import { keysOfOwner } from './key-owner.ts'
import { isOver } from './stay-of-key.ts'

type KeyRow = Attributes<typeof key.fields>

/**
 * Lets the keys follow a stay that was written. Keys that were ordered by its name before it was known become its keys. A stay
 * that is over, or whose check-in is undone, has no key; one that goes on has its keys again. A guest who moves in gets
 * the keys that were made for the vacant unit, and those of guests before end.
 */
export const keysFollowStay: StayPorts['keysFollow'] = (tx, before, row) => {
  const was = before?.status
  const { id, externalId, status } = row
  if (externalId && externalId !== before?.externalId) tx.gather(linkByName, { id, externalId })
  if (!isLive(status)) {
    if (was !== undefined && was !== status) endKeys(tx, keysOfStay(tx, id), 'stay-over')
    return
  }
  const wasOver = was !== undefined && !isLive(was)
  const isInHouse = status === 'InHouse'
  if (was === 'InHouse' && !isInHouse) {
    const made = keysOfStay(tx, id).filter((each) => each.status !== 'virtual')
    endKeys(tx, made, 'check-in-undone')
  }
  if (wasOver || (isInHouse && was !== undefined && was !== 'InHouse')) bringBack(tx, row, wasOver)
  if (!isInHouse) return
  const had = was === 'InHouse' ? (before?.units ?? []).map(({ unitId }) => unitId) : []
  for (const { unitId } of row.units) if (unitId && !had.includes(unitId)) moveIn(tx, row, unitId)
}

/** The names of these for which keys wait. */
const waitedFor = `SELECT DISTINCT name.value AS name FROM json_each(?) AS name CROSS JOIN key
  ON key.externalId = name.value OR key.stayName = name.value WHERE key.stayId IS NULL`

/**
 * Links the keys that wait for stays with these names, unless another stay that is not over has the name, too. Those of a stay
 * that is over end.
 */
function linkByName(tx: Transaction, named: readonly { id: string; externalId: string }[]): void {
  const ids = new Map(named.map(({ externalId, id }) => [externalId, id]))
  for (const { name } of tx.all<{ name: string }>(waitedFor, JSON.stringify([...ids.keys()]))) {
    const [meant, ...others] = staysNamed(tx, name)
    if (meant && meant === ids.get(name) && others.length === 0)
      linkTo(tx, tx.find(stay, meant) as Stay, name)
  }
}

function linkTo(tx: Transaction, row: Stay, name: string): void {
  const waiting = (['externalId', 'stayName'] as const).flatMap((path) =>
    tx.select(key, [
      { path, operator: 'eq', value: name },
      { path: 'stayId', operator: 'isnull', value: null },
    ]),
  ) as Key[]
  for (const each of waiting) if (isKeyOf(each, row)) link(tx, each, row.id)
  if (!isLive(row.status)) endKeys(tx, keysOfStay(tx, row.id), 'stay-over')
}

/**
 * Whether a key with the name of a stay is for it, and not for one before it that had the number: it may open, or opens later
 * than the stay begins. A stay that is over has no key from after its end.
 */
function isKeyOf({ usage, status, proof, validFrom, validUntil }: Key, row: Stay): boolean {
  if (usage === 'OneShot' || usage === 'Spare') return false
  if (!isLive(row.status) && (validFrom ?? 0) >= (row.plannedEndsAt ?? 0)) return false
  const mayOpen = status === 'virtual' || (isOpen(status) && !proof)
  return mayOpen || (validUntil ?? 0) > (row.plannedStartsAt ?? 0)
}

function link(tx: Transaction, { id }: Key, stayId: string): void {
  tx.patch(key, id, { stayId } as Partial<KeyRow>)
}

/**
 * Ends keys. A card cannot be erased from afar, so its key is revocationPending until something proves it dead. A card that is
 * being made is revoked, too, and then never leaves the machine.
 */
function endKeys(tx: Transaction, keys: readonly Key[], reason: string): void {
  for (const row of keys) {
    if (row.status === 'virtual') setStatus(tx, row, 'removed', { reason })
    else if (inUse.has(row.status)) setStatus(tx, row, 'revocationPending', { reason })
  }
}

const inUse: ReadonlySet<Key['status']> = new Set(['live', 'unknown', 'pendingWrite'])

/**
 * Makes keys live again that only their stay ended, as far as nothing was sent to a lock system, the stay still has their unit,
 * and no other guest is there. `isLifted`: the stay was over, so that what a request ended before is no longer refused.
 */
function bringBack(tx: Transaction, row: Stay, isLifted: boolean): void {
  for (const each of keysOfStay(tx, row.id)) {
    const isOnlyByStay = each.status === 'revocationPending' && !each.revokedAs && !each.revocationToldAt
    if (isOnlyByStay && !each.proof && hasUnit(tx, row, each) && isAllowed(tx, each)) {
      const newer = newerKey(tx, each)
      if (newer) supersede(tx, each, newer.id)
      else setStatus(tx, each, 'live', { reason: 'stay-goes-on' })
    }
    if (isLifted && each.revokedAs) tx.patch(key, each.id, { revokedAs: null } as Partial<KeyRow>)
  }
}

function hasUnit(tx: Transaction, { units }: Stay, { unitName }: Key): boolean {
  return units.some(({ unitId }) => unitId && tx.find(unit, unitId).name === unitName)
}

function isAllowed(tx: Transaction, row: Key): boolean {
  try {
    guardDoors(tx, { ...row, countsItself: false, confirmed: null })
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** When the guest before left a unit, Unix milliseconds; 0 if nobody did. */
const leftAt = `SELECT coalesce(max(stay.checkedOutAt), 0) FROM stay_unit JOIN stay ON stay.rid = stay_unit.owner
  WHERE stay_unit.unitId = ${ridOf('unit')} AND stay.rid <> ${ridOf('stay')}`

/**
 * The keys of a unit whose guest moves in: a key without a stay that was made, or is valid, only since the unit is vacant is the
 * guest's, because the desk was quicker than the books. Older ones, and those of stays that are over, end: no guest sleeps
 * behind another's PIN. A key with the name of an unknown stay that begins later is left to wait for it.
 */
function moveIn(tx: Transaction, row: Stay, unitId: string): void {
  const { name } = tx.find(unit, unitId)
  const vacantSince = tx.count(leftAt, unitId, row.id)
  const window = { validFrom: tx.now, validUntil: row.plannedEndsAt }
  for (const each of keysAt(tx, name)) {
    const isNamed = !!each.externalId && row.externalId === (each.stayName ?? each.externalId)
    const isOwn = each.stayId === row.id || isNamed
    if (each.usage !== 'Guest' || isOwn) continue
    if (each.stayId) {
      if (isOver(tx, each.stayId)) endKeys(tx, [each], 'next-guest')
      continue
    }
    const begins = each.validFrom ?? 0
    if (!meet(each, window) || (each.externalId && begins > tx.now)) continue
    if (Math.max(each.createdAt, begins) >= vacantSince) link(tx, each, row.id)
    else endKeys(tx, [each], 'next-guest')
  }
}

/** The keys of a unit that may open it, at every lock system; at a lock that it shares, those of its own name. */
function keysAt(tx: Transaction, unitName: string): Key[] {
  return tx.select(accessProvider, []).flatMap(({ id }) => {
    const door = doorNamed(tx, id, unitName)
    if (!door) return []
    // The guard refuses a card that is being made when it is finished.
    const statuses: KeyStatus[] = ['virtual', 'unknown', 'live']
    const rows = statuses.flatMap((status) => keysOf(tx, { providerId: id, lock: door.lock }, status))
    return door.isShared ? rows.filter((each) => each.unitName === unitName) : rows
  })
}

const keysOfStay = (tx: Transaction, stayId: string) => keysOfOwner(tx, { stayId })

const waitingNames = `SELECT DISTINCT coalesce(stayName, externalId) AS name FROM key WHERE stayId IS NULL
  AND externalId IS NOT NULL AND status IN ('virtual', 'pendingWrite', 'unknown', 'live')`

/**
 * Links the keys that wait for a stay that is known: keys from before a restore, or of a release that did not link them. It
 * runs at each start.
 */
export const linkWaitingKeys = command('link-waiting-keys', (tx) => {
  for (const { name } of tx.all<{ name: string }>(waitingNames)) {
    const [meant, ...others] = staysNamed(tx, name)
    if (meant && others.length === 0) linkTo(tx, tx.find(stay, meant) as Stay, name)
  }
  return null
})

/** The names of the units of a stay's keys that are live, pendingWrite or unknown. */
export function keyedUnits(tx: Transaction, stayId: string): readonly string[] {
  const sql = `SELECT json_group_array(unitName) FROM key
    WHERE stayId = ${ridOf('stay')} AND status IN ('live', 'pendingWrite', 'unknown')`
  return JSON.parse(tx.text(sql, stayId) ?? '[]') as string[]
}

/** Whether a key was ever made for a stay. */
export function everHadKey(tx: Transaction, stayId: string): boolean {
  return tx.count(`SELECT count(*) FROM key WHERE stayId = ${ridOf('stay')}`, stayId) > 0
}
