import assert from 'node:assert/strict'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { backgroundWork } from '../../src/host/background-work.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import type { Trouble } from '../../src/store/disk/disk-trouble.ts'
import { diskWatch } from '../../src/store/disk/disk-watch.ts'
import { integrityChecks } from '../../src/store/integrity-checks.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { until } from '../eventually.ts'
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

/** Overwrites the index of the stays, whose entries stand at the end of its page. Returns what was there. */
function overwrite(path: string): { restore(): void } {
  const shell = new Database(path)
  shell.pragma('wal_checkpoint(TRUNCATE)')
  const schema = shell.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_stay_1'")
  const root = schema.pluck().get() as number
  shell.close()
  const file = openSync(path, 'r+')
  assert.ok(statSync(path).size > root * 1024)
  const [was, at] = [Buffer.alloc(100), root * 1024 - 110]
  readSync(file, was, 0, 100, at)
  writeSync(file, Buffer.alloc(100, 0xa5), 0, 100, at)
  closeSync(file)
  return {
    restore() {
      const again = openSync(path, 'r+')
      writeSync(again, was, 0, 100, at)
      closeSync(again)
    },
  }
}

it('damage on pages that nobody has read is found and reported, until a check finds the database intact', async () => {
  const { restore } = overwrite(`${house.data}/nightporter.db`)
  await pass(7 * 24)
  await pass(0.2)
  while ((await storage()).integrity === 'ok') await passTime(20)
  assert.equal((await storage()).integrity, 'failed')
  const ready = await house.ask('GET', '/readyz', { token: null })
  assert.equal(ready.status, 503)
  // What loses data comes last, and what it loses is said.
  assert.match(ready.body.output, /damaged: two checks.* Last, .*restore.* is lost then\.$/)
  restore()
  while ((await storage()).integrity !== 'ok') await pass(0.2)
  assert.equal((await house.ask('GET', '/readyz', { token: null })).status, 200)
})

describe('a part that could not be read', () => {
  const unreadable = { is: 'unreadable', code: 'EIO' } as const
  const damaged = { is: 'damaged', code: 'page 7 is garbage' } as const
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-checks-'))
  after(() => rmSync(folder, { recursive: true }))

  /** The checks, whose thread finds one after the other. */
  function checked(...found: (Trouble | null)[]) {
    const path = join(folder, 'found.json')
    writeFileSync(path, JSON.stringify(found))
    const clock = virtualClock(0)
    const disk = diskWatch()
    const said: (string | null)[] = []
    let intact = 0
    const checks = integrityChecks({
      path,
      file: -1,
      entry: new URL('scripted-check.ts', import.meta.url),
      clock,
      disk,
      timeZone: () => 'UTC',
      intact: () => intact++,
      background: backgroundWork({ clock, failed: assert.fail }),
      failed: assert.fail,
    })
    disk.subscribe((trouble) => said.push(trouble?.is ?? null))
    return {
      disk,
      said,
      checks,
      clock,
      intact: () => intact,
      /** Lets time go by until a check begins, and waits for its end. Returns how long it took, in seconds. */
      async nextCheck(): Promise<number> {
        const began = clock.monotonic()
        while (!checks.isUnderWay()) {
          clock.advance(clock.next()! - clock.monotonic())
          clock.fire()
        }
        const took = clock.monotonic() - began
        await until(() => !checks.isUnderWay())
        return took / 1_000
      },
    }
  }

  it('makes a check at once, and again every ten seconds until it can be read', async () => {
    const { disk, said, nextCheck, intact, checks } = checked(unreadable, unreadable, null)
    assert.equal(disk.problem(sqliteError('SQLITE_CORRUPT'))?.code, 'storage-failing')
    assert.deepEqual([await nextCheck(), await nextCheck()], [0, 10])
    // Meanwhile it can be written, which does not show that it can be read.
    disk.well()
    assert.equal(disk.trouble()?.is, 'unreadable')
    assert.equal(checks.soundAt(), null)
    assert.deepEqual([await nextCheck(), disk.trouble(), intact()], [10, null, 1])
    assert.equal(checks.soundAt(), 20_000)
    assert.deepEqual(said, ['unreadable', null])
    await checks.close()
  })

  it('is damage once a check has found it, which is repeated every ten minutes', async () => {
    const { disk, said, nextCheck, checks } = checked(unreadable, damaged, unreadable, damaged, null)
    disk.problem(sqliteError('SQLITE_NOTADB'))
    assert.deepEqual([await nextCheck(), await nextCheck()], [0, 10])
    assert.equal(disk.problem(sqliteError('SQLITE_CORRUPT'))?.code, 'storage-damaged')
    assert.deepEqual([await nextCheck(), await nextCheck()], [590, 600])
    assert.equal(disk.trouble()?.is, 'damaged')
    assert.deepEqual([await nextCheck(), disk.trouble()], [600, null])
    assert.deepEqual(said, ['unreadable', 'damaged', null])
    await checks.close()
  })

  it('makes the next check when a disk that hung meanwhile answers again', async () => {
    const { disk, said, nextCheck, checks } = checked(unreadable, null)
    disk.problem(sqliteError('SQLITE_CORRUPT'))
    disk.hangs()
    assert.equal(await nextCheck(), 0)
    assert.equal(checks.isUnderWay(), false)
    disk.answers()
    assert.deepEqual([await nextCheck(), disk.trouble()], [0, null])
    assert.deepEqual(said, ['unreadable', 'hanging', 'unreadable', null])
    await checks.close()
  })

  it('makes one check at a time, and none after the end', async () => {
    const { disk, nextCheck, checks, clock } = checked(null, null)
    disk.problem(sqliteError('SQLITE_IOERR_READ'))
    disk.problem(sqliteError('SQLITE_CORRUPT'))
    await nextCheck()
    await checks.close()
    disk.problem(sqliteError('SQLITE_CORRUPT'))
    assert.equal(checks.isUnderWay(), false)
    assert.equal(clock.next(), null)
  })
})

const sqliteError = (code: string) => new Database.SqliteError('it failed', code)

it('a look that cannot read the time zone fails, and the process goes on', async () => {
  const clock = virtualClock(0)
  const failures: unknown[] = []
  const check = integrityChecks({
    path: '',
    file: -1,
    entry: new URL('file:///'),
    clock,
    disk: diskWatch(),
    timeZone() {
      throw new Error('database disk image is malformed')
    },
    intact() {},
    background: backgroundWork({ clock, failed: assert.fail }),
    failed: (error) => failures.push(error),
  })
  clock.advance(hour)
  assert.doesNotThrow(() => clock.fire())
  await check.close()
  assert.match(String(failures), /malformed/)
})
