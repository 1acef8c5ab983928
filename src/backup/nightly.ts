import { join } from 'node:path'
import { dataFiles } from '../host/data-files.ts'
import { migrationCopyOf } from '../store/disk/copy.ts'
import type { BackupReason } from './backup-files.ts'
import { type Backups, type BackupsOptions, isThere } from './backups.ts'
import { removeLeftCopy } from './plain-copies.ts'
import { isDue } from './schedule.ts'

/** How often the schedule is checked. */
const looksEveryMs = 15 * 60_000
/** The first check is delayed, so that it does not slow the first requests after a start. */
const firstLookMs = 60_000
/** The pause after a failure, so that the box does not write to a full disk all night. */
const againAfterMs = 60 * 60_000
const actor = { by: 'backup', requestId: null }

/**
 * Makes a backup each night, packs the copy that a migration left, and removes the one of a backup that was killed or
 * canceled. The backup state reports a failure, and the backup is retried.
 */
export function nightly(
  backups: Backups,
  { data, schedule, clock, zone }: Pick<BackupsOptions, 'data' | 'schedule' | 'clock' | 'zone'>,
): { close(): void } {
  const migrationCopy = migrationCopyOf(join(data, dataFiles.database))
  let failedAt: number | null = null
  let isChecking = false
  const first = clock.setTimeout(() => void look(), firstLookMs).unref()
  const checks = clock.setInterval(() => void look(), looksEveryMs).unref()

  /** Only one check runs at a time, so a hanging folder is read only once. */
  async function look(): Promise<void> {
    if (isChecking || backups.isUnderWay()) return
    removeLeftCopy(data)
    if (isTooSoon()) return
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
    return isDue(clock.now(), lastBackupAt, schedule().at, zone()) ? 'nightly' : null
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
