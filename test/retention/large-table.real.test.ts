import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { until } from '../access/house-with-doors.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'

let house: TestAppliance

const rowsOf = (sql: string) => {
  const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
  const rows = db.prepare(sql).pluck().all()
  db.close()
  return rows
}

describe('a large table', () => {
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  it('is processed slice by slice, with low priority', async () => {
    await house.during(house.appliance.close())
    const db = new Database(join(house.data, 'nightporter.db'))
    db.exec(`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO profile (rid, id, createdAt, updatedAt, revision, firstName, lastName)
      SELECT 100000 + i, randomblob(16), 0, 0, 1, 'Old', 'Guest' || i FROM n`)
    db.close()
    await house.restart()
    const left = () => Number(rowsOf("SELECT count(*) FROM profile WHERE firstName = 'Old'")[0])
    const slowest = { ms: 0 }
    await until(
      'no old guest',
      async () => {
        const begun = performance.now()
        await house.ask('POST', '/api/v2/amenities', { body: { code: `A${begun}`, name: 'Meanwhile' } })
        slowest.ms = Math.max(slowest.ms, performance.now() - begun)
        return left()
      },
      (count) => count === 0,
    )
    assert.ok(slowest.ms < 1_000, `somebody waited ${slowest.ms} ms`)
  })
})
