import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { restoreBackup } from '../../src/backup/restore/restore.ts'
import { startAppliance } from '../appliance.ts'
import { copyingTo, folderFor, identity, withKey } from '../backup/recovery.ts'
import { until } from './house-with-doors.ts'
import { lockPcDesk } from './lock-pc-desk.ts'
import { sockets } from './sockets.ts'

it('an appliance starts from a backup whose keys came later, and one has ended a door of the other', async (test) => {
  const stick = folderFor(test)
  const backup = copyingTo(stick)
  const house = await startAppliance({ backup })
  const plugs = sockets()
  test.after(async () => {
    await house.stop()
    plugs.close()
  })
  withKey(house.data)
  const provider = { maxExtraUnits: 3 }
  const { desk } = await lockPcDesk(house, plugs, { rooms: ['101', '102'], provider })
  const made = async (unitName: string, extraUnits: string[] = []) => {
    const body = { type: 'keyCard', original: true, startDate: '2026-06-01', endDate: '2026-06-03' }
    const { status, text, ...answer } = await house.ask('POST', `/api/v2/access/controllers/${desk}/key`, {
      body: { ...body, unitName, extraUnits },
    })
    assert.equal(status, 201, text)
    return String(answer.body.data.id)
  }
  const now = house.clock.now()
  const { name } = await makeBackup({
    data: house.data,
    folder: stick,
    now,
    version: '1.0.0',
    reason: 'asked',
  })
  house.clock.advance(60_000)
  const both = await made('101', ['102'])
  const own = await made('102')
  const at = house.clock.now()
  const sentAt = async () =>
    String(
      (await house.ask('GET', '/api/v2/status')).body.data.attributes.checks['storage:keys'][0].observedValue,
    )
  await until('a segment', sentAt, (seen) => Date.parse(seen) >= at)
  await house.stop()

  const data = folderFor(test)
  await restoreBackup(data, join(stick, name), identity)
  const box = await startAppliance({ data, now: house.clock.now() + 300_000 })
  test.after(() => box.stop())
  for (const id of [both, own]) {
    const { status, body, text } = await box.ask('GET', `/api/v2/access/keys/${id}`)
    assert.deepEqual([status, body.data?.attributes.status], [200, 'live'], text)
  }
  const { body } = await box.ask('GET', '/api/v2/access/units-with-older-keys')
  assert.deepEqual(
    body.data.map(
      ({
        attributes: { unitName, keys },
      }: {
        attributes: { unitName: string; keys: { keyId: string }[] }
      }) => [unitName, keys.map(({ keyId }) => keyId)],
    ),
    [['102', [both]]],
  )
})
