import { join } from 'node:path'
import type { BackgroundWork } from '../host/background-work.ts'
import { dataFiles } from '../host/files/data-files.ts'
import { migrationCopyOf } from '../store/disk/copy.ts'
import { removeLeftCopy } from './archive/plain-copies.ts'
import type { BackupReason } from './backup-files.ts'
import { type Backups, type BackupsOptions, isThere } from './backups.ts'
import { scheduledDay } from './schedule.ts'

/** How often the schedule is checked. */
const looksEveryMs = 15 * 60_000
/** The first check is delayed, so that it does not slow the first requests after a start. */
const firstLookMs = 60_000
/** The pause after a failure, so that the box does not write to a full disk all night. */
const againAfterMs = 60 * 60_000
const actor = { by: 'backup', requestId: null }

interface NightlyOptions extends Pick<BackupsOptions, 'data' | 'schedule' | 'clock' | 'zone'> {
  background: BackgroundWork
}

/**
 * Makes a backup each night, packs the copy that a migration left, and removes the one of a backup that was killed or
 * canceled. The backup state reports a failure, and the backup is retried.
 */
export function nightly(
  backups: Backups,
  { data, schedule, clock, zone, background }: NightlyOptions,
): { close(): void } {
  const migrationCopy = migrationCopyOf(join(data, dataFiles.database))
  let failedAt: number | null = null
  /** The last scheduled backup. A time zone that is set later must not repeat it on the same date. */
  let last: { date: string; at: string } | null = null
  const looks = background.every('backup-schedule', looksEveryMs, look, { firstMs: firstLookMs })

  async function look(): Promise<void> {
    if (backups.isUnderWay()) return
    removeLeftCopy(data)
    const reason = isTooSoon() ? null : await nextReason()
    if (reason) await made(reason)
  }

  /** The state of the backups says why one could not be made. */
  async function made(reason: BackupReason): Promise<void> {
    failedAt = null
    const day = dayNow()
    try {
      await backups.make(reason, { actor })
      if (reason === 'nightly') last = day
    } catch {
      failedAt = clock.monotonic()
    }
  }

  async function nextReason(): Promise<BackupReason | null> {
    if (!(await backups.state()).hasKey) return null
    if (await isThere(migrationCopy)) return 'migration'
    const day = dayNow()
    const isMade = (last?.date === day.date && last.at === day.at) || (await backups.hasOneOf(day))
    return isMade ? null : 'nightly'
  }

  function dayNow() {
    const { at } = schedule()
    return { at, ...scheduledDay(clock.now(), at, zone()) }
  }

  function isTooSoon(): boolean {
    return failedAt !== null && clock.monotonic() - failedAt < againAfterMs
  }

  return {
    close: () => void looks.close(),
  }
}
