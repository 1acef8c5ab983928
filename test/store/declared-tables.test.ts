import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { resources } from '../../src/composition/api.ts'
import { tablesOf } from '../../src/store/declared-tables.ts'
import { migrate } from '../../src/store/migrate.ts'

type Row = Record<string, unknown>

const migrated = new Database(':memory:')
migrate(migrated, ':memory:')
/** What no resource declares any more and the release before still needs. The first migration after the next release does this. */
const removedLater = [
  'DROP INDEX stay_reservation_id_searchForm',
  'DROP INDEX sync_record_waitsFor',
  'ALTER TABLE sync_record DROP COLUMN waitsFor',
  'ALTER TABLE sync_offer DROP COLUMN withoutUnits',
  'ALTER TABLE sync_record DROP COLUMN untold',
  'ALTER TABLE sync_record DROP COLUMN differing',
  'ALTER TABLE sync_record DROP COLUMN agreedAt',
]
for (const sql of removedLater) migrated.exec(sql)
const declared = new Database(':memory:')
for (const resource of resources.values()) for (const sql of tablesOf(resources, resource)) declared.exec(sql)

const tables = (db: Database.Database): string[] =>
  db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all() as string[]

/** Tables that no resource declares: the store's own, and the inventory of nights. */
const own = [
  'availability_change',
  'counter',
  'idempotency',
  'inventory_night',
  'journal',
  'migration',
  'search',
  'search_config',
  'search_data',
  'search_idx',
  'search_pending',
  'tombstone',
]

const ask = (db: Database.Database, pragma: string) => db.pragma(pragma) as Row[]

/** Column by column, in whatever order migrations have added them. */
function columnsOf(db: Database.Database, table: string) {
  const columns = ask(db, `table_info(${table})`).map(({ name, type, notnull, pk }) => [
    name,
    { type, notnull, pk },
  ])
  return Object.fromEntries(columns)
}

function pointersOf(db: Database.Database, table: string) {
  const pointers = ask(db, `foreign_key_list(${table})`).map(({ from, table: to, to: column }) => [
    from,
    { to, column },
  ])
  return Object.fromEntries(pointers)
}

function indexesOf(db: Database.Database, table: string) {
  const made = ask(db, `index_list(${table})`).filter(({ origin }) => origin === 'c')
  const described = made.map(({ name, unique, partial }) => [
    name,
    {
      unique,
      partial,
      columns: ask(db, `index_info(${name})`).map((column) => column.name),
      where: / WHERE (.*)$/s.exec(
        String(db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name)),
      )?.[1],
    },
  ])
  return Object.fromEntries(described)
}

function kindOf(db: Database.Database, table: string) {
  const [found] = ask(db, `table_list(${table})`)
  return { strict: found?.strict, withoutRowid: found?.wr }
}

describe('the migrated database', () => {
  it('has the declared tables, and those of the store itself', () => {
    assert.deepEqual(tables(migrated), [...tables(declared), ...own].sort())
  })

  for (const table of tables(declared)) {
    it(`keeps ${table} as it is declared`, () => {
      assert.deepEqual(columnsOf(migrated, table), columnsOf(declared, table))
      assert.deepEqual(pointersOf(migrated, table), pointersOf(declared, table))
      assert.deepEqual(indexesOf(migrated, table), indexesOf(declared, table))
      assert.deepEqual(kindOf(migrated, table), kindOf(declared, table))
    })
  }
})

describe('an index', () => {
  it('says which request needs it', () => {
    for (const { type, indexes } of resources.values())
      for (const { fields, why } of indexes) assert.match(why, /\w+ \w+/, `${type} ${fields}`)
  })
})
