import type { Clock } from '../host/clock.ts'
import { type Connection, openReader } from './connection.ts'
import { statements } from './statements.ts'
import { turns } from './turns.ts'

type Prepare = ReturnType<typeof statements>

/** Reads that take long: each of one moment, on a connection of its own, in slices between which others are answered. */
export interface LongReads {
  /** Rejects with busy when too many wait already, and at some time when who asked `isGone`. */
  take<T>(work: (prepare: Prepare) => Generator<void, T>, isGone: () => boolean): Promise<T>
  close(): void
}

export function longReads(path: string, clock: Clock): LongReads {
  const { take, close } = turns(clock)
  const idle: { db: Connection; prepare: Prepare }[] = []

  function* inSnapshot<T>(work: (prepare: Prepare) => Generator<void, T>): Generator<void, T> {
    const one = idle.pop() ?? opened()
    one.db.exec('BEGIN')
    try {
      return yield* work(one.prepare)
    } finally {
      one.db.exec('COMMIT')
      idle.push(one)
    }
  }

  function opened() {
    const db = openReader(path)
    db.pragma('cache_size = -2000')
    return { db, prepare: statements(db) }
  }

  return {
    take: (work, isGone) => take(() => inSnapshot(work), isGone),
    close() {
      close()
      for (const { db } of idle.splice(0)) db.close()
    },
  }
}
