import Database from 'better-sqlite3'
import { refusing } from './connection.ts'

/** Another appliance uses the store. */
export class StoreTaken extends Error {}

/**
 * Locks the store at `path` against other appliances. The operating system releases the lock when this
 * program ends, however it ends. Caches stay correct only while one program writes. Throws StoreTaken.
 */
export function lockStore(path: string): { release(): void } {
  const file = `${path}.lock`
  const lock = refusing(file, () => new Database(file, { timeout: 0 }))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_BUSY') throw error
    throw new StoreTaken(
      `Another nightporter is running on ${path}. Stop it, or give this one --data of its own.`,
    )
  }
  return { release: () => lock.close() }
}
