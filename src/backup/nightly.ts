import { join } from 'node:path'
import { dataFiles } from '../host/data-files.ts'
import { migrationCopyOf } from '../store/disk/copy.ts'
import type { BackupReason } from './backup-files.ts'
import { type Backups, type BackupsOptions, isThere } from './backups.ts'
import { isDue } from './schedule.ts'

/** How often the schedule is checked. */
const looksEveryMs = 15 * 60_000
/** The first check waits, so that it does not delay the first requests after a start. */
const firstLookMs = 60_000
/** The pause after a failure. It keeps a full disk from being written to all night. */
const againAfterMs = 60 * 60_000
const actor = { by: 'backup', requestId: null }

/**
 * Makes a backup each night, and one of the copy that a migration left. A failure is reported by the backup
 * state, and the backup is retried.
 */
export function nightly(
  backups: Backups,
  { data, at, clock, zone }: Pick<BackupsOptions, 'data' | 'at' | 'clock' | 'zone'>,
): { close(): void } {
  const migrationCopy = migrationCopyOf(join(data, dataFiles.database))
  let failedAt: number | null = null
  let isChecking = false
  const first = clock.setTimeout(() => void look(), firstLookMs).unref()
  const checks = clock.setInterval(() => void look(), looksEveryMs).unref()

  /** Only one check runs at a time, so a hanging folder is read only once. */
  async function look(): Promise<void> {
    if (isChecking || backups.isUnderWay() || isTooSoon()) return
    isChecking = true
    try {
      const reason = await nextReason()
      if (reason) await backups.make(reason, { actor })
      failedAt = null
    } catch {
      failedAt = clock.monotonic()
    } finally {
      isChecking = false
    }
  }

  async function nextReason(): Promise<BackupReason | null> {
    const { hasKey, lastBackupAt } = await backups.state()
    if (!hasKey) return null
    if (await isThere(migrationCopy)) return 'migration'
    return isDue(clock.now(), lastBackupAt, at, zone()) ? 'nightly' : null
  }

  function isTooSoon(): boolean {
    return failedAt !== null && clock.monotonic() - failedAt < againAfterMs
  }

  return {
    close() {
      first.cancel()
      checks.cancel()
    },
  }
}
