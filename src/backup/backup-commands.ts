import { command } from '../resource/command.ts'
import type { BackupReason } from './backup-files.ts'

/** The command that records a completed and verified backup in the journal. Returns its id. */
export const noteBackup = command(
  'system/backup-completed',
  (tx, input: { id: string; bytes: number; reason: BackupReason }): { id: string } => {
    tx.journal('system.backup-completed', 'system', input)
    return { id: input.id }
  },
)

export const backupCommands = [noteBackup]
