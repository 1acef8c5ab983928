import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { backupName } from '../../src/backup/backup-files.ts'
import { carryOutBackup } from '../../src/backup/backup-thread.ts'
import { type BackupSettings, backupTask } from '../../src/backup/backups.ts'
import { rotateFolder } from '../../src/backup/rotation/rotate-folder.ts'
import { deliver } from '../../src/backup/targets/deliver.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { eventually } from '../eventually.ts'
import { passTime } from '../test-clock.ts'
import { folderFor, withKey } from './recovery.ts'

const day = 86_400_000
const rules = { daily: 2, weekly: 1, monthly: 1, megabytes: 2_048 }
const settings = { folder: null, copyTo: null, at: '03:30', ...rules }

/** Writes files with the names of backups that were made while the clock was years ahead. */
function madeAhead(folder: string, count: number): string[] {
  mkdirSync(folder, { recursive: true })
  const names = Array.from({ length: count }, (_, night) =>
    backupName(Date.UTC(2031, 0, 1 + night), 'nightly'),
  )
  for (const name of names) {
    writeFileSync(join(folder, name), 'made while the clock was ahead')
    utimesSync(join(folder, name), new Date('2031-01-01'), new Date('2031-01-01'))
  }
  return names
}

function backupsThere(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('nightporter-'))
    .toSorted()
}

async function house(t: TestContext, backup: BackupSettings): Promise<TestAppliance> {
  const appliance = await startAppliance({ backup })
  t.after(() => appliance.stop())
  withKey(appliance.data)
  return appliance
}

async function checkOf({ ask }: TestAppliance) {
  const { checks } = (await ask('GET', '/api/v2/status')).body.data.attributes
  return checks['storage:backup'][0] as { status: string; output: string | null }
}

/** Makes the backup of one night after the other, as the thread of a backup does. */
async function nights({ data, clock }: TestAppliance, backup: BackupSettings, count: number) {
  const done = []
  for (let night = 1; night <= count; night++) {
    const how = { reason: 'nightly', now: clock.now() + night * day, zone: 'UTC', removes: true } as const
    done.push(await carryOutBackup(backupTask({ ...backup, data, version: '1' }, how)))
  }
  return done
}

it('backup files of the future take no place of another, are reported, and go after a week', async (t) => {
  const appliance = await house(t, settings)
  const { data, clock } = appliance
  const folder = join(data, 'backups')
  const ahead = madeAhead(folder, 3)
  const dates = () => backupsThere(folder).map((name) => name.slice(12, 22))
  const night = async () => {
    clock.advance(day)
    await passTime(3_000)
  }
  clock.advance(120_000)
  await passTime(3_000)
  await night()
  assert.deepEqual(dates(), ['2026-06-01', '2026-06-02', '2031-01-01', '2031-01-02', '2031-01-03'])
  const found = await checkOf(appliance)
  assert.equal(found.status, 'warn')
  assert.match(found.output!, /: 3, the last of 2031-01-03/)
  for (let nights = 2; nights <= 6; nights++) await night()
  assert.deepEqual(backupsThere(folder).slice(-3), ahead)
  await night()
  await night()
  assert.deepEqual(dates(), ['2026-06-08', '2026-06-09'])
  await passTime(60_000)
  assert.deepEqual(await checkOf(appliance).then(({ status, output }) => [status, output]), ['pass', null])
})

it('a second folder on the same disk is rotated as the first, and reported', async (t) => {
  const copyTo = folderFor(t)
  const backup = { ...settings, copyTo }
  const appliance = await house(t, backup)
  const done = await nights(appliance, backup, 5)
  assert.match(done.at(-1)!.copyProblem!, /is on the same disk as the backups/)
  const folder = join(appliance.data, 'backups')
  assert.equal(backupsThere(folder).length, 2)
  assert.deepEqual(backupsThere(copyTo), backupsThere(folder))
  await appliance.restart()
  const found = await eventually('the status after a start', async () => {
    const { output } = await checkOf(appliance)
    return output
  })
  assert.match(found!, /is on the same disk as the backups/)
})

