import { closeSync, openSync, writeSync } from 'node:fs'
import type { Clock } from '../../host/clock.ts'
import { CommandFailed } from '../exit-codes.ts'
import type { BookingRow } from './booking-row.ts'
import { type RowRefusal, refusalGroups } from './refusal-groups.ts'

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
  const byStatus = new Map<string, { accepted: number; refused: number }>()
  const file = refusedFile === null ? null : opened(refusedFile)
  if (file !== null) writeSync(file, 'line,field,reason\n')
  const byField = new Map<string, number>()
  const groups = refusalGroups()
  let spokenAt = began + talkAfterMs - talkEveryMs

  /** Counts a row. A row without reasons is accepted. */
  function add(row: BookingRow, status: string, reasons: RowRefusal[]): void {
    const counts = byStatus.get(status) ?? { accepted: 0, refused: 0 }
    counts[reasons.length === 0 ? 'accepted' : 'refused']++
    byStatus.set(status, counts)
    for (const each of reasons) {
      if (file === null) groups.add(row, each)
      else writeSync(file, `${[row.line, each.field, each.reason].map(cell).join(',')}\n`)
    }
    for (const field of new Set(reasons.map((each) => each.field)))
      byField.set(field, (byField.get(field) ?? 0) + 1)
    talk()
  }

  function talk(): void {
    const now = clock.monotonic()
    if (now - spokenAt < talkEveryMs || now - began < talkAfterMs) return
    spokenAt = now
    const { accepted, refused } = total()
    warn(`${accepted + refused} rows, ${refused} refused, ${seconds()} s`)
  }

  function total() {
    const all = [...byStatus.values()]
    const sum = (which: 'accepted' | 'refused') => all.reduce((count, each) => count + each[which], 0)
    return { accepted: sum('accepted'), refused: sum('refused') }
  }

  const seconds = () => ((clock.monotonic() - began) / 1_000).toFixed(1)

  /** Returns one line for the total and one line per status. */
  function summary(): string[] {
    const { accepted, refused } = total()
    const widest = Math.max(0, ...[...byStatus.keys()].map(({ length }) => length))
    const fields = [...byField].sort(([, a], [, b]) => b - a).map(([field, rows]) => `${field} (${rows})`)
    const counts = [...byStatus]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([status, its]) => {
        return `  ${status.padEnd(widest)}  ${its.accepted} accepted, ${its.refused} refused`
      })
    return [
      ...(isDryRun ? ['Dry run: nothing was written.'] : []),
      `${accepted + refused} rows in ${seconds()} s: ${accepted} accepted, ${refused} refused`,
      ...counts,
      ...(byField.size > 0 ? [`  Refused for ${fields.join(', ')}`] : []),
    ]
  }

  function end(): void {
    if (file !== null) closeSync(file)
    else for (const line of groups.lines()) warn(line)
  }

  return { add, summary, end, refused: () => total().refused }
}

function opened(path: string): number {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new CommandFailed('permission', `${path} cannot be written: ${(error as Error).message}`)
  }
}

function cell(value: string | number): string {
  const text = String(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
