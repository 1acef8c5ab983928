import { type Stay, stay } from '../../../reservation/resources/stay.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import { command, type Transaction } from '../../../resource/command.ts'
import { uuidText } from '../../../resource/uuid-sql.ts'
import { type Key, key } from '../../resources/key.ts'
import { mainDoorOf, onlyGuestBehind } from '../doors/door-guard.ts'
import { isOpen } from '../life/key-life.ts'
import { isAtUnitOf, keysOfOwner } from '../life/key-owner.ts'
import { isOver, staysMeant } from '../life/stay-of-key.ts'
import { endKeys } from './end-keys.ts'

/** The keys with one of these names. */
const namedSo = `SELECT DISTINCT ${uuidText('key.id')} AS id, name.value AS name FROM json_each(?) AS name CROSS JOIN key
  ON key.externalId = name.value OR key.stayName = name.value`

/**
 * Links the keys that wait for stays with these names. Of several stays that are not over and have the name, a key is for the one
 * that has its unit, also where it was linked to the other while this one was not known. Keys of a stay that is over end.
 */
export function linkByName(tx: Transaction, externalIds: readonly string[]): void {
  const names = [...new Set(externalIds)]
  for (const { id, name } of tx.all<{ id: string; name: string }>(namedSo, JSON.stringify(names)))
    linkOne(tx, tx.find(key, id), name)
}

function linkOne(tx: Transaction, row: Key, name: string): void {
  const { stayId, unitName = null, stayName } = row
  if (row.usage === 'OneShot' || row.usage === 'Spare' || isOver(tx, stayId)) return
  const [meant, ...others] = staysMeant(tx, { name, unitName, isOfPms: stayName === name })
  if (!meant || others.length > 0 || meant === stayId) return
  const isBetter = !stayId || (isAtUnitOf(tx, stayId, row) === false && isAtUnitOf(tx, meant, row) === true)
  const own = tx.find(stay, meant)
  if (!isBetter || !isKeyOf(row, own)) return
  link(tx, row, meant)
  if (!isLive(own.status)) endKeys(tx, keysOfOwner(tx, { stayId: meant }), 'stay-over')
}

/**
 * Whether a key with the name of a stay is for it, and not for one before it that had the number: it may open, or opens later
 * than the stay begins. A stay that is over has no key from after its end.
 */
function isKeyOf({ status, proof, validFrom, validUntil }: Key, own: Stay): boolean {
  if (!isLive(own.status) && (validFrom ?? 0) >= (own.plannedEndsAt ?? 0)) return false
  const mayOpen = status === 'virtual' || (isOpen(status) && !proof)
  return mayOpen || (validUntil ?? 0) > (own.plannedStartsAt ?? 0)
}

/** Makes a stay the owner of a key; null takes its owner away. */
export function link(tx: Transaction, { id }: Pick<Key, 'id'>, stayId: string | null): void {
  tx.patch(key, id, { stayId })
}

/** Lets the keys that waited for the name of a stay wait again, because the stay is another one and goes. */
export function letKeysWait(tx: Transaction, stayId: string): void {
  for (const row of keysOfOwner(tx, { stayId })) link(tx, row, null)
}

const ordered = `stayId IS NULL AND stayName IS NULL AND validUntil > ? AND externalId GLOB ?`

/** A key that a PMS ordered before its stay was known had, in releases before 0.7.0, only the number with the way as prefix. */
function nameByNumber(tx: Transaction, way: string): void {
  for (const { id, externalId } of tx.rows(key, ordered, tx.now, `${way}:*`))
    tx.patch(key, id, { stayName: externalId!.slice(way.length + 1) })
}

const waiting = `stayId IS NULL AND usage IN ('Guest', 'Staff') AND validUntil > ?`

/**
 * Links the keys that wait for a stay that is known: keys from before a restore, or of a release that did not link them. It
 * runs at each start. `ways` are the prefixes of the numbers of PMSs that order keys.
 */
export const linkWaitingKeys = command('link-waiting-keys', (tx, { ways }: { ways: readonly string[] }) => {
  for (const way of ways) nameByNumber(tx, way)
  const names = `SELECT DISTINCT coalesce(stayName, externalId) AS externalId FROM key
    WHERE ${waiting} AND externalId IS NOT NULL`
  const named = tx.all<{ externalId: string }>(names, tx.now).map(({ externalId }) => externalId)
  if (named.length > 0) linkByName(tx, named)
  const nameless = `${waiting} AND usage = 'Guest' AND externalId IS NULL AND status IN ('live', 'unknown')`
  for (const row of tx.rows(key, nameless, tx.now) as Key[]) {
    const guest = onlyGuestBehind(mainDoorOf(tx, row))
    if (guest) link(tx, row, guest)
  }
  return null
})