it('a second folder whose copy fails is rotated all the same', async (t) => {
  const copyTo = folderFor(t)
  const backup = { ...settings, copyTo }
  const appliance = await house(t, backup)
  const { clock } = appliance
  for (const nightsAgo of [1, 2, 3, 4])
    writeFileSync(join(copyTo, backupName(clock.now() - nightsAgo * day, 'nightly')), 'an older one')
  // The name of the next copy is taken by a folder, so it cannot be written.
  mkdirSync(join(copyTo, `${backupName(clock.now() + day, 'nightly')}.part`, 'in-the-way'), {
    recursive: true,
  })
  const [done] = await nights(appliance, backup, 1)
  assert.match(done!.copyProblem!, /could not be copied/)
  assert.equal(backupsThere(copyTo).filter((name) => name.endsWith('.age')).length, 2)
})

it('a backup that cannot be removed keeps no other from being removed, and is reported', async (t) => {
  const folder = folderFor(t)
  const now = Date.UTC(2026, 5, 20)
  const names = [1, 2, 3, 4, 5].map((nightsAgo) => backupName(now - nightsAgo * day, 'nightly'))
  const [ahead] = madeAhead(folder, 1)
  for (const name of names) writeFileSync(join(folder, name), 'a backup')
  // A folder is not removed as a file.
  rmSync(join(folder, names[3]!))
  mkdirSync(join(folder, names[3]!))
  const problem = await rotateFolder(folder, { rules, zone: 'UTC', now, made: names[0]! })
  assert.match(problem!, new RegExp(`could not be removed .*${names[3]}`))
  assert.deepEqual(backupsThere(folder), [names[3], names[1], names[0], ahead])
})

it('a target that no backup reaches keeps no part of an older one, and goes on with its own', async (t) => {
  const [box, there] = [folderFor(t), folderFor(t)]
  const [older, newer] = [1, 2].map((days) => backupName(Date.UTC(2026, 5, days), 'nightly'))
  const file = join(box, newer!)
  writeFileSync(file, 'a backup')
  for (const name of [`${older}.part`, 'letter.part']) writeFileSync(join(there, name), 'interrupted')
  // The name of the part is taken by a folder, so the backup cannot be sent.
  mkdirSync(join(there, `${newer}.part`))
  await assert.rejects(delivered(file, there))
  assert.deepEqual(readdirSync(there).toSorted(), ['letter.part', `${newer}.part`])
})

it('a part that cannot be removed keeps no backup from a target, and is reported', async (t) => {
  const [box, there] = [folderFor(t), folderFor(t)]
  const [older, newer] = [1, 2].map((days) => backupName(Date.UTC(2026, 5, days), 'nightly'))
  const file = join(box, newer!)
  writeFileSync(file, 'a backup')
  // A folder is not removed as a file.
  mkdirSync(join(there, `${older}.part`))
  const further = `${backupName(Date.UTC(2026, 5, 1, 12), 'nightly')}.part`
  writeFileSync(join(there, further), 'interrupted')
  await assert.rejects(delivered(file, there), { message: new RegExp(`${older}\\.part`) })
  assert.deepEqual(backupsThere(there), [`${older}.part`, newer])
})

/** Sends a backup to the folder of a stick, as the thread of a delivery does. */
function delivered(file: string, there: string): Promise<void> {
  const none = { user: null, secret: null, hostKey: null, region: null }
  const target = { name: 'Stick', kind: 'folder', url: pathToFileURL(there).href, ...none } as const
  const task = { target, file, identity: null, rules, zone: 'UTC', now: Date.UTC(2026, 5, 3) }
  return deliver(task, { signal: new AbortController().signal, progress: () => {} })
}
