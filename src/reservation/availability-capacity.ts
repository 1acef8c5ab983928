import type { Transaction } from '../resource/change.ts'
import type { Rule } from '../resource/resource.ts'
import { type Block, blockOn } from './unit-block.ts'
import { removesAvailability, type UnitStatus } from './unit-status.ts'

/** The name of the counter of what upstream told of a date. Names of one type are in the order of their dates. */
export function capacityCounter(unitTypeId: string, date: string): string {
  return `capacity/${unitTypeId}/${date}`
}

/** Greater than every date in the order of texts. */
const afterAllDates = '~'

/** What was told of a unit type goes with it. */
export function capacityGoes({ tx, id }: Parameters<Rule>[0]): void {
  tx.forget(capacityCounter(id, ''), capacityCounter(id, afterAllDates))
}

interface OfType {
  unitTypeId?: string | null
  status?: UnitStatus | null
  blocks?: Block[] | null
}

/** What was told is what is left: a unit that is out when it comes to the type, or goes from it, changes nothing about it. */
export function capacityFollows({ tx, before, after }: Parameters<Rule>[0]): void {
  const [was, is] = [before as OfType | null, after as OfType]
  if (was?.unitTypeId === is.unitTypeId) return
  if (was) moveCapacity(tx, was, -1)
  moveCapacity(tx, is, 1)
}

/** The same for a unit that goes. */
export function capacityLeaves({ tx, after }: Parameters<Rule>[0]): void {
  moveCapacity(tx, after as OfType, -1)
}

function moveCapacity(tx: Transaction, { unitTypeId, status, blocks }: OfType, by: number): void {
  if (!unitTypeId) return
  const told = tx.counters(capacityCounter(unitTypeId, ''), capacityCounter(unitTypeId, afterAllDates))
  for (const counter of told.keys()) {
    const date = counter.slice(counter.lastIndexOf('/') + 1)
    const isOut = (status && removesAvailability[status]) || blockOn(blocks, { first: date, last: date })
    if (isOut) tx.add(counter, by)
  }
}
