import type { Transaction } from '../../../resource/command.ts'
import type { Key } from '../../resources/key.ts'
import { isAtUnitOf } from '../life/key-owner.ts'
import { isAllowed } from './door-guard.ts'
import { hasOtherOwner } from './pin-in-use.ts'

/**
 * Whether a stored key that had ended may open its doors again: its stay, if it has one with units, still has the unit, the guard
 * of the doors allows it, and no key of another guest has its PIN.
 */
export function mayReturn(tx: Transaction, row: Key): boolean {
  const { stayId, pinMark, validFrom, validUntil } = row
  if ((stayId && isAtUnitOf(tx, stayId, row) === false) || !isAllowed(tx, row)) return false
  return !hasOtherOwner(tx, pinMark, row, { validFrom: validFrom ?? 0, validUntil: validUntil ?? 0 })
}
