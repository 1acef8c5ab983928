import type { Clock } from '../../host/clock.ts'
import type { BookingRow } from './booking-row.ts'
import { createdCsv } from './csv-file.ts'
import { type RowRefusal, refusalGroups } from './refusal-groups.ts'

/** What came of a row: `different` means that its booking is stored otherwise and was not changed. */
type Result = 'accepted' | 'refused' | 'different'

const talkAfterMs = 2_000
const talkEveryMs = 1_000

/**
 * Counts accepted and refused rows. Writes the refused rows to a CSV file; without one, passes the reasons to `warn` at
 * the end, grouped and with examples.
 */
export function tally({
  refusedFile,
  clock,
  warn,
  isDryRun,
}: {
  refusedFile: string | null
  clock: Clock
  warn: (line: string) => void
  isDryRun: boolean
}) {
  const began = clock.monotonic()
  const byStatus = new Map<string, Record<Result, number>>()
  const file = refusedFile === null ? null : createdCsv(refusedFile, ['line', 'field', 'reason'])
  const byField = new Map<string, number>()
  const groups = refusalGroups()
  let spokenAt = began + talkAfterMs - talkEveryMs

  /** Counts a row. A row with reasons is refused. */
  function add(row: BookingRow, status: string, reasons: RowRefusal[], isDifferent = false): void {
    const counts = byStatus.get(status) ?? { accepted: 0, refused: 0, different: 0 }
    const result = isDifferent ? 'different' : 'accepted'
    counts[reasons.length === 0 ? result : 'refused']++
    byStatus.set(status, counts)
    for (const each of reasons) {
      if (file === null) groups.add(row, each)
      else file.write([row.line, each.field, each.reason])
    }
    for (const field of new Set(reasons.map((each) => each.field)))
      byField.set(field, (byField.get(field) ?? 0) + 1)
    talk()
  }

  function talk(): void {
    const now = clock.monotonic()
    if (now - spokenAt < talkEveryMs || now - began < talkAfterMs) return
    spokenAt = now
    const { accepted, refused, different } = total()
    warn(`${accepted + refused + different} rows, ${refused} refused, ${seconds()} s`)
  }

  function total() {
    const all = [...byStatus.values()]
    const sum = (which: Result) => all.reduce((count, each) => count + each[which], 0)
    return { accepted: sum('accepted'), refused: sum('refused'), different: sum('different') }
  }

  const seconds = () => ((clock.monotonic() - began) / 1_000).toFixed(1)

  /** Returns one line for the total and one line per status. */
  function summary(): string[] {
    const all = total()
    const widest = Math.max(0, ...[...byStatus.keys()].map(({ length }) => length))
    const counts = [...byStatus]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([status, its]) => {
        return `  ${status.padEnd(widest)}  ${inWords(its)}`
      })
    return [
      ...(isDryRun ? ['Dry run: nothing was written.'] : []),
      `${all.accepted + all.refused + all.different} rows in ${seconds()} s: ${inWords(all)}`,
      ...counts,
      ...(byField.size > 0 ? [`  Refused for ${mostFirst(byField)}`] : []),
    ]
  }

  function end(): void {
    if (file !== null) file.close()
    else for (const line of groups.lines()) warn(line)
  }

  return {
    add,
    summary,
    end,
    /** Returns how many rows were not accepted. */
    failed: () => total().refused + total().different,
  }
}

function inWords({ accepted, refused, different }: Record<Result, number>): string {
  return `${accepted} accepted, ${refused} refused${different > 0 ? `, ${different} different` : ''}`
}

/** Returns names with their numbers, the largest number first: `status (3), price (1)`. */
export function mostFirst(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  return sorted.map(([name, count]) => `${name} (${count})`).join(', ')
}
