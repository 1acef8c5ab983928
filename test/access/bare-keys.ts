import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { accessProvider } from '../../src/access/resources/access-provider.ts'
import { resources, shapeOf } from '../../src/composition/api.ts'
import type { Transaction } from '../../src/resource/command.ts'
import { type Connection, openWritingConnection } from '../../src/store/connection.ts'
import { migrate } from '../../src/store/migrate.ts'
import { transactions } from '../../src/store/writer/transaction.ts'
import { folderFor } from '../backup/recovery.ts'

/** 2026-06-01 16:00 UTC. */
export const now = Date.UTC(2026, 5, 1, 16)

/** A store with two lock systems and without a thread. What `during` does is forgotten afterwards. */
export function bareKeys(test: TestContext) {
  const path = join(folderFor(test), 'nightporter.db')
  const db: Connection = openWritingConnection(path)
  test.after(() => db.close())
  migrate(db, path)
  const { begin, rolledBack } = transactions(db, resources, shapeOf)
  const tx = () => begin(now, { by: 'test', requestId: null })
  const [one, other] = ['One', 'Other'].map(
    (name) => tx().insert(accessProvider, { name, driver: 'hkr1', connection: {} }).id,
  ) as [string, string]
  return {
    db,
    one,
    other,
    during<T>(work: (tx: Transaction) => T): T {
      db.exec('BEGIN')
      try {
        return work(tx())
      } finally {
        db.exec('ROLLBACK')
        rolledBack()
      }
    },
  }
}
