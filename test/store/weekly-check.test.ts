import assert from 'node:assert/strict'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { diskWatch } from '../../src/store/disk/disk-watch.ts'
import { weeklyCheck } from '../../src/store/weekly-check.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'

const hour = 3_600_000
/** A Monday, 17:00 in Lisbon. */
let house: TestAppliance
before(async () => {
  house = await startAppliance()
})
after(() => house.stop())

const storage = async () => (await house.ask('GET', '/api/v2/status')).body.data.attributes.storage

/** Moves the clock, and lets what is due then be done. */
async function pass(hours: number): Promise<void> {
  house.clock.advance(hours * hour)
  await passTime(10)
}

it('the whole database is checked in the night before Wednesday, and the result is reported', async () => {
  const atStart = await storage()
  assert.deepEqual(
    [atStart.integrity, atStart.integrityCheckedAt],
    ['ok', new Date(house.clock.now()).toISOString()],
  )
  await pass(24)
  await pass(9)
  await pass(0.2)
  assert.equal((await storage()).integrityCheckedAt, atStart.integrityCheckedAt)
  await pass(1)
  await pass(0.2)
  let checked = await storage()
  while (checked.integrityCheckedAt === atStart.integrityCheckedAt) {
    await passTime(20)
    checked = await storage()
  }
  const lisbon = new Date(checked.integrityCheckedAt).toLocaleString('en-GB', {
    timeZone: 'Europe/Lisbon',
    weekday: 'long',
    hour: '2-digit',
  })
  assert.match(lisbon, /Wednesday.* 0[34]/)
})

it('damage on pages that nobody has read is found, reported, and not forgotten', async () => {
  const path = `${house.data}/nightporter.db`
  const shell = new Database(path)
  shell.pragma('wal_checkpoint(TRUNCATE)')
  // An index of the stays, whose entries stand at the end of its page.
  const schema = shell.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_stay_1'")
  const root = schema.pluck().get() as number
  shell.close()
  const file = openSync(path, 'r+')
  assert.ok(statSync(path).size > root * 1024)
  writeSync(file, Buffer.alloc(100, 0xa5), 0, 100, root * 1024 - 110)
  closeSync(file)
  await pass(7 * 24)
  await pass(0.2)
  while ((await storage()).integrity === 'ok') await passTime(20)
  assert.equal((await storage()).integrity, 'failed')
  const ready = await house.ask('GET', '/readyz', { token: null })
  assert.equal(ready.status, 503)
  assert.match(ready.body.output, /damaged/)
})

it('a look that cannot read the time zone fails, and the process goes on', async () => {
  const clock = virtualClock(0)
  const failures: unknown[] = []
  const check = weeklyCheck({
    path: '',
    entry: new URL('file:///'),
    clock,
    disk: diskWatch(),
    timeZone() {
      throw new Error('database disk image is malformed')
    },
    failed: (error) => failures.push(error),
  })
  clock.advance(hour)
  assert.doesNotThrow(() => clock.fire())
  await check.close()
  assert.match(String(failures), /malformed/)
})
