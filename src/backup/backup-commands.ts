import { command } from '../resource/command.ts'
import type { BackupReason } from './backup-files.ts'
import { noteDelivery } from './targets/target-commands.ts'

/** The command that records a completed and verified backup in the journal. Returns its id. */
export const noteBackup = command(
  'system/backup-completed',
  (tx, input: { id: string; bytes: number; reason: BackupReason }): { id: string } => {
    tx.journal('system.backup-completed', 'system', input)
    return { id: input.id }
  },
)

/** The command that records that a recovery sheet was made, or is kept so that backups are encrypted to it. It never gets the words. */
export const noteSheet = command('system/recovery-sheet', (tx, { step }: { step: 'made' | 'kept' }): null => {
  tx.journal(`system.recovery-sheet-${step}`, 'system')
  return null
})

export const backupCommands = [noteBackup, noteDelivery, noteSheet]
