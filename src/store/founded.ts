import type { Connection } from './connection.ts'

const prefix = 'founded/'

/**
 * The name of the counter that marks a completed first start, with the fingerprint of the vault's key. The
 * command of the first start creates it.
 */
export function foundedMark(fingerprint: string): string {
  return prefix + fingerprint
}

/**
 * Returns the fingerprint of the key with which the first start was made; null before the first start, or
 * without the table.
 */
export function foundedWith(db: Connection): string | null {
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'counter'").get() === undefined) return null
  const sql = 'SELECT name FROM counter WHERE name >= ? AND name < ?'
  const found = db.prepare(sql).pluck().get(prefix, 'founded0') as string | undefined
  return found?.slice(prefix.length) ?? null
}
