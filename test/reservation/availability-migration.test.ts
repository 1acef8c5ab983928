import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import {
  datesHeldBy,
  type HoldingStay,
  heldCounter,
  typeAndDate,
} from '../../src/reservation/availability-nights.ts'
import { stayStatuses } from '../../src/reservation/status.ts'
import { openWriter } from '../../src/store/connection.ts'
import { migrate, migrations } from '../../src/store/migrate.ts'
import { toBlob } from '../../src/store/uuid.ts'

const type = (number: number) => `0197c0de-0000-7000-8000-00000000000${number}`

const periods = [
  ['2026-06-01', '2026-06-04'],
  ['2026-06-03', '2026-06-03'],
  ['2026-12-30', '2027-01-02'],
  ['2028-02-28', '2028-03-01'],
] as const

it('A house of the version before counts what its stays hold, and knows their units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-migration-'))
  const path = join(folder, 'nightporter.db')
  const db = openWriter(path)
  const [...steps] = migrations()
  migrate(db, path, steps.slice(0, 2))
  const add = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row)
    db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`).run(...Object.values(row))
  }
  const common = (rid: number, id = type(rid)) => ({
    rid,
    id: toBlob(id),
    createdAt: 0,
    updatedAt: 0,
    revision: 1,
  })
  for (const rid of [1, 2]) {
    add('unit_type', { ...common(rid), name: 'T', code: `T${rid}` })
    add('unit', { ...common(rid), name: `U${rid}`, unitTypeId: rid })
  }
  add('reservation', { ...common(1) })
  const stays: HoldingStay[] = []
  const holders: number[] = []
  for (const status of stayStatuses) {
    for (const [startDate, endDate] of periods) {
      const rid = stays.length + 1
      const id = `0197c0de-0000-7000-8000-0000000001${String(rid).padStart(2, '0')}`
      add('stay', { ...common(rid, id), reservationId: 1, startDate, endDate, status, personCount: '{}' })
      add('stay_unit', { owner: rid, position: 0, unitTypeId: 1, unitId: 1 })
      add('stay_unit', { owner: rid, position: 1, unitTypeId: 2 })
      stays.push({ status, startDate, endDate, units: [{ unitTypeId: type(1) }, { unitTypeId: type(2) }] })
      if (datesHeldBy(stays.slice(-1)).size > 0) holders.push(rid)
    }
  }

  migrate(db, path)

  const counted = db.prepare("SELECT name, value FROM counter WHERE name LIKE 'held/%'").raw().all()
  const expected = [...datesHeldBy(stays)].map(([key, value]) => [heldCounter(...typeAndDate(key)), value])
  assert.deepEqual(new Map(counted as [string, number][]), new Map(expected as [string, number][]))
  const held = db.prepare('SELECT owner FROM stay_held_unit WHERE unitId = 1 ORDER BY owner').pluck().all()
  assert.deepEqual(held, holders)
  assert.equal(holders.length, 3 * periods.length)
  db.close()
  rmSync(folder, { recursive: true })
})
