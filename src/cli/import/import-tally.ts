import { closeSync, openSync, writeSync } from 'node:fs'
import type { Clock } from '../../host/clock.ts'
import { CommandFailed } from '../exit-codes.ts'
import type { BookingRow } from './booking-row.ts'

/** The reason of a refusal and the field with the problem. */
export interface RowRefusal {
  field: string
  reason: string
}

const talkAfterMs = 2_000
const talkEveryMs = 1_000

/** Counts accepted and refused rows. Writes the refused rows to a CSV file, or to standard error without one. */
export function tally({ refusedFile, clock }: { refusedFile: string | null; clock: Clock }) {
  const began = clock.monotonic()
  const byStatus = new Map<string, { accepted: number; refused: number }>()
  const file = refusedFile === null ? null : opened(refusedFile)
  if (file !== null) writeSync(file, 'line,field,reason\n')
  let spokenAt = began + talkAfterMs - talkEveryMs

  /** Counts a row. A row without reasons is accepted. */
  function add({ line }: BookingRow, status: string, reasons: RowRefusal[]): void {
    const counts = byStatus.get(status) ?? { accepted: 0, refused: 0 }
    counts[reasons.length === 0 ? 'accepted' : 'refused']++
    byStatus.set(status, counts)
    for (const { field, reason } of reasons) {
      if (file !== null) writeSync(file, `${[line, field, reason].map(cell).join(',')}\n`)
      else console.error(`line ${line}: ${field}: ${reason}`)
    }
    talk()
  }

  function talk(): void {
    const now = clock.monotonic()
    if (now - spokenAt < talkEveryMs || now - began < talkAfterMs) return
    spokenAt = now
    const { accepted, refused } = total()
    console.error(`${accepted + refused} rows, ${refused} refused, ${seconds()} s`)
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
    const lines = [...byStatus]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([status, counts]) => {
        return `  ${status.padEnd(widest)}  ${counts.accepted} accepted, ${counts.refused} refused`
      })
    return [
      `${accepted + refused} rows in ${seconds()} s: ${accepted} accepted, ${refused} refused`,
      ...lines,
    ]
  }

  function end(): void {
    if (file !== null) closeSync(file)
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
