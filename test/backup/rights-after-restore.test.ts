import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { restoreBackup } from '../../src/backup/restore/restore.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { type Browser, browserAt } from '../auth/sessions/browser.ts'
import { accounts, passcode, password, type Staffed, staffed, stations } from '../auth/sessions/staffed.ts'
import { identity, withKey } from './recovery.ts'

const tokens = '/api/config/v1/tokens'
const toConfirm = '/api/config/v1/rights-to-confirm'
const another = 'granite lantern willow seven'

/** A house with accounts, stations and tokens, and a backup of it, before which `prepare` changes its database. */
async function savedHouse(t: TestContext, prepare: (db: Database.Database) => void = () => {}) {
  const staff = await staffed()
  t.after(() => staff.house.stop())
  withKey(staff.house.data)
  const { ida, house } = staff
  const token = async (name: string) => {
    await ida.signIn('Ida', { password })
    const { body } = await ida.post(tokens, { name, role: 'frontdesk' })
    return { id: String(body.data.id), text: String(body.meta.token) }
  }
  const people = { ana: await staff.add('Ana', 'frontdesk'), ben: await staff.add('Ben', 'frontdesk') }
  const places = { left: await staff.station('Left'), right: await staff.station('Right') }
  const programs = { pms: await token('PMS'), old: await token('Old'), rotated: await token('Rotated') }
  const folder = join(house.data, 'backups')
  const again = async () => {
    const now = house.clock.now()
    const { name } = await makeBackup({ data: house.data, folder, now, version: '9.8.7', reason: 'asked' })
    house.clock.advance(60_000)
    return join(folder, name)
  }
  const db = new Database(join(house.data, 'nightporter.db'))
  prepare(db)
  db.close()
  return { staff, token, people, places, programs, file: await again(), again }
}

/** Restores the file as the command does, while the appliance does not run. */
async function restore(house: TestAppliance, file: string, before: () => void = () => {}): Promise<void> {
  const close = house.appliance.close.bind(house.appliance)
  house.appliance.close = async () => {
    await close()
    before()
    await restoreBackup(house.data, file, identity)
  }
  await house.restart()
}

/** A copy of the data, and a function that puts it back while the appliance does not run, as who restores a disk does. */
function imageOf(house: TestAppliance) {
  const database = join(house.data, 'nightporter.db')
  const image = join(house.data, 'image.db')
  cpSync(database, image)
  const close = house.appliance.close.bind(house.appliance)
  const putBack = async () => {
    house.appliance.close = async () => {
      await close()
      for (const ending of ['', '-wal', '-shm']) rmSync(database + ending, { force: true })
      cpSync(image, database)
    }
    await house.restart()
  }
  return { putBack }
}

/** More sessions than a command reads at once. */
function manySessions(db: Database.Database): void {
  const columns = (db.pragma('table_info(session)') as { name: string }[]).map(({ name }) => name)
  const others = columns.filter((name) => !['rid', 'id', 'digest'].includes(name)).join(', ')
  const one = db.prepare(`INSERT INTO session (id, digest, ${others})
    SELECT randomblob(16), hex(randomblob(32)), ${others} FROM session LIMIT 1`)
  db.transaction(() => {
    for (let count = 0; count < 1_100; count++) one.run()
  })()
}

const isLet = async ({ house }: Staffed, { text }: { text: string }) =>
  (await house.ask('GET', '/api/v2/units', { token: text })).status === 200

/** Whether a person may sign in with this password, at a browser that is no station. */
async function mayEnter({ house }: Staffed, name: string, secret: string): Promise<boolean> {
  return (await browserAt(house).signIn(name, { password: secret })).status === 201
}

const isStation = async (browser: Browser) => (await browser.session()).attributes.station !== null

