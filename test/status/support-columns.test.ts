import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { houseWithDoors, serve } from '../access/house-with-doors.ts'

/** Tables whose rows are not the configuration of the property: guests, stays, keys, money, secrets, and what happened. */
function isPrivate(table: string, shown: ReadonlySet<string>): boolean {
  return ![...shown].some((each) => table === each || table.startsWith(`${each}_`))
}

it('The support file has nothing of a column with guests, stays, keys, payments or secrets', async (t) => {
  const house = await houseWithDoors()
  t.after(() => house.stop())
  await serve(house, '101')
  const ask = (path: string, body: object) => house.ask('POST', path, { body })
  assert.equal((await ask('/api/v2/profiles', { firstName: 'Wil', lastName: 'Feather' })).status, 201)
  assert.equal((await ask('/api/config/v1/tokens', { name: 'desk', role: 'frontdesk' })).status, 201)
  const download = async () => {
    const { text, status } = await house.ask('GET', '/api/config/v1/support-file', {
      headers: { Accept: '*/*' },
    })
    assert.equal(status, 200)
    return text
  }
  const types = (await download()).split('\n').flatMap((line) => {
    const { part, value } = line === '' ? { part: '', value: {} } : JSON.parse(line)
    return part === 'configuration' ? [String(value.type)] : []
  })
  const shown = new Set(types.map((type) => type.replaceAll('-', '_')))
  const planted = plantIn(join(house.data, 'nightporter.db'), shown)
  assert.ok(planted.length > 60, `only ${planted.length} columns were planted: ${planted.join()}`)
  for (const table of ['profile', 'stay', 'reservation', 'key', 'card_run', 'token', 'journal'])
    assert.ok(
      planted.some((column) => column.startsWith(`${table}.`)),
      table,
    )
  const text = await download()
  assert.deepEqual(
    planted.filter((column) => text.includes(`planted-${column}`)),
    [],
  )
})

/** Writes a marked value into each text of these tables, and into each sealed text of all. Returns the columns. */
function plantIn(file: string, shown: ReadonlySet<string>): string[] {
  const db = new Database(file)
  db.function('fold', (text: unknown) => text as string)
  db.pragma('foreign_keys = OFF')
  db.pragma('busy_timeout = 5000')
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all() as string[]
  const planted: string[] = []
  for (const table of tables) {
    for (const { name } of db.pragma(`table_info(${table})`) as { name: string }[]) {
      const isWanted = isPrivate(table, shown) ? '1' : `"${name}" LIKE 'v1.%'`
      const mark = `planted-${table}.${name}`
      // A column of JSON takes a text of JSON, and a unique one another value in each row.
      for (const value of [`'${mark}-' || rowid`, `json_quote('${mark}-' || rowid)`])
        try {
          const where = `typeof("${name}") = 'text' AND ${isWanted}`
          if (db.prepare(`UPDATE ${table} SET "${name}" = ${value} WHERE ${where}`).run().changes > 0)
            planted.push(`${table}.${name}`)
          break
        } catch {
          // The table refuses this value: a word of a list, for example.
        }
    }
  }
  db.close()
  return planted
}
