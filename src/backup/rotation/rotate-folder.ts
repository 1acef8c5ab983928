import { existsSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { backupsIn, madeAhead } from '../backup-files.ts'
import { outdated, type RotationRules } from './rotation.ts'

export interface FolderRotation {
  rules: RotationRules
  /** The IANA time zone of the property. */
  zone: string
  /** Unix milliseconds. */
  now: number
  /**
   * The name of the backup that was just written and verified. It is never removed, also when it is not the newest,
   * such as the copy from before a migration.
   */
  made: string
}

/** How long a backup of the future is reported before it is removed. */
const waitMs = 7 * 86_400_000

/**
 * Removes the old backups of a folder, and those of the future whose wait is over. A missing folder stays missing.
 * Returns why that failed, for people; null when it succeeded.
 */
export async function rotateFolder(
  folder: string,
  { rules, zone, now, made }: FolderRotation,
): Promise<string | null> {
  if (!existsSync(folder)) return null
  const failures: unknown[] = []
  try {
    const backups = await backupsIn(folder)
    const old = new Set(outdated(backups, rules, zone, now))
    const ahead = new Set(madeAhead(backups, now))
    for (const backup of backups) {
      const file = join(folder, backup.name)
      // One that cannot be removed keeps no other.
      try {
        if (backup.name !== made && (old.has(backup) || (ahead.has(backup) && isOver(file, now))))
          rmSync(file, { force: true })
      } catch (error) {
        failures.push(error)
      }
    }
  } catch (error) {
    failures.push(error)
  }
  const [failure] = failures as Error[]
  return failure
    ? `Old backups in ${folder} could not be removed (${failure.message}), so it becomes full. Check whether its disk is read-only.`
    : null
}

/**
 * Whether a backup of the future has waited long enough to be removed. Its name does not say when it was made, so it
 * waits from the first rotation that finds it: that gives it the present as its time of modification. Meanwhile the
 * status reports it, and newer backups are made.
 */
function isOver(file: string, now: number): boolean {
  const { mtimeMs } = statSync(file)
  if (mtimeMs > now) utimesSync(file, now / 1_000, now / 1_000)
  return now - mtimeMs >= waitMs
}
