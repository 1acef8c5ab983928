import type { Clock } from '../../host/clock.ts'
import { guarded } from '../../host/guarded.ts'
import { type Connection, checkpointPages } from '../connection.ts'
import type { failures } from '../disk/failures.ts'
import type { FromWriter } from '../messages.ts'
import type { transactions } from './transaction.ts'

/**
 * Pending texts enter the search index at least this often, even when there are few, because the index still
 * contains former names of guests.
 */
const indexesEveryMs = 3_600_000
/** SQLite takes 40 us to tell the length of the log, so it is asked once in so many commits. Large ones write 2 MiB. */
const looksEvery = 20

interface UpkeepOptions {
  db: Connection
  tools: ReturnType<typeof transactions>
  clock: Clock
  failure: ReturnType<typeof failures>
  send(message: FromWriter): void
}

/** The writer's background work. A failure is reported once, and the work is retried the next time. */
export function upkeep({ db, tools, clock, failure, send }: UpkeepOptions) {
  const { prepare, index } = tools
  /** Whether another thread is running a checkpoint, or has completed one. */
  let log: 'kept' | 'copying' | 'copied' = 'kept'
  let unlooked = 0
  let indexed = Number.NEGATIVE_INFINITY

  function checkpoint({ atRest } = { atRest: false }): void {
    // After the other thread's checkpoint, few pages are left. One more copies them, and SQLite restarts the log.
    if (log === 'copied') {
      log = 'kept'
      prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
    } else if (log === 'kept' && isLogLong(atRest)) {
      log = 'copying'
      send({ is: 'log-long' })
    }
  }

  /** Whether the log is long enough for a checkpoint. With `atRest`, one page in the log is enough. */
  function isLogLong(atRest: boolean): boolean {
    if (!atRest && ++unlooked < looksEvery) return false
    unlooked = 0
    const found = prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number }
    return found.log - found.checkpointed >= (atRest ? 1 : checkpointPages)
  }

  return {
    /** Starts a checkpoint when the write-ahead log is long; with `atRest`, when the log contains anything. */
    checkpoint: guarded(failure.notice, checkpoint),
    /** Records that another thread has completed a checkpoint. */
    checkpointed() {
      log = 'copied'
    },
    /** Applies the pending texts to the search index when there are enough of them, or when an hour has passed. */
    fillIndex: guarded(failure.notice, () => {
      if (!index.hasMuch() && clock.monotonic() - indexed < indexesEveryMs) return
      indexed = clock.monotonic()
      db.transaction(index.settle).immediate()
    }),
    /**
     * Makes a test write, so that a disk that was in trouble is known to be well again. The write makes other connections
     * read again what they remember, and this connection forgets it.
     */
    tryDisk: guarded(failure.notice, () => {
      prepare('PRAGMA shrink_memory').run()
      prepare(
        `INSERT INTO counter VALUES ('disk/tried', 1) ON CONFLICT DO UPDATE SET value = value + 1`,
      ).run()
      // Test the database file as well: it may fail while the log can be written.
      prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
      send({ is: 'well' })
    }),
  }
}
