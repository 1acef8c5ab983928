import { staysSharing } from '../../reservation/assignment/unit-occupancy.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import { type Key, key, openStatuses } from '../resources/key.ts'
import { placesOf } from './key-places.ts'
import { keysOf, type UnitKeys } from './pending/lock-order.ts'

/** Selects keys with a stay. Keys without one accumulate and do not show who is in house. */
const ofStay: Filter = { path: 'stayId', operator: 'notnull', value: null }

/**
 * Throws unit-occupied when a request for another stay, or for none, makes an original for the unit of a guest who is
 * in house, or for a stay to come whose unit a PMS has given to another stay too. `meets` returns whether windows overlap; null for a lock that accepts one original at a time. With the reason of an
 * `override`, it returns the id of that guest's key instead; null without one.
 */
export function refuseOccupied(
  tx: Transaction,
  unitKeys: UnitKeys,
  stayId: string | null,
  meets: ((other: Key) => boolean) | null,
  override: string | null,
): string | null {
  if (override === null && stayId !== null) refuseBookedTwice(tx, unitKeys, stayId)
  const there = openStatuses.flatMap((status) => keysOf(tx, unitKeys, status, [ofStay]))
  for (const each of [...there, ...onTheirWay(tx, unitKeys)]) {
    if (!each.stayId || each.stayId === stayId || meets?.(each) === false) continue
    const other = tx.find(stay, each.stayId) as Stay
    if (other.status !== 'InHouse' || !(each.status === 'live' || hasUnit(tx, other, unitKeys))) continue
    if (override !== null) return each.id
    throw new Problem('unit-occupied', 'The unit has a key of another guest who is in house.', {
      pointer: '/unitName',
      meta: { keyId: each.id, scope: 'keys.override' },
    })
  }
  return null
}

/** A guest who is in house keeps the unit, whatever was reported for others. */
function refuseBookedTwice(tx: Transaction, { unitName }: UnitKeys, stayId: string): void {
  if (tx.find(stay, stayId).status === 'InHouse') return
  if (!staysSharing(tx, stayId).some((each) => each.unitName === unitName)) return
  throw new Problem(
    'unit-occupied',
    'Another stay has the unit too. Decide the conflict before a key is made.',
    { pointer: '/unitName' },
  )
}

/** Journals that a key was made with an override, and why. The audit shows the reason; events do not, because it may name a guest. */
export function noteOverride(
  tx: Transaction,
  id: string,
  reason: string | null,
  otherKeyId: string | null,
): void {
  if (reason !== null) tx.journal('key.override-used', `access/keys/${id}`, { reason, otherKeyId })
}

/** Keys of other units that the lock system may have moved to this one; the outcome of the move is unknown. */
function onTheirWay(tx: Transaction, { unitName, providerId }: UnitKeys): Key[] {
  const where: Filter[] = [
    { path: 'changeAskedAt', operator: 'notnull', value: null },
    { path: 'providerId', operator: 'eq', value: providerId },
    ofStay,
  ]
  const changing = tx.select(key, where) as Key[]
  return changing.filter(
    (row) => row.unitName !== unitName && placesOf(row).some((place) => place.unitName === unitName),
  )
}

/** Whether the stay has the unit. A guest who has moved away occupies an earlier unit only by a live key. */
function hasUnit(tx: Transaction, { units }: Stay, { unitName }: UnitKeys): boolean {
  return units.some(({ unitId }) => unitId && tx.find(unit, unitId).name === unitName)
}
