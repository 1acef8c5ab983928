import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { changes } from '../../src/composition/api.ts'
import { settings } from '../../src/reservation/resources/settings.ts'
import { migrate } from '../../src/store/migrate.ts'
import { agedTables, isAged, retention, retentionSettings } from '../../src/store/retention.ts'

const db = new Database(':memory:')
migrate(db, ':memory:')

/** Those of FTS5 belong to `search`. */
const tables = (
  db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all() as string[]
).filter((name) => !/^(sqlite_|search_(config|data|idx|docsize|content)$)/.test(name))

describe('the table of retention', () => {
  it('names every table of the schema, and no other', () => {
    assert.deepEqual(Object.keys(retention).sort(), tables)
  })

  it('says why a table is bounded, or names existing commands', () => {
    const names = changes.map(({ name }) => name)
    for (const [table, each] of Object.entries(retention)) {
      if (isAged(each)) assert.ok(each.length > 0, table)
      else if ('bounded' in each) assert.ok(each.bounded.length > 5, table)
    }
    assert.deepEqual(
      agedTables().filter(({ by }) => !names.includes(by)),
      [],
    )
    assert.equal(new Set(agedTables().map(({ by }) => by)).size, agedTables().length)
  })

  it('deletes rows with those that they refer to', () => {
    for (const [table, each] of Object.entries(retention)) {
      if (isAged(each) || !('with' in each)) continue
      const owners = (db.pragma(`foreign_key_list(${table})`) as { table: string }[]).map((key) => key.table)
      assert.ok(owners.includes(each.with), `${table} does not point at ${each.with}`)
    }
  })

  it('has the defaults of the settings', () => {
    for (const [name, days] of Object.entries(retentionSettings))
      assert.equal(settings.fields[name as keyof typeof retentionSettings].options.default, days, name)
  })
})
