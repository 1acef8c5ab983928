import type { Clock } from '../host/clock.ts'
import { type BackupFile, backupsIn } from './backup-files.ts'
import { BackupRefused } from './backup-refused.ts'

const answersWithinMs = 5_000

/** Lists the backups in a folder. The folder may be on a disk that hangs. */
export function backupList(folder: string, clock: Clock) {
  let reading: Promise<BackupFile[]> | null = null

  /** Concurrent calls share one read, so a hanging folder is read only once. */
  function list(): Promise<BackupFile[]> {
    reading ??= backupsIn(folder).finally(() => {
      reading = null
    })
    return reading
  }

  /** Like `list`; rejects with BackupRefused after a time limit. */
  async function listInTime(): Promise<BackupFile[]> {
    const answered = new AbortController()
    try {
      return await Promise.race([list(), silence(answered.signal)])
    } finally {
      answered.abort()
    }
  }

  async function silence(signal: AbortSignal): Promise<never> {
    await clock.sleep(answersWithinMs, { signal, ref: false })
    throw new BackupRefused(
      `${folder} does not answer. Check its disk or network drive, or configure another folder.`,
    )
  }

  return { list, listInTime }
}
