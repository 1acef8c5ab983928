import type { LineBuffer } from '../line-buffer.ts'
import type { SearchIndex } from '../query/search-index.ts'
import type { gathering } from './gathering.ts'

/** What a part of a command uses beside the database, and what of it is taken back. */
export interface SavepointTools {
  journal: LineBuffer
  index: SearchIndex
  gathered: ReturnType<typeof gathering>
  forgetRows(): void
  /** Whether SQLite itself has rolled back the transaction, as it does on a full disk, or a savepoint has failed. */
  isLost(): boolean
  /** Runs a statement for a savepoint. When it fails, the transaction is lost. */
  atSavepoint(sql: string): void
}

/**
 * Runs a part of a command. When it throws, every write of it is taken back, and the command can go on, unless the transaction is
 * lost.
 */
export function inSavepoint<T>(tools: SavepointTools, work: () => T): T {
  const { forgetRows, isLost, atSavepoint, journal, index, gathered } = tools
  const marks = [journal.waiting().length, index.log.waiting().length, gathered.count()] as const
  atSavepoint('SAVEPOINT part')
  try {
    const result = work()
    atSavepoint('RELEASE part')
    return result
  } catch (error) {
    if (isLost()) throw error
    atSavepoint('ROLLBACK TO part')
    atSavepoint('RELEASE part')
    journal.cut(marks[0])
    index.log.cut(marks[1])
    gathered.cut(marks[2])
    forgetRows()
    throw error
  }
}
