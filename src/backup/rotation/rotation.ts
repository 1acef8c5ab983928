import { localDate } from '../../host/zone.ts'
import { type BackupFile, madeAhead } from '../backup-files.ts'

/** The rules for keeping backups. */
export interface RotationRules {
  /**
   * The number of days, weeks (from Monday) and months for which the newest backup of each is kept. A period without a
   * backup does not count.
   */
  daily: number
  weekly: number
  monthly: number
  /** The largest size of all backups together; the newest is kept even if it is larger. */
  megabytes: number
}

const dayMs = 86_400_000
/**
 * The number of requested backups that are kept. A person makes one before a risky step, and a second one must not
 * delete the first.
 */
const requestedKept = 3

/**
 * Returns the backups to delete, oldest first, by the calendar of the property. It keeps the newest backup of all, the
 * newest one before a migration, the newest one before an update, and the newest three requested ones. If the kept ones
 * exceed `megabytes`, the oldest are deleted first, but never the newest of all.
 *
 * A backup of the future, after `now` (Unix milliseconds), was made while the clock was ahead. It takes no place of
 * another one, and is deleted only where all of them exceed `megabytes`, before any other.
 */
export function outdated(
  backups: readonly BackupFile[],
  rules: RotationRules,
  zone: string,
  now: number,
): BackupFile[] {
  const sorted = backups.toSorted((one, other) => other.takenAt - one.takenAt)
  const newestFirst = sorted.filter(({ takenAt }) => takenAt <= now)
  const ahead = madeAhead(sorted, now)
  const kept = new Set<BackupFile>(newestFirst.slice(0, 1))
  for (const [reason, most] of [
    ['migration', 1],
    ['update', 1],
    ['asked', requestedKept],
  ] as const)
    for (const each of newestFirst.filter((file) => file.reason === reason).slice(0, most)) kept.add(each)
  const periods: [number, (date: string) => string][] = [
    [rules.daily, (date) => date],
    [rules.weekly, weekOf],
    [rules.monthly, (date) => date.slice(0, 7)],
  ]
  for (const [most, periodOf] of periods) {
    const newest = Map.groupBy(newestFirst, ({ takenAt }) => periodOf(localDate(takenAt, zone)))
    for (const [first] of [...newest.values()].slice(0, most)) kept.add(first!)
  }
  for (const each of ahead) kept.add(each)
  const dearestFirst = [...newestFirst, ...ahead]
  dropBeyond(dearestFirst, kept, rules.megabytes * 1_048_576)
  return dearestFirst.filter((each) => !kept.has(each)).reverse()
}

function dropBeyond(dearestFirst: BackupFile[], kept: Set<BackupFile>, mostBytes: number): void {
  let bytes = 0
  for (const each of dearestFirst) {
    if (!kept.has(each)) continue
    bytes += each.bytes
    if (bytes > mostBytes && each !== dearestFirst[0]) kept.delete(each)
  }
}

/** Returns a number for the week of a date. 1970-01-01 was a Thursday. */
function weekOf(date: string): string {
  return String(Math.floor((Date.parse(date) / dayMs + 3) / 7))
}
