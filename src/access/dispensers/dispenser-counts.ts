import type { Transaction } from '../../resource/command.ts'
import type { CardRun } from '../resources/card-run.ts'
import { type Dispenser, dispenser } from '../resources/dispenser.ts'
import { publishDispenserAlarms } from './dispenser-alarms.ts'

/** The counters of a machine, since its first card or since the last service or emptying. */
export const counterNames = [
  'dispensed',
  'captured',
  'returned',
  'jams',
  'retries',
  'sinceService',
  'binCount',
] as const
type Count = (typeof counterNames)[number]
export type Counters = Partial<Record<Count, number>>

/** Counts a dispensed card. */
export function countDispensed(tx: Transaction, run: CardRun): void {
  if (!run.dispenserId) return
  count(tx, run.dispenserId, 'dispensed', 'sinceService')
  if (!run.placed) countFed(tx, run.dispenserId)
}

/** Subtracts one card from the stacker, where its count is known. */
export function countFed(tx: Transaction, id: string): void {
  const { estimatedCards } = tx.find(dispenser, id)
  if (typeof estimatedCards === 'number')
    tx.patch(dispenser, id, { estimatedCards: Math.max(0, estimatedCards - 1) })
}

/** Adds one card to the stacker, where its count is known. */
export function countRestacked(tx: Transaction, id: string): void {
  const { estimatedCards } = tx.find(dispenser, id)
  if (typeof estimatedCards === 'number') tx.patch(dispenser, id, { estimatedCards: estimatedCards + 1 })
}

/** Counts a captured card. */
export function countCaptured(tx: Transaction, id: string): void {
  count(tx, id, 'captured', 'binCount', 'sinceService')
}

/** Counts the end of an issuance whose card was not captured under observation. */
export function countEnd(tx: Transaction, { dispenserId, reason }: CardRun, ending: CardRun['ending']): void {
  if (!dispenserId) return
  if (ending === 'captured') countCaptured(tx, dispenserId)
  if (reason === 'dispenser-jam') countJam(tx, dispenserId)
}

/** Counts a jam and publishes the alarm, also when the machine has already freed itself. */
export function countJam(tx: Transaction, id: string): void {
  count(tx, id, 'jams')
  publishDispenserAlarms(tx, id, { jammed: true })
}

/** Adds one to each of the counters. */
export function count(tx: Transaction, id: string, ...counts: Count[]): void {
  const row: Dispenser = tx.find(dispenser, id)
  tx.patch(dispenser, id, Object.fromEntries(counts.map((each) => [each, (row[each] ?? 0) + 1])))
}
