import type { Reader } from '../../resource/keeper.ts'

const linesATime = 1_000
/** The largest number of changes that are counted. */
const mostCounted = 10_000

/** The changes since a backup, by kind. A restore would lose them. */
export interface NewerChanges {
  /** Counts by the first word of an event's type, such as `stay`. */
  changes: Record<string, number>
  /** Whether there are more changes than were counted. */
  isAtLeast: boolean
}

/** Counts the changes in the journal after a time, Unix milliseconds. */
export function newerChanges({ journalBefore }: Pick<Reader, 'journalBefore'>, since: number): NewerChanges {
  const changes: Record<string, number> = {}
  let before = Number.MAX_SAFE_INTEGER
  for (let counted = 0; counted < mostCounted; counted += linesATime) {
    const lines = journalBefore(before, linesATime)
    for (const { sequence, at, type } of lines) {
      if (at <= since) return { changes, isAtLeast: false }
      before = sequence
      const kind = type.slice(0, type.indexOf('.'))
      changes[kind] = (changes[kind] ?? 0) + 1
    }
    if (lines.length < linesATime) return { changes, isAtLeast: false }
  }
  return { changes, isAtLeast: true }
}
