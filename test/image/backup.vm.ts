import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cache } from '../../image/places.ts'
import { s3Server, sftpServer, webdavServer } from '../backup/targets/servers.ts'
import { ports, secure } from './answers.ts'
import { imageFile, withImage } from './built.ts'
import { book, contentsOf, keptSheet, pairedAndSetUp, pairingCodeOf, plainHotel } from './hotel.ts'
import { type Machine, machine } from './machine.ts'
import { copyFrom, newStick, plugIn, pullOut } from './stick.ts'

const config = '/api/config/v1'
const servers = { s3: s3Server, webdav: webdavServer, sftp: sftpServer } as const

interface Document<Attributes> {
  data: { id: string; attributes: Attributes }
}

type Target = Document<{ verifiedBackup: string | null; problem: string | null }>
type Restore = Document<{ state: string; problem: string | null }>

/** Sends a backup to a target until it was verified there: a slow machine has not mounted its stick in time. */
async function sent(box: Machine, token: string, target: string, backup: string): Promise<void> {
  let problem: string | null = null
  for (const end = Date.now() + 900_000; Date.now() < end; await pause(5_000)) {
    const refused = await box.ask('POST', `${target}/actions/send`, token).catch((error: Error) => error)
    const { attributes } = (await box.ask<Target>('GET', target, token)).data
    problem = attributes.problem ?? (refused instanceof Error ? refused.message : null)
    if (attributes.verifiedBackup === backup && problem === null) return
  }
  assert.fail(`${target} has no verified backup: ${problem}`)
}

/** Gives a backup to a box without an owner, as its first page does. */
async function restored(box: Machine, backup: Buffer, recoveryKey: string): Promise<void> {
  async function send<Body>(method: string, path: string, body?: object | Buffer): Promise<Body> {
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json'
    const content = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const how = { method, headers: { 'Content-Type': type }, body: content }
    const { status, text } = await secure(`${config}/restores${path}`, ports[443], how)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return JSON.parse(text) as Body
  }
  const code = await pairingCodeOf(box)
  const file = { name: 'backup.tar.gz.age', bytes: backup.length }
  const { id } = (await send<Restore>('POST', '/actions/begin-on-new-box', { code, ...file })).data
  async function until(wanted: string): Promise<void> {
    let last = ''
    for (const end = Date.now() + 2_400_000; Date.now() < end; await pause(1_000)) {
      const seen = await send<Restore>('GET', `/${id}`).catch((error: Error) => error)
      last = seen instanceof Error ? seen.message : JSON.stringify(seen.data.attributes)
      if (!(seen instanceof Error) && seen.data.attributes.state === wanted) return
    }
    assert.fail(`The restore is not ${wanted}: ${last}`)
  }
  await send('PATCH', `/${id}/content?offset=0`, backup)
  await send('POST', `/${id}/actions/open`, { recoveryKey })
  await until('ready')
  await send('POST', `/${id}/actions/apply`)
  await until('done')
}

it('keeps a hotel at each kind of target, and gives it back to an empty box', withImage, async (test) => {
  const folder = join(cache, 'machines', 'targets')
  rmSync(folder, { recursive: true, force: true })
  const lost = await machine('backup', { image: imageFile() })
  test.after(() => lost.kill())
  await lost.get('/readyz', { status: 200 })
  const token = await pairedAndSetUp(lost, plainHotel)
  for (const number of ['A-1', 'A-2', 'A-3']) await book(lost, token, number)
  const words = await keptSheet(lost, token)

  const targets: string[] = []
  for (const [kind, serve] of Object.entries(servers)) {
    mkdirSync(join(folder, kind), { recursive: true })
    const { url, user, secret, hostKey } = await serve(test, join(folder, kind))
    // The host, as machines reach it.
    const seen = url.replace('127.0.0.1', '10.0.2.2')
    const target = { name: kind, kind, url: seen, user, secret, ...(hostKey && { hostKey }) }
    targets.push((await lost.ask<Target>('POST', `${config}/backup-targets`, token, target)).data.id)
  }
  const stick = newStick('stick-of-backups', 128)
  await plugIn(lost, stick)
  await lost.shell('until systemctl -q is-active "nightporter-stick@*"; do sleep 1; done')
  const onStick = { name: 'stick', kind: 'folder', url: 'file:///media/stick/nightporter' }
  targets.push((await lost.ask<Target>('POST', `${config}/backup-targets`, token, onStick)).data.id)
  const made = await lost.ask<Document<object>>('POST', `${config}/backups`, token)
  for (const id of targets) await sent(lost, token, `${config}/backup-targets/${id}`, made.data.id)
  const contents = await contentsOf(lost, token)
  await pullOut(lost)
  await lost.kill()

  mkdirSync(join(folder, 'stick'))
  copyFrom(stick, 'nightporter', join(folder, 'stick'))
  const copies = [...Object.keys(servers), 'stick/nightporter'].map((kind) => {
    const name = readdirSync(join(folder, kind)).find((each) => each.endsWith('.tar.gz.age'))!
    return readFileSync(join(folder, kind, name))
  })
  const [copy] = copies
  for (const each of copies) assert.ok(each.equals(copy!), 'each target has the same backup')

  const fresh = await machine('backup', { image: imageFile() })
  test.after(() => fresh.kill())
  await fresh.get('/readyz', { status: 200 })
  const since = Date.now()
  await restored(fresh, copy!, words)
  await fresh.get('/readyz', { status: 200 })
  test.diagnostic(`from the pairing code to the property: ${Math.round((Date.now() - since) / 1_000)} s`)
  assert.equal(await contentsOf(fresh, token), contents)
  assert.equal(await fresh.shell('systemctl --failed --no-legend'), '')
})
