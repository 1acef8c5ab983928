import { localDate } from '../host/zone.ts'
import type { BackupFile } from './backup-files.ts'

/** How many backups are kept. */
export interface RotationRules {
  /** The newest of each of so many days, weeks (from Monday) and months that have one. */
  daily: number
  weekly: number
  monthly: number
  /** All of them together; the newest stays even if it alone is more. */
  megabytes: number
}

const dayMs = 86_400_000
/** Somebody made them before he tried something: the one before that must not go because he makes another. */
const askedKept = 3

/**
 * Which backups may go, the oldest first, by the calendar of the property. The newest of all stays, and so do the newest that was made
 * before a migration and the newest three that somebody asked for, until the bytes are too many: then the oldest goes first, and never the newest of all.
 */
export function outdated(backups: readonly BackupFile[], rules: RotationRules, zone: string): BackupFile[] {
  const newestFirst = backups.toSorted((one, other) => other.takenAt - one.takenAt)
  const kept = new Set<BackupFile>(newestFirst.slice(0, 1))
  for (const [reason, most] of [
    ['migration', 1],
    ['asked', askedKept],
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
  dropBeyond(newestFirst, kept, rules.megabytes * 1_048_576)
  return newestFirst.filter((each) => !kept.has(each)).reverse()
}

function dropBeyond(newestFirst: BackupFile[], kept: Set<BackupFile>, mostBytes: number): void {
  let bytes = 0
  for (const each of newestFirst) {
    if (!kept.has(each)) continue
    bytes += each.bytes
    if (bytes > mostBytes && each !== newestFirst[0]) kept.delete(each)
  }
}

/** A number for the week of a date: 1970-01-01 was a Thursday. */
function weekOf(date: string): string {
  return String(Math.floor((Date.parse(date) / dayMs + 3) / 7))
}
