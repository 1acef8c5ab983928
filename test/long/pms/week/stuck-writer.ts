import Database from 'better-sqlite3'

/**
 * Has the writer of a house hang at a statement, in the middle of its transaction, until it is killed: what it writes with
 * that is never on the disk. `at` is SQL: `INSERT ON reservation WHEN NEW.externalId = 'A'`.
 */
export function stickAt(data: string, at: string): void {
  onDisk(data, (db) => {
    db.exec(`CREATE VIEW for_ever AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n;
      CREATE TRIGGER stuck BEFORE ${at} BEGIN SELECT max(x) FROM for_ever; END`)
  })
}

/** After it was killed. */
export function unstick(data: string): void {
  onDisk(data, (db) => db.exec('DROP TRIGGER stuck; DROP VIEW for_ever'))
}

/** One value of the store, as it is on the disk. */
export function storedIn(data: string, sql: string): unknown {
  return onDisk(data, (db) => db.prepare(sql).pluck().get())
}

function onDisk<T>(data: string, work: (db: Database.Database) => T): T {
  const db = new Database(`${data}/nightporter.db`)
  try {
    return work(db)
  } finally {
    db.close()
  }
}
