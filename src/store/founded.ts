import type { Connection } from './connection.ts'

const prefix = 'founded/'

/** The counter by which a store says that it was founded, and with which key: it is counted on in the change that founds it. */
export function foundedMark(fingerprint: string): string {
  return prefix + fingerprint
}

/** The fingerprint of the key with which the store was founded; null when it was not, or its tables are not there. */
export function foundedWith(db: Connection): string | null {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'counter'").get() === undefined) return null
  const sql = 'SELECT name FROM counter WHERE name >= ? AND name < ?'
  const found = db.prepare(sql).pluck().get(prefix, 'founded0') as string | undefined
  return found?.slice(prefix.length) ?? null
}
