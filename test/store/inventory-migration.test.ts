import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { migrate, migrations } from '../../src/store/migrate.ts'

const double = '0197c0de-0000-7000-8000-00000000000a'
const single = '0197c0de-0000-7000-8000-00000000000b'
const removed = '0197c0de-0000-7000-8000-00000000000c'

/** The number that 0.5.0 kept for a period that waits to be published. */
const packed = (first: string, last: string) =>
  (Date.parse(first) / 86_400_000) * 10_000_000 + Date.parse(last) / 86_400_000

/** What 0.5.0 counted. */
const counters: Record<string, number> = {
  config: 7,
  [`held/${double}/2026-07-01`]: 2,
  [`held/${double}/2026-07-02`]: 1,
  [`capacity/${double}/2026-07-02`]: 5,
  [`capacity/${double}/2026-07-03`]: 0,
  [`held/${single}/2026-07-01`]: 4,
  [`availability-told/${double}`]: 1_782_900_000_000,
  [`availability-due/${double}`]: packed('2026-07-01', '2026-07-31'),
  [`availability-told/${single}`]: 1_782_900_001_000,
  [`availability-due/${single}`]: -1,
  [`availability-told/${removed}`]: 1_782_900_002_000,
  'lock:0197c0de-0000-7000-8000-00000000000d:101': 12,
}

describe('A data folder of 0.5.0', () => {
  const db = new Database(':memory:')
  before(() => {
    migrate(db, ':memory:', migrations().slice(0, 1))
    const type = db.prepare(
      `INSERT INTO unit_type (rid, id, createdAt, updatedAt, revision, name, code) VALUES (?, unhex(replace(?, '-', '')), 1, 1, 1, ?, ?)`,
    )
    type.run(3, double, 'Double', 'DBL')
    type.run(4, single, 'Single', 'SGL')
    for (const [name, value] of Object.entries(counters))
      db.prepare('INSERT INTO counter VALUES (?, ?)').run(name, value)
    migrate(db, ':memory:')
  })
  after(() => db.close())

  it('keeps held units and reported capacities, night by night', () => {
    const nights = db.prepare('SELECT * FROM inventory_night ORDER BY unitTypeId, date').raw().all()
    assert.deepEqual(nights, [
      [3, '2026-07-01', 2, null],
      [3, '2026-07-02', 1, 5],
      [3, '2026-07-03', 0, 0],
      [4, '2026-07-01', 4, null],
    ])
  })

  it('keeps changes that wait to be published', () => {
    const changes = db.prepare('SELECT * FROM availability_change ORDER BY unitTypeId').raw().all()
    assert.deepEqual(changes, [
      [3, 1_782_900_000_000, 1, '2026-07-01', '2026-07-31'],
      [4, 1_782_900_001_000, 1, null, null],
    ])
  })

  it('keeps its other counters, and none of the migrated ones', () => {
    const names = db.prepare('SELECT name FROM counter ORDER BY name').pluck().all()
    assert.deepEqual(names, ['config', 'lock:0197c0de-0000-7000-8000-00000000000d:101'])
  })
})
