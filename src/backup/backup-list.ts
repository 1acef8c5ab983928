import type { Clock } from '../host/clock.ts'
import { type BackupFile, backupsIn } from './backup-files.ts'
import { BackupRefused } from './backup-refused.ts'

const answersWithinMs = 5_000

/** The backups in a folder that may be on a disk which hangs. */
export function backupList(folder: string, clock: Clock) {
  let reading: Promise<BackupFile[]> | null = null

  /** A folder that does not answer is asked once, however many want to know. */
  function list(): Promise<BackupFile[]> {
    reading ??= backupsIn(folder).finally(() => {
      reading = null
    })
    return reading
  }

  /** As `list`; rejects with BackupRefused where that takes too long. */
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
    throw new BackupRefused(`${folder} does not answer. Look after its disk, or name another folder.`)
  }

  return { list, listInTime }
}
