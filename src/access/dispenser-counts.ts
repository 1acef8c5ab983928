import type { Transaction } from '../resource/change.ts'
import type { CardRun } from './resources/card-run.ts'
import { dispenser } from './resources/dispenser.ts'

/** A verified card has left the stacker. */
export function countDispensed(tx: Transaction, run: CardRun): void {
  if (!run.dispenserId) return
  const { dispensed } = tx.find(dispenser, run.dispenserId)
  tx.patch(dispenser, run.dispenserId, {
    dispensed: (dispensed ?? 0) + 1,
    ...oneCardLess(tx, run.dispenserId),
  })
}

/** What the end of a card's way adds to the machine's counts. A card that was verified has left the stacker before. */
export function countEnd(
  tx: Transaction,
  { step, reason }: CardRun,
  id: string,
  ending: CardRun['ending'],
): void {
  const { captured, binCount, jams } = tx.find(dispenser, id)
  const inBin = ending === 'captured' || ending === 'left'
  tx.patch(dispenser, id, {
    ...(inBin && { captured: (captured ?? 0) + 1, binCount: (binCount ?? 0) + 1 }),
    ...(inBin && (step === 'asked' || step === 'writing') && oneCardLess(tx, id)),
    ...(reason === 'dispenser-jam' && { jams: (jams ?? 0) + 1 }),
  })
}

function oneCardLess(tx: Transaction, dispenserId: string): { estimatedCards: number | null } {
  const { estimatedCards } = tx.find(dispenser, dispenserId)
  return { estimatedCards: typeof estimatedCards === 'number' ? Math.max(0, estimatedCards - 1) : null }
}
