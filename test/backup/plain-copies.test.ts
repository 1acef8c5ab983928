import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { lockBackups } from '../../src/backup/archive/plain-copies.ts'
import { startAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { withKey } from './recovery.ts'

async function house(t: TestContext) {
  const appliance = await startAppliance()
  t.after(() => appliance.stop())
  withKey(appliance.data)
  const work = join(appliance.data, 'backup.work')
  /** Leaves what a backup leaves that is killed while SQLite writes its copy. */
  const killBackup = () => {
    mkdirSync(work)
    for (const name of ['nightporter.db', 'nightporter.db-journal'])
      writeFileSync(join(work, name), 'a guest')
  }
  return { ...appliance, work, killBackup }
}

it('the plain copies that a kill has left are removed at the next start', async (t) => {
  const { data, restart, work, killBackup } = await house(t)
  const left = ['before-migration.db.part', 'before-migration.db.part-journal']
  await restart(() => {
    killBackup()
    for (const name of left) writeFileSync(join(data, name), 'a guest')
    writeFileSync(join(data, 'before-migration.db'), 'the copy that is still to be packed')
  })
  assert.equal(existsSync(work), false)
  assert.deepEqual(
    readdirSync(data).filter((name) => name.startsWith('before-migration')),
    ['before-migration.db'],
  )
})

it('the plain copy of a killed command is removed while the appliance runs, but not that of a backup under way', async (t) => {
  const { data, clock, work, killBackup } = await house(t)
  const later = async () => {
    clock.advance(16 * 60_000)
    await passTime(1_000)
  }
  await later()
  const lock = lockBackups(data)
  killBackup()
  await later()
  assert.equal(existsSync(work), true)
  lock.release()
  await later()
  assert.equal(existsSync(work), false)
})

it('the plain copy of a backup has no name while it is packed, verified and copied', async (t) => {
  const { data, clock, work } = await house(t)
  const order = {
    data,
    folder: join(data, 'backups'),
    reason: 'asked',
    now: clock.now(),
    version: '1',
  } as const
  const there = new Map<string, string[]>()
  await makeBackup(order, (phase) => there.set(phase, readdirSync(work)))
  assert.deepEqual(Object.fromEntries(there), { copying: [], packing: [], verifying: [] })
})
