import { stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import type { Transaction } from '../../resource/change.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type Key, key } from '../resources/key.ts'
import { stayIdOf } from './begin-key.ts'
import { setStatus } from './key-status.ts'

/**
 * A hand has a stay's card for another unit: the card before it, and its copies, are to be taken away, and their unit is
 * among those with older keys until that is proven. A stay that still has the unit keeps them: it has two.
 */
export function endAtLeftUnit(tx: Transaction, newKeyId: string): void {
  for (const left of live(tx, 'supersededById', newKeyId)) {
    if (stillHasUnit(tx, left)) continue
    for (const each of live(tx, 'familyId', left.familyId ?? '')) {
      tx.patch(key, each.id, { revokedAs: 'removed' } as Partial<Attributes<typeof key.fields>>)
      setStatus(tx, each, 'revocationPending', { reason: 'moved' })
    }
  }
}

function live(tx: Transaction, path: 'supersededById' | 'familyId', value: string): Key[] {
  return tx.select(key, [
    { path, operator: 'eq', value },
    { path: 'status', operator: 'eq', value: 'live' },
  ]) as Key[]
}

function stillHasUnit(tx: Transaction, { stayId, externalId, unitName }: Key): boolean {
  const id = stayId ?? stayIdOf(tx, externalId ?? null)
  const units = id ? tx.find(stay, id).units : []
  return units.some(({ unitId }) => unitId && tx.find(unit, unitId).name === unitName)
}
