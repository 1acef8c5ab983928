import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { askAt, type Reply } from '../../appliance.ts'
import { folderFor, identity, withKey } from '../../backup/recovery.ts'
import { folder as newFolder, type Served, served } from '../../cli/command-line.ts'

const restores = '/api/config/v1/restores'
let old: Served
let content: Buffer
const { path: folder, remove } = newFolder()

before(async () => {
  old = await served(folder)
  withKey(folder)
  // Pages that do not compress, so that opening takes long enough to be killed in it.
  await old.stop()
  const db = new Database(join(folder, 'nightporter.db'))
  db.exec('CREATE TABLE IF NOT EXISTS ballast (bytes BLOB) STRICT')
  for (let count = 0; count < 24; count++) db.exec('INSERT INTO ballast VALUES (randomblob(1000000))')
  db.close()
  old = await served(folder)
  assert.equal((await askAt(old.url, 'POST', '/api/config/v1/backups')).status, 201)
  content = readFileSync(join(folder, 'backups', readdirSync(join(folder, 'backups'))[0]!))
  assert.equal((await askAt(old.url, 'POST', '/api/v2/units', { body: { name: 'Later' } })).status, 201)
  await old.stop()
})
after(remove)

const part = 4_000_000

/** Sends what the box does not have yet. */
async function send(url: string, id: string): Promise<void> {
  const { bytes } = (await read(url, id)).body.data.attributes
  for (let at = bytes; at < content.length; at += part) {
    const response = await fetch(`${url}${restores}/${id}/content?offset=${at}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: content.subarray(at, at + part),
    })
    assert.equal(response.status, 200)
  }
}

const read = (url: string, id: string): Promise<Reply> =>
  askAt(url, 'GET', `${restores}/${id}`, { token: null })
const act = (url: string, id: string, action: string, body: object = {}) =>
  askAt(url, 'POST', `${restores}/${id}/actions/${action}`, { token: null, body })

async function ready(url: string, id: string): Promise<void> {
  for (;;) {
    const { state, problem } = (await read(url, id)).body.data.attributes
    if (state === 'ready') return
    assert.equal(state, 'opening', problem)
    await pause(50)
  }
}

/** The newer property is there, or that of the backup, and each is whole. */
async function isLater(url: string): Promise<boolean> {
  const { body } = await askAt(url, 'GET', '/api/v2/units?filter[name]=Later')
  const { checks } = (await askAt(url, 'GET', '/api/v2/status')).body.data.attributes
  assert.notEqual(checks['storage:database']?.[0]?.status, 'fail')
  return body.data.length === 1
}

it('killed in the middle of each phase, leaves the one property or the other, and goes on', async (t) => {
  const data = folderFor(t)
  cpSync(folder, data, { recursive: true })
  let box = await served(data)
  const again = async () => {
    await box.stop('SIGKILL')
    box = await served(data)
  }
  t.after(() => box.stop())
  const body = { name: 'x.age', bytes: content.length }
  const { id } = (await askAt(box.url, 'POST', restores, { body })).body.data

  const sending = send(box.url, id).catch(() => {})
  await pause(30)
  await again()
  await sending
  assert.equal((await read(box.url, id)).body.data.attributes.state, 'receiving')
  await send(box.url, id)

  for (const after of [20, 150, 400, 800]) {
    assert.equal((await act(box.url, id, 'open', { recoveryKey: identity })).status, 202)
    await pause(after)
    await again()
    const { state, log } = (await read(box.url, id)).body.data.attributes
    assert.deepEqual([state, log.at(-1).step], ['waiting-for-key', 'interrupted'], `after ${after} ms`)
    assert.equal(await isLater(box.url), true)
    assert.ok(!existsSync(join(data, 'restore.part')))
  }
  await act(box.url, id, 'open', { recoveryKey: identity })
  await ready(box.url, id)
  await box.stop('SIGKILL')
  const prepared = folderFor(t)
  cpSync(data, prepared, { recursive: true })
  box = await served(data)

  const ends = new Set<boolean>()
  for (const after of [0, 1, 3, 6, 10, 20, 40, 80, 160, 320]) {
    await act(box.url, id, 'open', { recoveryKey: identity })
    await ready(box.url, id)
    const applied = act(box.url, id, 'apply').catch(() => null)
    await pause(after)
    await box.stop('SIGKILL')
    await applied
    box = await served(data)
    const { state } = (await read(box.url, id)).body.data.attributes
    const later = await isLater(box.url)
    assert.equal(state, later ? 'waiting-for-key' : 'done', `after ${after} ms`)
    ends.add(later)
    if (!later) {
      await box.stop('SIGKILL')
      rmSync(data, { recursive: true })
      cpSync(prepared, data, { recursive: true })
      box = await served(data)
    }
  }
  assert.ok(ends.has(false), 'most are restored')
})
