import type { Transaction } from '../../resource/command.ts'
import { type SyncOffer, syncOffer } from '../resources/sync-offer.ts'

/** What the PMS has refused, at most so many of the oldest, or the newest first. */
export function refusedOffers(
  tx: Transaction,
  configurationId: string,
  most: number,
  order: 'oldest' | 'newest' = 'oldest',
): SyncOffer[] {
  return tx.select(
    syncOffer,
    [
      { path: 'configurationId', operator: 'eq', value: configurationId },
      { path: 'refused', operator: 'notnull', value: null },
    ],
    order === 'newest' ? [{ path: 'since', descending: true }] : [],
    most,
  )
}
