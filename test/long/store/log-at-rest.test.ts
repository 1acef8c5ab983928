import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { startAppliance } from '../../appliance.ts'

it('is copied into the database ten seconds after the last change, once', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const path = join(house.data, 'nightporter.db')
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-copy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  /** What a copy of the file alone holds. */
  const copied = (): number => {
    copyFileSync(path, join(folder, 'copy.db'))
    const db = new Database(join(folder, 'copy.db'))
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    const found = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'amenity'").pluck().get()
    const count = found ? db.prepare("SELECT count(*) FROM amenity WHERE code = 'SEA'").pluck().get() : 0
    db.close()
    return count as number
  }
  const body = { code: 'SEA', name: 'Sea view' }
  assert.equal((await house.ask('POST', '/api/v2/amenities', { body })).status, 201)
  assert.equal(copied(), 0)
  await pause(12_000)
  assert.equal(copied(), 1)
  const { mtimeMs } = statSync(path)
  await pause(12_000)
  assert.equal(statSync(path).mtimeMs, mtimeMs)
})