describe('A restore of the same property', () => {
  it('leaves ended what was ended after the backup, and keeps what was made', async (t) => {
    const { staff, token, people, places, programs, file } = await savedHouse(t)
    const { ida, house } = staff
    await ida.signIn('Ida', { password })
    assert.equal((await ida.ask('DELETE', `${tokens}/${programs.old.id}`)).status, 204)
    const rotated = await ida.post(`${tokens}/${programs.rotated.id}/actions/rotate`)
    assert.ok(
      (await ida.ask('PATCH', `${accounts}/${people.ana}`, { body: { disabled: true } })).status < 300,
    )
    assert.equal((await ida.ask('DELETE', `${stations}/${places.left.stationId}`)).status, 204)
    const ben = browserAt(house)
    await ben.signIn('Ben', { password })
    assert.equal((await ben.act('change-secrets', { password, newPassword: another })).status, 200)
    const eva = await staff.add('Eva', 'frontdesk')
    const later = await token('Later')

    await restore(house, file)

    assert.equal(await isLet(staff, programs.pms), true)
    assert.equal(await isLet(staff, programs.old), false)
    assert.equal(await isLet(staff, { text: rotated.body.meta.token }), true)
    assert.equal(await isLet(staff, later), true)
    assert.equal(await mayEnter(staff, 'Ana', password), false)
    assert.equal(await mayEnter(staff, 'Ben', password), false)
    assert.equal(await mayEnter(staff, 'Ben', another), true)
    assert.equal(await mayEnter(staff, 'Eva', password), true)
    assert.deepEqual([await isStation(places.left), await isStation(places.right)], [false, true])
    assert.equal((await places.right.signIn('Eva', { passcode })).status, 201)

    await ida.signIn('Ida', { password })
    assert.deepEqual((await ida.get(toConfirm)).body.data, [])
    assert.equal(
      (await ida.get('/api/v2/status')).body.data.attributes.checks['rights:to-confirm'],
      undefined,
    )
    assert.equal((await ida.get(`${accounts}/${eva}`)).body.data.attributes.name, 'Eva')
    // Who acted before is still named.
    const gone = await ida.get(
      `/api/config/v1/audit-entries?filter[subject]=stations/${places.left.stationId}`,
    )
    assert.equal(gone.status, 200)
  })

  it('does so twice from one backup', async (t) => {
    const { staff, programs, file } = await savedHouse(t)
    const { ida, house } = staff
    await restore(house, file)
    await ida.signIn('Ida', { password })
    assert.equal((await ida.ask('DELETE', `${tokens}/${programs.old.id}`)).status, 204)
    await restore(house, file)
    assert.deepEqual([await isLet(staff, programs.old), await isLet(staff, programs.pms)], [false, true])
  })

  it('brings back no rights of an earlier time: a later backup is newer than what it replaces', async (t) => {
    const { staff, programs, file, again } = await savedHouse(t)
    const { ida, house } = staff
    await ida.signIn('Ida', { password })
    assert.equal((await ida.ask('DELETE', `${tokens}/${programs.old.id}`)).status, 204)
    const newer = await again()
    // An old disk image is put back, which is not a restore, and the newer backup is restored over it.
    await restore(house, file, () => rmSync(join(house.data, 'nightporter.db')))
    await restore(house, newer)
    assert.equal(await isLet(staff, programs.old), false)
  })

  it('lets what it has kept be ended afterwards, and starts after another restore from a later backup', async (t) => {
    const { staff, people, programs, file, again } = await savedHouse(t)
    const { ida, house } = staff
    await ida.signIn('Ida', { password })
    await ida.ask('PATCH', `${accounts}/${people.ana}`, { body: { disabled: true } })
    await ida.post(`${tokens}/${programs.rotated.id}/actions/rotate`)
    await restore(house, file)
    const later = await again()
    house.clock.advance(10 * 86_400_000)
    await ida.signIn('Ida', { password })
    assert.equal((await ida.ask('DELETE', `${accounts}/${people.ana}`)).status, 204)
    assert.equal((await ida.ask('DELETE', `${tokens}/${programs.rotated.id}`)).status, 204)
    await restore(house, later)
    assert.equal(await mayEnter(staff, 'Ana', password), false)
    assert.equal(await isLet(staff, programs.rotated), false)
    await ida.signIn('Ida', { password })
    assert.deepEqual((await ida.get(toConfirm)).body.data, [])
    assert.equal((await ida.ask('DELETE', `${accounts}/${people.ben}`)).status, 204)
  })

  it('keeps names that were exchanged', async (t) => {
    const { staff, people, file } = await savedHouse(t)
    const { ida, house } = staff
    await ida.signIn('Ida', { password })
    for (const [id, name] of [
      [people.ana, 'Third'],
      [people.ben, 'Ana'],
      [people.ana, 'Ben'],
    ])
      assert.ok((await ida.ask('PATCH', `${accounts}/${id}`, { body: { name } })).status < 300)
    await restore(house, file)
    await ida.signIn('Ida', { password })
    assert.equal((await ida.get(`${accounts}/${people.ana}`)).body.data.attributes.name, 'Ben')
    assert.equal((await ida.get(`${accounts}/${people.ben}`)).body.data.attributes.name, 'Ana')
  })

  it('takes no rights from a database that did not go on from the backup', async (t) => {
    const { staff, programs, again } = await savedHouse(t)
    const { ida, house } = staff
    await house.restart()
    const image = imageOf(house)
    await ida.signIn('Ida', { password })
    assert.equal((await ida.ask('DELETE', `${tokens}/${programs.old.id}`)).status, 204)
    const file = await again()
    await image.putBack()
    for (let visit = 0; visit < 12; visit++) await browserAt(house).signIn('Ida', { password })
    assert.equal(await isLet(staff, programs.old), true, 'the image is in place')
    await restore(house, file)
    assert.equal(await isLet(staff, programs.old), false)
    await ida.signIn('Ida', { password })
    assert.ok((await ida.get(toConfirm)).body.data.length > 0)
  })

  it('ends all sessions, however many', async (t) => {
    const { staff, people, file } = await savedHouse(t, manySessions)
    const { ida, house } = staff
    await ida.signIn('Ida', { password })
    await ida.ask('DELETE', `${accounts}/${people.ana}`)
    await restore(house, file)
    await ida.signIn('Ida', { password })
    assert.equal((await ida.get('/api/config/v1/sessions')).body.data.length, 1)
  })
})

