import type { Clock } from '../host/clock.ts'
import { type Connection, isLogLong } from './connection.ts'
import type { failures } from './failures.ts'
import type { FromWriter } from './messages.ts'
import type { transactions } from './transaction.ts'

/** What was written is in the search index after so long, even when that is little: it holds former names of guests, too. */
const indexesEveryMs = 3_600_000

export interface UpkeepOptions {
  db: Connection
  tools: ReturnType<typeof transactions>
  clock: Clock
  failure: ReturnType<typeof failures>
  say(message: FromWriter): void
}

/** The writer's work that nobody asked for. A failure is reported once, and the work is tried again the next time. */
export interface Upkeep {
  /** Has the write-ahead log copied into the database when it is long; `atRest`, when there is anything in it. */
  checkpoint(how?: { atRest: boolean }): void
  /** Another thread has copied the log. */
  checkpointed(): void
  /** Brings the search index up to date when enough texts wait for it. */
  fillIndex(): void
  /** Writes something, so that a disk that was in trouble is known to be well again. */
  tryDisk(): void
}

export function upkeep({ db, tools, clock, failure, say }: UpkeepOptions): Upkeep {
  const { prepare, index } = tools
  /** Whether another thread copies the log into the database, or has done so. */
  let log: 'kept' | 'copying' | 'copied' = 'kept'
  let indexed = Number.NEGATIVE_INFINITY

  const noticing = (work: () => void) => () => {
    try {
      work()
    } catch (error) {
      failure.notice(error)
    }
  }

  /** What was written since the copying began is little: one more checkpoint lets the log begin anew. */
  function checkpoint(atRest: boolean): void {
    if (log === 'copied') {
      log = 'kept'
      prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
    } else if (log === 'kept' && isLogLong(prepare, { atRest })) {
      log = 'copying'
      say({ is: 'log-long' })
    }
  }

  return {
    checkpoint: ({ atRest } = { atRest: false }) => noticing(() => checkpoint(atRest))(),
    checkpointed() {
      log = 'copied'
    },
    fillIndex: noticing(() => {
      if (!index.hasMuch() && clock.monotonic() - indexed < indexesEveryMs) return
      indexed = clock.monotonic()
      db.transaction(index.settle).immediate()
    }),
    tryDisk: noticing(() => {
      prepare(
        `INSERT INTO counter VALUES ('disk/tried', 1) ON CONFLICT DO UPDATE SET value = value + 1`,
      ).run()
      // Into the database file as well: it may fail where the log does not.
      prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
      say({ is: 'well' })
    }),
  }
}
