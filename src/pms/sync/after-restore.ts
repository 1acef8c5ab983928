import type { Transaction } from '../../resource/command.ts'
import { syncLink } from '../resources/sync-link.ts'

/**
 * A restored appliance does not know what it sent to a PMS after its backup was taken, and a PMS does not report that back as a change.
 * So everything is fetched anew. What still waited in the outbox is sent again under the same ids.
 */
export function linksAfterRestore(tx: Transaction): void {
  for (const { id } of tx.select(syncLink, [])) tx.patch(syncLink, id, { pullCursor: null, inStepAt: null })
}
