import type { Questions, Transaction } from '../../../resource/command.ts'
import { type Filter, having } from '../../../resource/query.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { doorNamed, doorsOfUnit } from '../../resources/door.ts'
import { type Key, key } from '../../resources/key.ts'

/** Whose a key is: a stay's; or, while the stay is not known, that of the name by which it was ordered. */
export type KeyOwner = { [Name in 'stayId' | 'externalId']?: Key[Name] | undefined }

/** The filters for the keys of an owner; null when it has neither a stay nor a name. */
export function ofOwner({ stayId, externalId }: KeyOwner): Filter[] | null {
  if (stayId) return having({ stayId })
  return externalId ? having({ externalId, stayId: null }) : null
}

/** Whether a key is an owner's. A stay that has the number of one before it does not own the keys of that one. */
export function isOfOwner(row: Key, { stayId, externalId }: KeyOwner): boolean {
  if (stayId) return row.stayId === stayId
  return !!externalId && !row.stayId && row.externalId === externalId
}

/** The keys of an owner, in the order of making. */
export function keysOfOwner(tx: Transaction, owner: KeyOwner): Key[] {
  const where = ofOwner(owner)
  return where === null ? [] : tx.select(key, where)
}

const unitsOf = `SELECT unit.name FROM stay_unit JOIN unit ON unit.rid = stay_unit.unitId
  WHERE stay_unit.owner = ${ridOf('stay')}`

function namesOfUnits(db: Questions, stayId: string): string[] {
  return db.all<{ name: string }>(unitsOf, stayId).map(({ name }) => name)
}

/**
 * Whether the main door of a key leads to one of the stay's units; null when the stay has none yet. Where the key and the unit have locks,
 * these decide: the unitMapping may have been corrected since the key was made.
 */
export function isAtUnitOf(
  db: Questions,
  stayId: string,
  { unitName, lock, providerId }: Pick<Key, 'unitName' | 'lock' | 'providerId'>,
): boolean | null {
  const names = namesOfUnits(db, stayId)
  if (names.length === 0) return null
  return names.some((name) => {
    const doors = lock ? doorsOfUnit(db, providerId, name) : []
    return doors.length > 0 ? doors.some((door) => door.lock === lock) : name === unitName
  })
}

/**
 * The unit for which a virtual key is sent: its own or, where its stay has other units by now, the only one of them that has a lock
 * there. Null where a person must name the unit.
 */
export function unitToSend(db: Questions, row: Key): string | null {
  const { stayId, providerId, unitName = null } = row
  if (!stayId || isAtUnitOf(db, stayId, row) !== false) return unitName
  const names = namesOfUnits(db, stayId)
  if (unitName && names.includes(unitName)) return unitName
  const [only, ...others] = names
  return only !== undefined && others.length === 0 && doorNamed(db, providerId, only) ? only : null
}
