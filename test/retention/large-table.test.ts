import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { backgroundWork } from '../../src/host/background-work.ts'
import type { Command, WriteOptions } from '../../src/resource/command.ts'
import type { Reader } from '../../src/resource/keeper.ts'
import type { NextSlice, Slice, Sliced } from '../../src/resource/slice.ts'
import { retentionReport } from '../../src/retention/retention-report.ts'
import { retentionWork } from '../../src/retention/retention-work.ts'
import { agedTables } from '../../src/store/retention.ts'
import { until } from '../access/house-with-doors.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { testClock } from '../test-clock.ts'

describe('a large table', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const rowsOf = (sql: string) => {
    const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
    const rows = db.prepare(sql).pluck().all()
    db.close()
    return rows
  }

  it('is processed to its end', async () => {
    await house.during(house.appliance.close())
    const db = new Database(join(house.data, 'nightporter.db'))
    db.exec(`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO profile (rid, id, createdAt, updatedAt, revision, firstName, lastName)
      SELECT 100000 + i, randomblob(16), 0, 0, 1, 'Old', 'Guest' || i FROM n`)
    db.close()
    await house.restart()
    const left = () => Number(rowsOf("SELECT count(*) FROM profile WHERE firstName = 'Old'")[0])
    await until('no old guest', left, (count) => count === 0)
  })

  // How little a slice does is tested with `resource/slice`, and that others go before it with `store/writer/write-queue`.
  it('is processed one slice after the other, each with low priority', async () => {
    const names = [...new Set(agedTables().map(({ by }) => by))]
    const [large] = names
    const places = [20, 20, 500]
    const asked: { name: string; after: number; lowPriority: boolean | undefined }[] = []
    let atOnce = 0
    const ended = Promise.withResolvers<void>()
    const clock = testClock()
    const work = retentionWork({
      reader: { version: () => 0, count: () => 0, rows: () => [] } as unknown as Reader,
      clock,
      changes: names.map((name) => ({ name }) as Command),
      report: retentionReport(),
      background: backgroundWork({ clock, failed: ended.reject }),
      failed: ended.reject,
      writer: {
        async execute<Input, Output>(
          { name }: Command<Input, Output>,
          input: Input,
          { lowPriority }: WriteOptions,
        ): Promise<Output> {
          assert.equal(++atOnce, 1)
          await clock.sleep(1)
          atOnce--
          asked.push({ name, after: (input as Slice).after, lowPriority })
          if (asked.length === agedTables().length + 3) ended.resolve()
          const next: NextSlice = name === large ? (places.shift() ?? null) : null
          return { next, left: [] } satisfies Sliced as Output
        },
      },
    })
    work.begin()
    await ended.promise
    await work.close()
    assert.deepEqual(
      asked.slice(0, 5).map(({ name, after }) => [name === large, after]),
      [
        [true, 0],
        [true, 20],
        [true, 20],
        [true, 500],
        [false, 0],
      ],
    )
    assert.ok(asked.every(({ lowPriority }) => lowPriority))
  })
})
