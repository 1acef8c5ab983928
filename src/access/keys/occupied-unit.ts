import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import { type Key, key, openStatuses } from '../resources/key.ts'
import { placesOf } from './key-places.ts'
import { keysOf, type UnitKeys } from './pending/lock-order.ts'

/** Keys of nobody's stay pile up where they are made by hand, and say nothing of who is in house. */
const ofStay: Filter = { path: 'stayId', operator: 'notnull', value: null }

/**
 * The unit of a guest who is in house gets no original by a request that does not name his stay. `meets` says whose
 * windows matter; null for a lock that takes one original at a time.
 */
export function refuseOccupied(
  tx: Transaction,
  unitKeys: UnitKeys,
  stayId: string | null,
  meets: ((other: Key) => boolean) | null,
): void {
  const there = openStatuses.flatMap((status) => keysOf(tx, unitKeys, status, [ofStay]))
  for (const each of [...there, ...onTheirWay(tx, unitKeys)]) {
    if (!each.stayId || each.stayId === stayId || meets?.(each) === false) continue
    const other = tx.find(stay, each.stayId) as Stay
    if (other.status !== 'InHouse' || !(each.status === 'live' || hasUnit(tx, other, unitKeys))) continue
    throw new Problem('unit-occupied', 'The unit has a key of another stay that is in house.', {
      pointer: '/unitName',
      meta: { keyId: each.id, scope: 'keys.override' },
    })
  }
}

/** Keys of other units of which nobody knows whether the lock system has moved them here. */
function onTheirWay(tx: Transaction, { unitName, providerId }: UnitKeys): Key[] {
  const where: Filter[] = [
    { path: 'changeAskedAt', operator: 'notnull', value: null },
    { path: 'providerId', operator: 'eq', value: providerId },
    ofStay,
  ]
  const asked = tx.select(key, where) as Key[]
  return asked.filter(
    (row) => row.unitName !== unitName && placesOf(row).some((place) => place.unitName === unitName),
  )
}

/** A guest who has moved holds his earlier unit by a live key alone: he does not come back to it. */
function hasUnit(tx: Transaction, { units }: Stay, { unitName }: UnitKeys): boolean {
  return units.some(({ unitId }) => unitId && tx.find(unit, unitId).name === unitName)
}
