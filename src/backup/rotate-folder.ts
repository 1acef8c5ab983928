import { existsSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { backupsIn, madeAhead } from './backup-files.ts'
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
  try {
    const backups = await backupsIn(folder)
    const waited = madeAhead(backups, now).filter(({ name }) => isOver(join(folder, name), now))
    for (const { name } of [...outdated(backups, rules, zone, now), ...waited])
      if (name !== made) rmSync(join(folder, name), { force: true })
    return null
  } catch (error) {
    return `Old backups in ${folder} could not be removed (${(error as Error).message}), so it becomes full. Check whether its disk is read-only.`
  }
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