describe('A restore on a box that does not know what was ended', () => {
  it('has each right confirmed or ended by an administrator', async (t) => {
    const { staff, people, places, programs, file } = await savedHouse(t)
    const { ida, house } = staff
    await ida.signIn('Ida', { password })
    await ida.ask('DELETE', `${tokens}/${programs.old.id}`)
    await restore(house, file, () => {
      for (const name of ['nightporter.db', 'nightporter.db-wal', 'nightporter.db-shm', 'key'])
        rmSync(join(house.data, name), { force: true })
    })
    // The lobby and the programs work at once.
    assert.deepEqual([await isLet(staff, programs.pms), await isStation(places.left)], [true, true])
    await ida.signIn('Ida', { password })
    const listed = (await ida.get(`${toConfirm}?sort=name`)).body.data
    const shown = listed.map((each: { attributes: { kind: string; name: string } }) => [
      each.attributes.kind,
      each.attributes.name,
    ])
    assert.deepEqual(shown, [
      ['account', 'Ana'],
      ['account', 'Ben'],
      ['account', 'Ida'],
      ['station', 'Left'],
      ['token', 'Old'],
      ['token', 'PMS'],
      ['station', 'Right'],
      ['token', 'Rotated'],
      ['station', 'Station 1'],
    ])
    const check = async () =>
      (await ida.get('/api/v2/status')).body.data.attributes.checks['rights:to-confirm']?.[0]
    assert.partialDeepStrictEqual(await check(), { status: 'warn', observedValue: 9 })
    assert.match((await check()).output, /9 tokens, accounts and stations/)

    const idOf = (name: string) =>
      listed.find((each: { attributes: { name: string } }) => each.attributes.name === name).id
    assert.equal((await ida.ask('DELETE', `${toConfirm}/${idOf('PMS')}`)).status, 204)
    // What is ended or changed needs no further word.
    await ida.ask('DELETE', `${tokens}/${programs.old.id}`)
    await ida.post(`${tokens}/${programs.rotated.id}/actions/rotate`)
    await ida.ask('PATCH', `${accounts}/${people.ana}`, { body: { disabled: true } })
    await ida.post(`${accounts}/${people.ben}/actions/reset`)
    await ida.ask('DELETE', `${stations}/${places.left.stationId}`)
    assert.equal((await check()).observedValue, 3)
    for (const name of ['Ida', 'Right', 'Station 1']) await ida.ask('DELETE', `${toConfirm}/${idOf(name)}`)
    assert.equal(await check(), undefined)
    assert.equal(await isLet(staff, programs.pms), true)
  })

  it('asks nobody but who may change accounts', async (t) => {
    const house = await startAppliance()
    t.after(() => house.stop())
    for (const role of ['kiosk', 'frontdesk', 'installer']) {
      const made = await house.ask('POST', tokens, { body: { name: role, role } })
      assert.equal((await house.ask('GET', toConfirm, { token: made.body.meta.token })).status, 403, role)
    }
  })
})
