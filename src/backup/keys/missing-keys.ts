import { existsSync, readFileSync } from 'node:fs'
import { writeDurably } from '../../host/files/durable.ts'
import { atRest } from '../../store/connection.ts'

const changedAfter = "SELECT EXISTS (SELECT 1 FROM journal WHERE at > ? AND type LIKE 'key.%')"

/**
 * Notes in the file of the keys of segments that keys are missing in it, when keys in the database that is replaced have changed after
 * the last segment. Does nothing without segments, and for a database that is missing or cannot be read: a person may
 * restore a backup for that very reason.
 */
export function noteMissingKeys(database: string, file: string): void {
  if (!existsSync(file) || !existsSync(database)) return
  const found = JSON.parse(readFileSync(file, 'utf8')) as { until: number }
  if (hasChanged(database, found.until)) writeDurably(file, JSON.stringify({ ...found, areMissing: true }))
}

function hasChanged(database: string, since: number): boolean {
  try {
    return atRest(database, (db) => db.prepare(changedAfter).pluck().get(since)) === 1
  } catch {
    return false
  }
}
