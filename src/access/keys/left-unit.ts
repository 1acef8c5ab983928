import { unit } from '../../reservation/resources/unit.ts'
import { stayBy } from '../../reservation/stay-by.ts'
import type { WriteOptions } from '../../resource/change.ts'
import type { Access } from '../access.ts'
import { type Key, key } from '../resources/key.ts'
import { revokeKey } from './revoke-changes.ts'

/**
 * A stay's key was made for another unit: the card before it, and its copies, are to be taken away, and their unit is among
 * those with older keys until that is proven. A stay that still has the unit keeps them: it has two.
 */
export async function endAtLeftUnit(access: Access, held: Key, { actor }: WriteOptions): Promise<void> {
  const { reader, door } = access
  const units = stayBy(reader, held.externalId ?? '')?.units ?? []
  if (units.some(({ unitId }) => unitId && reader.row(unit, unitId)?.name === held.unitName)) return
  const filters = [
    { path: 'familyId', operator: 'eq' as const, value: held.familyId ?? '' },
    { path: 'status', operator: 'eq' as const, value: 'live' },
  ]
  for (const { id } of reader.rows(key, { filters, sort: [], page: { size: 100 } }))
    await door.write(revokeKey, { keyId: id, as: 'removed', reason: 'moved' }, { actor })
  access.chase()
}
