import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { backupOnDisk } from '../../src/backup/on-disk.ts'
import { readConfig } from '../../src/config.ts'
import { startAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { withKey } from './recovery.ts'

it('the schedule of backups names the file that changes it at the next start', async () => {
  const house = await startAppliance()
  const read = async () => (await house.ask('GET', '/api/config/v1/backup-schedule')).body.data.attributes
  try {
    const { settingsFile, at, daily } = await read()
    assert.deepEqual([at, daily], ['03:30', 7])
    await house.restart(() => writeFileSync(settingsFile, '{"backup": {"at": "04:15", "daily": 14}}'))
    assert.partialDeepStrictEqual(await read(), { settingsFile, at: '04:15', daily: 14, weekly: 4 })
  } finally {
    await house.stop()
  }
})

it('the schedule of backups that a person has chosen replaces that of the file, at once and also on the command line', async () => {
  const house = await startAppliance()
  withKey(house.data)
  const read = async () => (await house.ask('GET', '/api/config/v1/backup-schedule')).body.data.attributes
  const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  const patch = (backupSchedule: unknown) =>
    house.ask('PATCH', `/api/config/v1/settings/${id}`, { body: { backupSchedule } })
  const chosen = { at: '12:30', daily: 2, weekly: 1, monthly: 1 }
  const made = async () => (await house.ask('GET', '/api/config/v1/backups')).body.data.length
  try {
    for (const wrong of [{ ...chosen, at: '24:00' }, { ...chosen, daily: 0 }, { at: '12:30' }])
      assert.equal((await patch(wrong)).status, 422, JSON.stringify(wrong))
    assert.equal((await patch(chosen)).status, 204)
    await house.restart(() =>
      writeFileSync(join(house.data, 'nightporter.json'), '{"backup": {"at": "04:15", "megabytes": 99}}'),
    )
    assert.partialDeepStrictEqual(await read(), { ...chosen, megabytes: 99 })

    const order = { data: house.data, folder: join(house.data, 'backups'), version: '1' }
    const day = 86_400_000
    for (const days of [40, 39, 3, 2, 1])
      await makeBackup({ ...order, now: house.clock.now() - days * day, reason: 'nightly' })
    const { backup } = readConfig({ data: house.data })
    await backupOnDisk(house.data, backup, { version: '1', now: house.clock.now() })
    assert.equal(await made(), 2, 'the newest of two days, a week and a month, of which one is the same')

    assert.equal((await patch(null)).status, 204)
    assert.partialDeepStrictEqual(await read(), { at: '04:15', daily: 7 })
  } finally {
    await house.stop()
  }
})

it('a backup that was made while the clock was ahead keeps no later one from being made', async (t) => {
  const rules = { daily: 1, weekly: 1, monthly: 1, megabytes: 2_048 }
  const house = await startAppliance({ backup: { folder: null, copyTo: null, at: '03:30', ...rules } })
  t.after(() => house.stop())
  withKey(house.data)
  const ahead = house.clock.now() + 30 * 86_400_000
  const order = { data: house.data, folder: join(house.data, 'backups'), version: '9.8.7' }
  await makeBackup({ ...order, now: ahead, reason: 'nightly' })
  const days = async () =>
    (await house.ask('GET', '/api/config/v1/backups')).body.data.map(
      ({ attributes }: { attributes: { takenAt: string } }) => attributes.takenAt.slice(0, 10),
    )
  house.clock.advance(120_000)
  await passTime(3_000)
  assert.deepEqual(await days(), ['2026-07-01', '2026-06-01'])
  const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
  assert.equal(checks['storage:backup'][0].observedValue.slice(0, 10), '2026-06-01')
  house.clock.advance(86_400_000)
  await passTime(3_000)
  assert.deepEqual(await days(), ['2026-07-01', '2026-06-02'])
})
