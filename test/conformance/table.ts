import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { noLimits } from '../no-limits.ts'
import { type HouseWithPms, openHouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { another, factsOf } from './facts.ts'
import { type Asked, type Facts, nameOf, play, type Row } from './row.ts'

/** A house to ask, with what all rows know of it. */
export interface Furnished<House = HouseWithPms> {
  house: House
  facts: Facts
  leave?(): void
}

async function furnished(): Promise<Furnished> {
  const house = await openHouseWithPms()
  return { house, facts: await factsOf(house) }
}

/** Houses that some rows need, by the word for them. */
const houses: Record<NonNullable<Row['in']>, { title: string; open(): Promise<Furnished> }> = {
  quotas: {
    title: 'With more requests than one may make',
    async open() {
      const house = await openHouseWithPms({ rateLimits: { ...noLimits, read: { quota: 1, seconds: 60 } } })
      await house.ask('GET', '/api/v2/units')
      return { house, facts: {} }
    },
  },
  held: {
    title: 'While another program holds the database',
    async open() {
      const { house, facts } = await furnished()
      const shell = new Database(join(house.data, 'nightporter.db'))
      shell.exec('BEGIN IMMEDIATE')
      return { house, facts, leave: () => void shell.exec('ROLLBACK').close() }
    },
  },
  ruins: {
    title: 'With its tables gone: only a fault of our own gives a 500',
    open: () => inRuins(furnished),
  },
}

/** A house that somebody took the tables of, all but who may come in, while it is open. */
export async function inRuins<House extends { data: string }>(
  open: () => Promise<Furnished<House>>,
): Promise<Furnished<House>> {
  const there = await open()
  takeTablesAway(join(there.house.data, 'nightporter.db'))
  return there
}

function takeTablesAway(path: string): void {
  const db = new Database(path)
  db.pragma('legacy_alter_table = on')
  const names = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
    AND name NOT LIKE 'sqlite_%' AND name <> 'token'`
  for (const name of db.prepare(names).pluck().all()) db.exec(`ALTER TABLE ${name} RENAME TO gone_${name}`)
  db.close()
}

/** Plays rows, each in a test of its own, all of a house in one house. */
export function tables(title: string, rows: readonly Row[]): void {
  table(
    title,
    rows.filter((row) => row.in === undefined),
    furnished,
  )
  for (const [word, { title, open }] of Object.entries(houses)) {
    const fit = rows.filter((row) => row.in === word)
    if (fit.length > 0) table(title, fit, open)
  }
}

/** The same for rows that are all of one house. */
export function table<House extends Asked & { stop(): Promise<void> }>(
  title: string,
  rows: readonly Row<House>[],
  open: () => Promise<Furnished<House>>,
): void {
  describe(title, () => {
    let there: Furnished<House> | undefined
    before(async () => {
      there = await open()
    })
    after(async () => {
      there?.leave?.()
      await there?.house.stop()
    })
    for (const row of rows) {
      const name = [nameOf(row), row.code, row.when].filter(Boolean).join(' ')
      it(name, { ...(row.cannot && { skip: `does not apply: ${row.cannot}` }) }, async () => {
        const { house, facts } = there!
        const own = row.in === 'ruins' ? {} : await row.given?.(house)
        await play(house, row, { ...facts, fresh: another('F'), ...own })
      })
    }
  })
}
