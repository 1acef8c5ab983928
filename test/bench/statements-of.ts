import { join } from 'node:path'
import Database from 'better-sqlite3'
import { resources, shapeOf, sync } from '../../src/composition/api.ts'
import { pmsActor } from '../../src/pms/pms-actor.ts'
import { defaultOwners } from '../../src/pms/resources/conflict-policy.ts'
import type { ReservationChange } from '../../src/pms/sync-contract.ts'
import { openWritingConnection } from '../../src/store/connection.ts'
import { transactions } from '../../src/store/writer/transaction.ts'

const pageSize = 64

/**
 * The SQL statements per change that reach SQLite when the writer applies a page of changes, counted in this thread. Nothing else
 * may have opened the store of `folder`.
 */
export function statementsOf(folder: string, changes: readonly unknown[]): number {
  const db = openWritingConnection(join(folder, 'nightporter.db'))
  try {
    const [configurationId] = db
      .prepare('SELECT lower(hex(id)) FROM pms_configuration')
      .pluck()
      .all() as string[]
    const id = configurationId!.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    const counted = statementsCounted()
    const tools = transactions(db, resources, shapeOf)
    for (let at = 0; at < changes.length; at += pageSize) {
      db.exec('BEGIN IMMEDIATE')
      const tx = tools.begin(Date.UTC(2026, 6, 1, 12), { by: pmsActor(id), requestId: null })
      sync.applyChanges.run(tx, {
        configurationId: id,
        policy: defaultOwners,
        direction: 'Both',
        changes: changes.slice(at, at + pageSize) as ReservationChange[],
      })
      db.exec('COMMIT')
    }
    return counted.end() / changes.length
  } finally {
    db.close()
  }
}

/** Counts the runs of prepared statements until its `end`, which returns their number. */
function statementsCounted() {
  const memory = new Database(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Record<string, unknown>
  memory.close()
  let count = 0
  const own = (['run', 'get', 'all', 'iterate'] as const).map((name) => [name, prototype[name]] as const)
  for (const [name, method] of own) {
    prototype[name] = function (this: Database.Statement, ...values: unknown[]) {
      count++
      return Reflect.apply(method as () => unknown, this, values)
    }
  }
  return {
    end(): number {
      for (const [name, method] of own) prototype[name] = method
      return count
    },
  }
}
