import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { cache } from '../../image/places.ts'
import { s3Server, sftpServer, webdavServer } from '../backup/targets/servers.ts'
import { overNetwork } from './answers.ts'
import { imageFile, withImage } from './built.ts'
import { book, contentsOf, keptSheet, pairedAndSetUp, pairingCodeOf, plainHotel } from './hotel.ts'
import { type Machine, machine } from './machine.ts'
import { copyFrom, newStick, plugIn, pullOut } from './stick.ts'

const config = '/api/config/v1'

interface Document<Attributes> {
  data: { id: string; attributes: Attributes }
}

type Target = Document<{ verifiedBackup: string | null; problem: string | null }>
type Restore = Document<{ state: string; problem: string | null }>
interface Restorables {
  data: { attributes: { place: string; backup: string } }[]
}

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

/** The restores of a box without an owner, as its first page asks for them. Each method begins or ends one. */
function restoresOf(box: Machine, recoveryKey: string) {
  async function send<Body>(method: string, path: string, body?: object | Buffer): Promise<Body> {
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json'
    const content = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body)
    const how = { method, headers: { 'Content-Type': type }, body: content }
    const { status, text } = await overNetwork(`${config}/restores${path}`, 443, how)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return (text === '' ? {} : JSON.parse(text)) as Body
  }

  async function until(id: string, wanted: string): Promise<void> {
    let last = ''
    for (const end = Date.now() + 2_400_000; Date.now() < end; await pause(1_000)) {
      const seen = await send<Restore>('GET', `/${id}`).catch((error: Error) => error)
      last = seen instanceof Error ? seen.message : JSON.stringify(seen.data.attributes)
      if (!(seen instanceof Error) && seen.data.attributes.state === wanted) return
    }
    assert.fail(`The restore is not ${wanted}: ${last}`)
  }

  async function opened(begun: Restore): Promise<string> {
    const { id } = begun.data
    await send('POST', `/${id}/actions/open`, { recoveryKey })
    await until(id, 'ready')
    return id
  }

  return {
    /** Opens a backup that is sent as a file, and returns the id of its restore. */
    async ofFile(backup: Buffer): Promise<string> {
      const file = { name: 'backup.tar.gz.age', bytes: backup.length }
      const code = await pairingCodeOf(box)
      const begun = await send<Restore>('POST', '/actions/begin-on-new-box', { code, ...file })
      await send('PATCH', `/${begun.data.id}/content?offset=0`, backup)
      return opened(begun)
    },
    /** Opens the only backup at a target, or on the stick that is in. Returns the id of its restore. */
    async from(target?: object): Promise<string> {
      const where = async () => ({ code: await pairingCodeOf(box), ...(target && { target }) })
      let found: Restorables['data'] = []
      // The firewall of a slow box needs its time to let the target out.
      for (const end = Date.now() + 900_000; found.length === 0 && Date.now() < end; await pause(10_000)) {
        const list = await send<Restorables>('POST', '/actions/list-on-new-box', await where())
        found = list.data.filter(({ attributes }) => target || attributes.place === 'stick-target')
      }
      assert.equal(found.length, 1, JSON.stringify(found))
      const { place, backup } = found[0]!.attributes
      const chosen = { ...(await where()), backup, ...(!target && { place }) }
      return opened(await send<Restore>('POST', '/actions/begin-on-new-box', chosen))
    },
    async cancel(id: string): Promise<void> {
      await send('DELETE', `/${id}`)
    },
    async apply(id: string): Promise<void> {
      await send('POST', `/${id}/actions/apply`)
      await until(id, 'done')
    },
  }
}

/** Plugs a stick in, and waits until the box has mounted it. */
async function plugged(box: Machine, stick: string): Promise<void> {
  await plugIn(box, stick)
  await box.shell('until systemctl -q is-active "nightporter-stick@*"; do sleep 1; done')
}

it(
  'keeps a hotel at each kind of target, and an empty box takes it back from each',
  withImage,
  async (test) => {
    const folder = join(cache, 'machines', 'targets')
    rmSync(folder, { recursive: true, force: true })
    const lost = await machine('backup', { image: imageFile() })
    test.after(() => lost.kill())
    await lost.get('/readyz', { status: 200 })
    const token = await pairedAndSetUp(lost, plainHotel)
    for (const number of ['A-1', 'A-2', 'A-3']) await book(lost, token, number)
    const words = await keptSheet(lost, token)

    const servers = []
    const targets: string[] = []
    for (const [kind, serve] of Object.entries({ s3: s3Server, webdav: webdavServer, sftp: sftpServer })) {
      mkdirSync(join(folder, kind), { recursive: true })
      const { url, user, secret, hostKey } = await serve(test, join(folder, kind))
      // The host, as machines reach it.
      const seen = url.replace('127.0.0.1', '10.0.2.2')
      const server = { kind, url: seen, user, secret, ...(hostKey && { hostKey }) }
      servers.push(server)
      const target = { name: kind, ...server }
      targets.push((await lost.ask<Target>('POST', `${config}/backup-targets`, token, target)).data.id)
    }
    const made = await lost.ask<Document<object>>('POST', `${config}/backups`, token)
    for (const id of targets) await sent(lost, token, `${config}/backup-targets/${id}`, made.data.id)
    const sticks = { fat: '', exfat: '' }
    for (const format of ['fat', 'exfat'] as const) {
      sticks[format] = newStick(`stick-of-${format}`, { megabytes: 128, format })
      await plugged(lost, sticks[format])
      const onStick = { name: format, kind: 'folder', url: 'file:///media/stick/nightporter' }
      const { id } = (await lost.ask<Target>('POST', `${config}/backup-targets`, token, onStick)).data
      await sent(lost, token, `${config}/backup-targets/${id}`, made.data.id)
      await lost.ask('DELETE', `${config}/backup-targets/${id}`, token)
      await pullOut(lost)
    }
    const contents = await contentsOf(lost, token)
    await lost.kill()

    mkdirSync(join(folder, 'stick'))
    copyFrom(sticks.fat, 'nightporter', join(folder, 'stick'))
    const copies = [...servers.map(({ kind }) => kind), 'stick/nightporter'].map((kind) => {
      const name = readdirSync(join(folder, kind)).find((each) => each.endsWith('.tar.gz.age'))!
      return readFileSync(join(folder, kind, name))
    })
    const [copy] = copies
    for (const each of copies) assert.ok(each.equals(copy!), 'each target has the same backup')

    const fresh = await machine('backup', { image: imageFile() })
    test.after(() => fresh.kill())
    await fresh.get('/readyz', { status: 200 })
    const restores = restoresOf(fresh, words)
    await restores.cancel(await restores.ofFile(copy!))
    for (const server of servers) await restores.cancel(await restores.from(server))
    const code = await pairingCodeOf(fresh)
    await plugged(fresh, sticks.exfat)
    const pairing = await fresh.shell('cat /media/nightporter/nightporter-pairing.txt')
    assert.ok(pairing.replaceAll(' ', '').includes(code), pairing)
    const digest = await fresh.shell('cat /media/nightporter/nightporter/*.tar.gz.age | sha256sum')
    assert.equal(digest.split(' ')[0], createHash('sha256').update(copy!).digest('hex'))
    const since = Date.now()
    await restores.apply(await restores.from())
    await fresh.get('/readyz', { status: 200 })
    test.diagnostic(`from the pairing code to the property: ${Math.round((Date.now() - since) / 1_000)} s`)
    assert.equal(await contentsOf(fresh, token), contents)
    await pullOut(fresh)
    assert.equal(await fresh.shell('systemctl --failed --no-legend'), '')
  },
)
