import type { Transaction } from '../../resource/command.ts'
import type { CardRun } from '../resources/card-run.ts'
import { type Dispenser, dispenser } from '../resources/dispenser.ts'
import { tellDispenser } from './dispenser-alarms.ts'

/** What is counted of a machine from its first card on, or from its last service or emptying. */
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

/** A verified card has left the stacker. */
export function countDispensed(tx: Transaction, run: CardRun): void {
  if (!run.dispenserId) return
  count(tx, run.dispenserId, 'dispensed', 'sinceService')
  if (!run.placed) countFed(tx, run.dispenserId)
}

/** A card has left the stacker. */
export function countFed(tx: Transaction, id: string): void {
  const { estimatedCards } = tx.find(dispenser, id)
  if (typeof estimatedCards === 'number')
    tx.patch(dispenser, id, { estimatedCards: Math.max(0, estimatedCards - 1) })
}

/** A card was put back into the stacker. */
export function countRestacked(tx: Transaction, id: string): void {
  const { estimatedCards } = tx.find(dispenser, id)
  if (typeof estimatedCards === 'number') tx.patch(dispenser, id, { estimatedCards: estimatedCards + 1 })
}

/** A card was moved into the bin. */
export function countCaptured(tx: Transaction, id: string): void {
  count(tx, id, 'captured', 'binCount', 'sinceService')
}

/** What the end of an issuance adds to the machine's counts, where its card was not seen to be captured. */
export function countEnd(tx: Transaction, { dispenserId, reason }: CardRun, ending: CardRun['ending']): void {
  if (!dispenserId) return
  if (ending === 'captured') countCaptured(tx, dispenserId)
  if (reason === 'dispenser-jam') countJam(tx, dispenserId)
}

/** A jam is told even when the machine has freed itself before anybody looked. */
export function countJam(tx: Transaction, id: string): void {
  count(tx, id, 'jams')
  tellDispenser(tx, id, { jammed: true })
}

/** Adds one to each of these. */
export function count(tx: Transaction, id: string, ...counts: Count[]): void {
  const row: Dispenser = tx.find(dispenser, id)
  tx.patch(dispenser, id, Object.fromEntries(counts.map((each) => [each, (row[each] ?? 0) + 1])))
}
