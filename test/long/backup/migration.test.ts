import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { it, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { backupOnDisk } from '../../../src/backup/on-disk.ts'
import { checkBackup, restoreBackup } from '../../../src/backup/restore/restore.ts'
import { defaults } from '../../../src/config.ts'
import { copyBeforeMigration } from '../../../src/store/disk/copy.ts'
import { migrate, migrations } from '../../../src/store/migrate.ts'
import { monday, startAppliance } from '../../appliance.ts'
import { folderFor, identity, withKey } from '../../backup/recovery.ts'
import { passTime } from '../../test-clock.ts'

const second = {
  version: migrations().length + 1,
  sql: 'ALTER TABLE unit ADD COLUMN smell TEXT; UPDATE unit SET smell = name;',
}
const root = join(import.meta.dirname, '../../..')
const before = 'before-migration.db'

const columnsOf = (path: string) => {
  const db = new Database(path, { readonly: true })
  try {
    return db.pragma('table_info(unit)') as { name: string }[]
  } finally {
    db.close()
  }
}
const hasSmell = (path: string) => columnsOf(path).some(({ name }) => name === 'smell')

/** The data folder of the sample property, stopped. */
async function stopped(t: TestContext): Promise<string> {
  const data = folderFor(t)
  const house = await startAppliance({ data })
  await house.stop()
  return data
}

it('is preceded by a copy; a new database and one that is current have none', async (t) => {
  const data = await stopped(t)
  const path = join(data, 'nightporter.db')
  const db = new Database(path)
  const migrated = (steps = migrations()) => migrate(db, path, steps, () => copyBeforeMigration(path, monday))
  migrated()
  assert.ok(!existsSync(join(data, before)))
  migrated([...migrations(), second])
  db.close()
  assert.deepEqual([hasSmell(path), hasSmell(join(data, before))], [true, false])
  assert.equal(statSync(join(data, before)).mode & 0o777, 0o600)
  const fresh = join(folderFor(t), 'nightporter.db')
  const empty = new Database(fresh)
  t.after(() => empty.close())
  migrate(empty, fresh, [...migrations(), second], () => assert.fail('there is nothing to copy'))
})

it('does not happen when the copy cannot be made, and says what to do', async (t) => {
  const data = await stopped(t)
  const path = join(data, 'nightporter.db')
  const db = new Database(path)
  t.after(() => db.close())
  const full = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  }
  assert.throws(() => migrate(db, path, [...migrations(), second], full), /disk is full/)
  assert.ok(!hasSmell(path))
  // What stands in the way of the copy is a folder of its name.
  mkdirSync(join(data, `${before}.part`, 'full'), { recursive: true })
  assert.throws(
    () => migrate(db, path, [...migrations(), second], () => copyBeforeMigration(path, monday)),
    /could not be copied before the update .* Nothing was changed\. Free some space .* or install the nightporter that ran before/,
  )
  assert.ok(!hasSmell(path))
})

it('becomes a backup of the house as soon as there is a recovery key', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  copyBeforeMigration(join(house.data, 'nightporter.db'), monday - 1_000)
  house.clock.advance(30 * 60_000)
  await passTime(1_000)
  assert.ok(existsSync(join(house.data, before)), 'nobody could open it')
  withKey(house.data)
  house.clock.advance(30 * 60_000)
  await passTime(1_000)
  const { body } = await house.ask('GET', '/api/config/v1/backups')
  const [{ attributes }] = body.data
  assert.deepEqual([attributes.reason, Date.parse(attributes.takenAt)], ['migration', monday - 1_000])
  assert.ok(!existsSync(join(house.data, before)))
})

/** Starts a program on a data folder, and stops it once it listens. */
async function startOnce(program: string, data: string): Promise<void> {
  const child = spawn(process.execPath, [program, 'serve', '--listen', '127.0.0.1:0', '--data', data])
  for await (const line of createInterface(child.stdout)) if (/listens on/.test(line)) child.kill()
}

it('of a program of the next version leaves a way back for the program before', async (t) => {
  const data = await stopped(t)
  const next = folderFor(t)
  for (const folder of ['src', 'drivers']) cpSync(join(root, folder), join(next, folder), { recursive: true })
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(next, name))
  const file = `${String(second.version).padStart(4, '0')}-smell.sql`
  writeFileSync(join(next, 'src/store/migrations', file), second.sql)
  // Its migration is one that the program before cannot live with.
  const migrating = join(next, 'src/store/migrate.ts')
  const source = readFileSync(migrating, 'utf8')
  const needing = source.replace(/(const neededMigration =) \d+/, `$1 ${second.version}`)
  assert.notEqual(needing, source)
  writeFileSync(migrating, needing)
  await startOnce(join(next, 'src/nightporter.js'), data)
  assert.deepEqual([hasSmell(join(data, 'nightporter.db')), hasSmell(join(data, before))], [true, false])
  await assert.rejects(
    startAppliance({ data }),
    new RegExp(`version ${second.version}.*nightporter restore`, 's'),
  )

  // Without a recovery key the plain copy is restored; with one it was packed by the next backup.
  await checkBackup(data, join(data, before), null)
  withKey(data)
  await backupOnDisk(data, defaults.backup, { version: '1.2.3', now: monday })
  assert.ok(!existsSync(join(data, before)))
  const [name] = readdirSync(join(data, 'backups')).filter((each) => each.includes('-migration.'))
  await restoreBackup(data, join(data, 'backups', name!), identity)
  const house = await startAppliance({ data })
  t.after(() => house.stop())
  assert.match(house.appliance.notes[0]!, /A backup was restored/)
  assert.equal((await house.ask('GET', '/api/v2/units')).status, 200)
})
