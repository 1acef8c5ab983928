import type { Transaction } from '../../resource/command.ts'
import { syncLink } from '../resources/sync-link.ts'

/**
 * A restored house does not know what it told a PMS since its backup was taken, and a PMS does not tell that back as news: it is
 * asked for everything anew. What the house still had to tell is told again under the same ids.
 */
export function linksAfterRestore(tx: Transaction): void {
  for (const { id } of tx.select(syncLink, [])) tx.patch(syncLink, id, { pullCursor: null, inStepAt: null })
}
