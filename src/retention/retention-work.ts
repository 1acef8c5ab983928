import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock } from '../host/clock.ts'
import { cachedSettings } from '../reservation/resources/house.ts'
import { daysKept } from '../resource/answers-since.ts'
import type { Command, Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import type { LeftRow, NextSlice, Slice, Sliced } from '../resource/slice.ts'
import { type Aged, agedTables, retentionSettings } from '../store/retention.ts'
import type { RetentionReport } from './retention-report.ts'

const everyMs = 3_600_000
/** Tables with a retention of more than a day are processed once a day, at the start, and each hour while rows of them are left. */
const hoursADay = 24
const day = 86_400_000
/** The largest number of slices of one command in a row. The rest is processed the next time. */
const mostSlices = 20_000
/** So many of the rows that are left are in the log, and at most 20 more. */
const mostShown = 5

const actor = { by: 'retention', requestId: null }

interface RetentionOptions {
  reader: Reader
  writer: Writer
  clock: Clock
  /** All commands of the appliance. */
  changes: readonly Command[]
  report: RetentionReport
  background: BackgroundWork
  failed(error: unknown): void
}

/**
 * Deletes rows that are older than the retention of their table, at the start and then every hour or day. It
 * works slice by slice with low priority. Nothing is deleted while the clock is in doubt. A row that cannot be deleted, and a
 * table that cannot be processed, is in the report and in the log, stops no other, and is tried again every hour.
 */
export function retentionWork(options: RetentionOptions): {
  /** Starts a round at once, or after the one that is running. Resolves when it has ended. */
  begin(): Promise<void>
  /** Resolves when the current slice has ended. */
  close(): Promise<void>
} {
  const { reader, writer, clock, changes, report, background, failed } = options
  let isOpen = true
  let hour = 0
  const byName = new Map(changes.map((each) => [each.name, each as Command<Slice, Sliced>]))
  const rounds = background.every('retention', everyMs, all)

  async function all(): Promise<void> {
    const isWholeRound = hour++ % hoursADay === 0
    for (const each of agedTables()) {
      if (!isWholeRound && each.days !== daysKept && !report.has(each.by)) continue
      await whole(each).catch((error) => {
        report.failed(each.by, error)
        failed(error)
      })
    }
  }

  async function whole({ by, days }: Aged): Promise<void> {
    const command = byName.get(by)
    if (!command) throw new Error(`no command is called ${by}`)
    let after: NextSlice = 0
    let count = 0
    const left: LeftRow[] = []
    for (let slices = 0; after !== null && slices < mostSlices; slices++) {
      if (!isOpen || !clock.mayForget()) return
      const before = clock.now() - daysOf(days) * day
      const sliced: Sliced = await writer.execute(command, { after, before }, { actor, lowPriority: true })
      after = sliced.next
      count += sliced.left.length
      if (left.length < mostShown) left.push(...sliced.left)
    }
    report.ended(by, count, left)
    if (count > 0) failed(new Error(`${by} left ${count} rows: ${left.map(textOf).join(', ')}`))
  }

  function daysOf(days: Aged['days']): number {
    if (typeof days === 'number') return days
    return cachedSettings(reader)?.[days] ?? retentionSettings[days]
  }

  return {
    begin: rounds.begin,
    close() {
      isOpen = false
      return rounds.close()
    },
  }
}

function textOf({ row, reason }: LeftRow): string {
  return `${row} (${reason})`
}
