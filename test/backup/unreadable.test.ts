import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import Database from 'better-sqlite3'
import { makeBackup } from '../../src/cli/backup/backup.ts'
import { startAppliance } from '../appliance.ts'
import { eventually } from '../eventually.ts'
import { withKey } from './recovery.ts'

/** Overwrites the first page of a table that nobody has read. */
function overwrite(path: string, table: string): void {
  const db = new Database(path)
  db.pragma('wal_checkpoint(TRUNCATE)')
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table) as number
  db.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(1024, 0xa5), 0, 1024, (root - 1) * 1024)
  closeSync(file)
}

it('a backup that cannot read the database says so, and lets the whole database be checked', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  withKey(house.data)
  overwrite(join(house.data, 'nightporter.db'), 'webhook')
  const refused = await house.ask('POST', '/api/config/v1/backups')
  assert.equal(refused.status, 409)
  assert.match(
    refused.body.errors[0].detail,
    /^No backup was made\. The disk .* could not read a part of the database/,
  )
  await eventually('the damage is found', house.appliance.trouble, (found) =>
    /^The database is damaged/.test(String(found)),
  )
  await house.during(house.appliance.close())
  const mask = process.umask()
  t.after(() => process.umask(mask))
  // The command line finds it without the daemon.
  await assert.rejects(makeBackup({ data: house.data }), {
    exit: 'data',
    message: /is damaged .* is lost then\.$/,
  })
})
