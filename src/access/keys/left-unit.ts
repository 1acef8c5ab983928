import { stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import type { Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type Key, key } from '../resources/key.ts'
import { setStatus } from './key-status.ts'
import { stayIdOf } from './stay-of-key.ts'

/** One that was superseded would come back if its newer key turned out not to be made; one in doubt may be in a hand. */
const leavable: ReadonlySet<Key['status']> = new Set(['live', 'unknown', 'superseded'])

/**
 * The guest of a stay has its key for another unit: those of every unit before it, and their copies, are to be taken
 * away, and each is among the older keys until that is proven. However often the move was tried, and whatever became of the
 * cards of it, nothing of it is remembered but the keys themselves. A stay that still has the unit keeps its cards: it has
 * two. A PIN it has once.
 */
export function endElsewhere(tx: Transaction, row: Key): void {
  if (!isOfMovedStay(row)) return
  for (const each of ofSameStay(tx, row)) {
    const isElsewhere = each.providerId === row.providerId && each.lock !== row.lock
    if (!isElsewhere || each.proof || !leavable.has(each.status)) continue
    if (each.keyType === 'keyCard' && stillHasUnit(tx, each)) continue
    tx.patch(key, each.id, { revokedAs: 'removed' } as Partial<Attributes<typeof key.fields>>)
    setStatus(tx, each, 'revocationPending', { reason: 'moved' })
  }
}

/** Another card may be asked for beside the first; the key of a stay takes the place of what was that before. */
function isOfMovedStay({ keyType, original, isOfStay }: Key): boolean {
  return original && (keyType === 'pinCode' || isOfStay === true)
}

function ofSameStay(tx: Transaction, { externalId, stayId, keyType }: Key): Key[] {
  const names = Object.entries({ externalId, stayId }).filter(([, value]) => value)
  const rows = names.flatMap(([path, value]) =>
    tx.select(key, [
      { path, operator: 'eq', value: value ?? '' },
      { path: 'keyType', operator: 'eq', value: keyType },
    ]),
  ) as Key[]
  return [...new Map(rows.map((each) => [each.id, each])).values()]
}

function stillHasUnit(tx: Transaction, { stayId, externalId, unitName }: Key): boolean {
  const id = stayId ?? stayIdOf(tx, externalId ?? null)
  const units = id ? tx.find(stay, id).units : []
  return units.some(({ unitId }) => unitId && tx.find(unit, unitId).name === unitName)
}
