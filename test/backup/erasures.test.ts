import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { restoreBackup } from '../../src/backup/restore/restore.ts'
import { startAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { copyingTo, folderFor, identity, withKey } from './recovery.ts'

it('who was erased stays erased when an older backup is restored, here or on a new box', async (t) => {
  const house = await startAppliance({ data: folderFor(t) })
  withKey(house.data)
  const folder = join(house.data, 'backups')
  const backup = async () => {
    house.clock.advance(60_000)
    const order = {
      data: house.data,
      folder,
      now: house.clock.now(),
      version: '9.8.7',
      reason: 'asked',
    } as const
    return join(folder, (await makeBackup(order)).name)
  }
  const made = async (lastName: string) =>
    (await house.ask('POST', '/api/v2/profiles', { body: { firstName: 'Ida', lastName } })).body.data.id
  const [early, late, kept] = [await made('Early'), await made('Late'), await made('Kept')]
  const old = await backup()
  const erase = async (id: string) =>
    assert.equal((await house.ask('POST', `/api/v2/profiles/${id}/actions/erase`)).status, 200)
  await erase(early)
  await backup()
  // No backup knows of this one.
  await erase(late)
  const elsewhere = folderFor(t)
  cpSync(folder, elsewhere, { recursive: true })

  const namesIn = async ({ ask }: typeof house) => {
    const names = []
    for (const id of [early, late, kept]) {
      const { status, body, text } = await ask('GET', `/api/v2/profiles/${id}`)
      // What is left of an erased guest without a stay is removed soon after a start.
      if (status === 404) names.push('Guest')
      else names.push(body.data?.attributes.lastName ?? text)
    }
    return names
  }
  await house.stop()
  await restoreBackup(house.data, old, identity)
  const again = await startAppliance({ data: house.data })
  t.after(() => again.stop())
  assert.deepEqual(await namesIn(again), ['Guest', 'Guest', 'Kept'])
  assert.match(readFileSync(join(house.data, 'erased-persons'), 'utf8'), /^([0-9a-f]{64}\n){2}$/)

  const data = folderFor(t)
  await restoreBackup(data, join(elsewhere, old.slice(folder.length + 1)), identity)
  const box = await startAppliance({ data })
  t.after(() => box.stop())
  assert.deepEqual(await namesIn(box), ['Guest', 'Late', 'Kept'], 'the list lies beside the backups')
})

it('who is erased while an opened restore waits for its confirmation stays erased', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  withKey(house.data)
  const guest = { firstName: 'Ida', lastName: 'Late' }
  const { id } = (await house.ask('POST', '/api/v2/profiles', { body: guest })).body.data
  const folder = join(house.data, 'backups')
  const order = { data: house.data, folder, version: '9.8.7', reason: 'asked' } as const
  await makeBackup({ ...order, now: house.clock.now() })
  const [kept] = (await house.ask('GET', '/api/config/v1/restorable-backups')).body.data
  const { place, backup } = kept.attributes
  const begun = await house.ask('POST', '/api/config/v1/restores', { body: { place, backup } })
  const at = `/api/config/v1/restores/${begun.body.data.id}`
  await house.ask('POST', `${at}/actions/open`, { token: null, body: { recoveryKey: identity } })
  const state = async () => (await house.ask('GET', at, { token: null })).body.data.attributes.state
  while ((await state()) === 'opening') await passTime(100)
  assert.equal(await state(), 'ready')

  assert.equal((await house.ask('POST', `/api/v2/profiles/${id}/actions/erase`)).status, 200)
  assert.equal((await house.ask('POST', `${at}/actions/apply`, { token: null })).status, 202)
  await house.appliance.replaced
  await house.restart()
  assert.equal(await state(), 'done')
  const { status, body } = await house.ask('GET', `/api/v2/profiles/${id}`)
  assert.ok(status === 404 || body.data.attributes.lastName === 'Guest', `${status} ${JSON.stringify(body)}`)
})

it('who is erased after the newest backup stays erased on a new box when a second medium is there', async (t) => {
  const stick = folderFor(t)
  const house = await startAppliance({ data: folderFor(t), backup: copyingTo(stick) })
  withKey(house.data)
  const guest = { firstName: 'Ida', lastName: 'Late' }
  const { id } = (await house.ask('POST', '/api/v2/profiles', { body: guest })).body.data
  const order = { data: house.data, folder: stick, version: '9.8.7', reason: 'asked' } as const
  const { name } = await makeBackup({ ...order, now: house.clock.now() })
  const sent = async () => {
    const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
    return Date.parse(checks['storage:keys'][0].observedValue ?? '') || 0
  }
  const sentAgain = async () => {
    house.clock.advance(1_000)
    for (const at = house.clock.now(); (await sent()) < at; ) await passTime(1_000)
  }
  await sentAgain()
  assert.equal((await house.ask('POST', `/api/v2/profiles/${id}/actions/erase`)).status, 200)
  await sentAgain()
  const now = house.clock.now()
  await house.stop()

  const data = folderFor(t)
  await restoreBackup(data, join(stick, name), identity)
  const box = await startAppliance({ data, now })
  t.after(() => box.stop())
  const { status, body } = await box.ask('GET', `/api/v2/profiles/${id}`)
  assert.ok(status === 404 || body.data.attributes.lastName === 'Guest', JSON.stringify(body))
})
