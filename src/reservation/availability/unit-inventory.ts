import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../resource/command.ts'
import type { Writing } from '../../resource/resource.ts'
import type { Block } from '../units/unit-block.ts'
import { removesAvailability, type UnitStatus } from '../values/unit-status.ts'
import { publishAvailability, publishLast } from './availability-events.ts'
import { forgetNights, shiftCapacity } from './inventory-nights.ts'

/** The fields of a unit that decide whether it can be sold. */
interface Sellable {
  unitTypeId?: string | null
  status?: UnitStatus | null
  blocks?: Block[] | null
}

type UnitWriting = Pick<Writing, 'tx'> & { before: Sellable | null; after: Sellable }

/**
 * Updates availability after a unit was created or changed. When a unit that is out joins or leaves a type, the
 * reported capacity of the type shifts with it, so that the count left stays as the PMS reported it.
 */
export function unitChangesAvailability({ tx, before: was, after: is }: UnitWriting): void {
  if (was?.unitTypeId !== is.unitTypeId) {
    if (was) moveCapacity(tx, was, -1)
    moveCapacity(tx, is, 1)
  } else if (was && isOut(was) === isOut(is) && isDeepStrictEqual(was.blocks ?? [], is.blocks ?? [])) return
  for (const id of new Set([was?.unitTypeId, is.unitTypeId])) if (id) publishAvailability(tx, id)
}

/** Updates availability when a unit is removed. */
export function unitLeavesAvailability({ tx, after: unit }: UnitWriting): void {
  moveCapacity(tx, unit, -1)
  if (unit.unitTypeId) publishAvailability(tx, unit.unitTypeId)
}

/** Updates availability when a unit type is removed. */
export function typeLeavesAvailability({ tx, id }: Pick<Writing, 'tx' | 'id'>): void {
  publishLast(tx, id)
  forgetNights(tx, id)
}

function moveCapacity(tx: Transaction, unit: Sellable, by: 1 | -1): void {
  if (unit.unitTypeId) shiftCapacity(tx, unit.unitTypeId, isOut(unit) ? [always] : (unit.blocks ?? []), by)
}

const always: Block = { startDate: '0000-01-01', endDate: '9999-12-31' }

function isOut({ status }: Sellable): boolean {
  return status ? removesAvailability[status] : false
}
