import { command } from '../resource/command.ts'
import type { Change } from './applying.ts'

/** The command that records that a set-up document was applied. It returns the changes, for a repeat of the request. */
export const noteSetup = command(
  'system/setup-applied',
  (tx, { changes }: { changes: Change[] }): Change[] => {
    if (changes.length > 0) tx.journal('system.setup-applied', 'system', { changes: changes.length })
    return changes
  },
)
