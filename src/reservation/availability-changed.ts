import type { Transaction } from '../resource/change.ts'
import type { Rule } from '../resource/resource.ts'
import type { Dates } from './availability-period.ts'
import { removesAvailability, type UnitStatus } from './unit-status.ts'

/**
 * Writes down that a unit type may have more or fewer units left than before: on some dates, or on all. Each stay and each
 * unit that is written is a line; whoever passes them on decides how many are told as one.
 */
export function tellAvailability(tx: Transaction, unitTypeId: string, dates?: Dates): void {
  const data = dates ? { startDate: dates.first, endDate: dates.last } : {}
  tx.journal('availability.changed', `unit-types/${unitTypeId}`, data)
}

interface OfType {
  unitTypeId?: string | null
  status?: UnitStatus | null
  blocks?: unknown
}

/** A unit that comes, changes its type, is put out of order or in order again, or is blocked. */
export function unitChangesAvailability({ tx, before, after }: Parameters<Rule>[0]): void {
  const [was, is] = [before as OfType | null, after as OfType]
  const isSame =
    was?.unitTypeId === is.unitTypeId && isOut(was) === isOut(is) && blocksOf(was) === blocksOf(is)
  if (!isSame) tellAll(tx, [was?.unitTypeId, is.unitTypeId])
}

/** A unit that goes. */
export function unitTakesAvailability({ tx, after }: Parameters<Rule>[0]): void {
  tellAll(tx, [(after as OfType).unitTypeId])
}

function tellAll(tx: Transaction, unitTypeIds: (string | null | undefined)[]): void {
  for (const id of new Set(unitTypeIds)) if (id) tellAvailability(tx, id)
}

function isOut(unit: OfType | null): boolean {
  return unit?.status ? removesAvailability[unit.status] : false
}

function blocksOf(unit: OfType | null): string {
  return JSON.stringify(unit?.blocks ?? [])
}
