import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { copyStore } from '../../../src/store/disk/copy.ts'
import { migrate, migrations } from '../../../src/store/migrate.ts'
import { browserAt, codeOf } from './browser.ts'
import { accounts, passcode, password, type Staffed, staffed } from './staffed.ts'

async function open(t: TestContext): Promise<Staffed> {
  const staff = await staffed({ allowedOrigins: ['https://kiosk.example'] })
  t.after(() => staff.house.stop())
  return staff
}

it('a restored backup ends all sessions; accounts and stations stay', async (t) => {
  const staff = await open(t)
  await staff.add('Ana', 'frontdesk')
  const desk = await staff.station('Desk')
  await desk.signIn('Ana', { passcode })
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [path, copy] = [join(staff.house.data, 'nightporter.db'), join(folder, 'copy.db')]
  copyStore(path, copy, staff.house.clock.now())
  const close = staff.house.appliance.close.bind(staff.house.appliance)
  staff.house.appliance.close = async () => {
    await close()
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true })
    cpSync(copy, path)
  }
  await staff.house.restart()
  for (const browser of [desk, staff.ida]) assert.equal((await browser.get('/api/v2/units')).status, 401)
  assert.equal((await desk.signIn('Ana', { passcode })).status, 201)
})

it('a stream of events ends with its session, and while it is locked', async (t) => {
  const staff = await open(t)
  await streamed(staff, staff.ida, () => staff.ida.act('lock'))
  assert.equal((await staff.ida.act('unlock', { password })).status, 200)
  await streamed(staff, staff.ida, () => staff.ida.ask('DELETE', '/api/v2/session'))
})

it('a stream of events ends when the rights of its person change', async (t) => {
  const staff = await open(t)
  const id = await staff.add('Ana', 'frontdesk')
  const ana = browserAt(staff.house)
  await ana.signIn('Ana', { password })
  const text = await streamed(staff, ana, async () => {
    const body = { role: 'housekeeping' }
    assert.equal((await staff.ida.ask('PATCH', `${accounts}/${id}`, { body })).status, 204)
    await staff.ida.post('/api/v2/profiles', { firstName: 'Ines', lastName: 'Almeida' })
  })
  assert.doesNotMatch(text, /profile/)
  assert.equal((await ana.get('/api/v2/units')).status, 200, 'the session goes on with its new rights')
})

/** Streams events to a browser, whose first text begins `end`. Resolves with all texts when the stream has ended. */
function streamed(
  { house }: Staffed,
  { cookies }: Staffed['ida'],
  end: () => Promise<unknown>,
): Promise<string> {
  const cookie = [...cookies].map((each) => each.join('=')).join('; ')
  const headers = { Cookie: cookie, Accept: 'text/event-stream' }
  let text = ''
  return house.during(
    new Promise<string>((resolve, reject) => {
      const message = request(`${house.appliance.url}/api/v2/events/stream`, { headers }, (answer) => {
        assert.equal(answer.statusCode, 200)
        answer.once('data', () => void end().catch(reject))
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
          if (text.includes('profile.created')) reject(new Error(`streamed: ${text}`))
        })
        answer.on('end', () => resolve(text))
      })
      message.on('error', reject).end()
    }),
  )
}

it('an allowed origin is told of no credentials, and its page changes nothing with a cookie', async (t) => {
  const staff = await open(t)
  const headers = { Origin: 'https://kiosk.example', 'Sec-Fetch-Site': 'cross-site' }
  const read = await staff.ida.ask('GET', '/api/v2/session', { headers })
  assert.equal(read.headers.get('access-control-allow-origin'), 'https://kiosk.example')
  assert.equal(read.headers.get('access-control-allow-credentials'), null)
  const changed = await staff.ida.ask('POST', '/api/v2/session/actions/lock', { headers })
  assert.equal(changed.status, 403)
})

it('the session of a browser that signs in at a second place stays, up to twenty for a person', async (t) => {
  const staff = await open(t)
  for (let times = 0; times < 20; times++)
    assert.equal((await browserAt(staff.house).signIn('Ida', { password })).status, 201)
  assert.equal((await staff.ida.get('/api/v2/units')).status, 401)
  const db = new Database(join(staff.house.data, 'nightporter.db'), { readonly: true })
  t.after(() => db.close())
  assert.equal(db.prepare('SELECT count(*) FROM session').pluck().get(), 20)
})

it('the last administrator with a password stays, whoever has a code only', async (t) => {
  const { ida, house } = await open(t)
  const mine = `${accounts}/${(await ida.session()).attributes.account.id}`
  const changes = [
    () => ida.ask('PATCH', mine, { body: { disabled: true } }),
    () => ida.ask('PATCH', mine, { body: { role: 'installer' } }),
    () => ida.ask('DELETE', mine),
  ]
  const made = await ida.post(accounts, { name: 'Rui', role: 'admin' })
  for (const change of changes) assert.equal(codeOf(await change()), 'last-administrator')
  const { code } = made.body.meta
  const rui = browserAt(house)
  await rui.act('redeem-code', { account: 'Rui', code, newPassword: password })
  const own = await changes[0]!()
  assert.deepEqual([own.status, codeOf(own)], [409, 'own-account'], 'nobody is locked out by a slip')
  assert.match(own.body.errors[0].detail, /Another administrator can disable it/)
  assert.equal((await ida.get('/api/v2/units')).status, 200)
  assert.equal((await ida.ask('PATCH', mine, { body: { language: 'pt' } })).status, 204)
  assert.equal((await rui.ask('PATCH', mine, { body: { disabled: true } })).status, 204)
  assert.equal((await rui.ask('PATCH', mine, { body: { disabled: false } })).status, 204)
  await ida.signIn('Ida', { password })
  assert.equal((await changes[2]?.())?.status, 204)
})

it('a data folder from before accounts gets their tables, and keeps its tokens', () => {
  const db = new Database(':memory:')
  const before = migrations().findIndex(({ sql }) => /CREATE TABLE account /.test(sql))
  assert.ok(before > 0)
  migrate(db, ':memory:', migrations().slice(0, before))
  db.exec(
    `INSERT INTO token (id, createdAt, updatedAt, revision, name, role) VALUES (x'01', 1, 1, 1, 'Desk', 'admin')`,
  )
  migrate(db, ':memory:')
  assert.deepEqual(
    ['account', 'station', 'session', 'former_actor', 'token'].map((table) =>
      db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    ),
    [0, 0, 0, 0, 1],
  )
})
