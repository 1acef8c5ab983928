import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { profile } from '../../../src/reservation/resources/profile.ts'
import { foundStays } from '../../../src/reservation/search/found-stays.ts'
import type { Stored } from '../../../src/resource/field.ts'
import type { Reader } from '../../../src/resource/keeper.ts'
import { today, tomorrow } from '../api/house.ts'

/** What the search reads of a house. */
const tables = `
  CREATE TABLE profile (rid INTEGER PRIMARY KEY, firstName TEXT, middleName TEXT, lastName TEXT);
  CREATE TABLE stay (rid INTEGER PRIMARY KEY, id BLOB, status TEXT, startDate TEXT, endDate TEXT);
  CREATE TABLE stay_profile (owner INTEGER, id INTEGER);
  WITH RECURSIVE each (rid) AS (SELECT 1 UNION ALL SELECT rid + 1 FROM each WHERE rid < 5000)
    INSERT INTO stay SELECT rid, randomblob(16), 'Confirmed', '${today}', '${tomorrow}' FROM each;
  INSERT INTO profile SELECT rid, 'Maja', NULL, 'Guest' FROM stay;
  INSERT INTO stay_profile SELECT rid, rid FROM stay;
  UPDATE profile SET lastName = 'Lindgren' WHERE rid % 1000 = 0;
  UPDATE stay SET status = 'Canceled' WHERE rid = 1000;
  UPDATE stay SET startDate = '2026-05-01', endDate = '2026-05-02' WHERE rid IN (2000, 3000);
  UPDATE stay SET status = 'InHouse' WHERE rid = 3000`

describe('the search for a mistyped name among 5,000 stays', () => {
  const db = new Database(':memory:')
  db.exec(tables)
  after(() => db.close())

  /** The number of lines about guests that each question has read, and of the questions of one turn of the loop. */
  async function searched(typed: string, isGone = () => false) {
    const turns = [0]
    const all = (sql: string, ...values: Stored[]) => {
      const lines = db.prepare(sql).all(...values)
      if (sql.includes('lastName')) turns[turns.length - 1]! += lines.length
      return lines
    }
    let isOver = false
    const turn = () => {
      turns.push(0)
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const found = await foundStays({
      reader: { all } as unknown as Reader,
      typed,
      now: 0,
      today,
      may: (scope) => scope === profile.scopes.read,
      isGone,
      idsOf: async () => [],
    })
    isOver = true
    return { found, most: Math.max(...turns), read: turns.reduce((all, each) => all + each, 0) }
  }

  it('finds who is in house or still to come, and reads few of them at a time', async () => {
    const { found, most } = await searched('lidngren')
    const rids = found.stays.map(({ id }) =>
      db
        .prepare('SELECT rid FROM stay WHERE id = ?')
        .pluck()
        .get(Buffer.from(id.replaceAll('-', ''), 'hex')),
    )
    assert.deepEqual([rids[0], rids.toSorted()], [3000, [3000, 4000, 5000]])
    assert.ok(most > 0 && most <= 200, `${most} at once`)
  })

  it('ends soon after the client has gone, as after each further letter', async () => {
    let asked = 0
    const { read } = await searched('lidngren', () => ++asked > 3)
    assert.ok(read > 0 && read <= 300, `${read} read`)
    assert.equal((await searched('lidngren', () => true)).read, 0)
  })
})
