import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { backupName } from '../../src/backup/backup-files.ts'
import { openHouse } from '../reservation/api/house.ts'

it('A restore says before what it would take back', async (t) => {
  const house = await openHouse()
  t.after(() => house.stop())
  const { unitTypeId } = await house.rooms(1)
  const takenAt = house.clock.now()
  const folder = join(house.data, 'backups')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, backupName(takenAt, 'asked')), 'age')
  house.clock.advance(1_000)
  await house.stay({ units: [{ unitTypeId }] })
  const [{ id }] = (await house.ask('GET', '/api/config/v1/backups')).body.data
  const preview = async () =>
    (await house.ask('GET', `/api/config/v1/backups/${id}/restore-preview`)).body.data
  const { attributes } = await preview()
  assert.equal(attributes.takenAt, new Date(takenAt).toISOString())
  assert.equal(attributes.isAtLeast, false)
  assert.deepEqual([attributes.changes.reservation, attributes.changes.stay], [1, 1])
  assert.ok(!('unit' in attributes.changes), 'what is in the backup is not lost')
  const token = await house.tokenOf('frontdesk')
  const refused = await house.ask('GET', `/api/config/v1/backups/${id}/restore-preview`, { token })
  assert.equal(refused.status, 403)
  const missing = await house.ask('GET', '/api/config/v1/backups/nothing/restore-preview')
  assert.equal(missing.status, 404)
})
