import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { monday, type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { folderFor, identity, withKey } from './recovery.ts'
import { s3Server, sftpServer, webdavServer } from './targets/servers.ts'

const restores = '/api/config/v1/restores'

describe('a box that belongs to nobody restores a backup', () => {
  let owned: TestAppliance
  before(async () => {
    owned = await startAppliance()
    withKey(owned.data)
  })
  after(() => owned.stop())

  /** A box without an owner, and a folder with a backup of another box. */
  async function newBox(t: TestContext) {
    const folder = folderFor(t)
    const order = { data: owned.data, folder, now: monday, version: '9.8.7', reason: 'asked' } as const
    const { name } = await makeBackup(order)
    const box = await startAppliance({ sample: false })
    t.after(() => box.stop())
    const act = (action: string, body: object) =>
      box.ask('POST', `${restores}/actions/${action}-on-new-box`, { token: null, body })
    const code = box.appliance.pairingCode!
    return { box, folder, name, act, code }
  }

  async function opened(box: TestAppliance, { body }: Reply): Promise<Reply['body']> {
    const { id, attributes } = body.data
    assert.equal(attributes.state, 'waiting-for-key')
    await box.ask('POST', `${restores}/${id}/actions/open`, { token: null, body: { recoveryKey: identity } })
    for (;;) {
      const found = (await box.ask('GET', `${restores}/${id}`, { token: null })).body.data.attributes
      if (found.state !== 'opening') return found
      await passTime(100)
    }
  }

  const far = {
    s3: s3Server,
    webdav: webdavServer,
    sftp: sftpServer,
    folder: async (_: TestContext, folder: string) => ({ url: pathToFileURL(folder).href }),
  }
  for (const [kind, serve] of Object.entries(far))
    it(`from a target of the kind ${kind}, whose secret is not stored`, async (t) => {
      const { box, folder, name, act, code } = await newBox(t)
      const { url, ...secrets } = await serve(t, folder)
      const { user, secret, hostKey } = secrets as Record<string, string | undefined>
      const target = {
        kind,
        url,
        ...(user && { user }),
        ...(secret && { secret }),
        ...(hostKey && { hostKey }),
      }
      const listed = await act('list', { code, target })
      const [{ attributes }] = listed.body.data
      assert.deepEqual([attributes.name, listed.body.meta.unreachable], [name, []])
      const found = await opened(box, await act('begin', { code, target, backup: attributes.backup }))
      assert.partialDeepStrictEqual(found, { state: 'ready', contents: { property: 'Hotel Sample' } })
      const files = readdirSync(box.data, { recursive: true, withFileTypes: true }).filter((each) =>
        each.isFile(),
      )
      assert.ok(files.length > 3)
      for (const each of files)
        assert.ok(!secret || !readFileSync(join(each.parentPath, each.name)).includes(secret), each.name)
    })

  it('from a place of the box, such as a stick', async (t) => {
    const { box, folder, name, act, code } = await newBox(t)
    mkdirSync(join(box.data, 'backups'), { recursive: true })
    copyFileSync(join(folder, name), join(box.data, 'backups', name))
    const { place, backup } = (await act('list', { code })).body.data[0].attributes
    assert.equal((await opened(box, await act('begin', { code, place, backup }))).state, 'ready')
  })

  it('whose settings a person has damaged', async (t) => {
    const settings = join(owned.data, 'nightporter.json')
    writeFileSync(settings, '{ "logLevel": "debug", }')
    t.after(() => rmSync(settings))
    const { box, folder, name, act, code } = await newBox(t)
    mkdirSync(join(box.data, 'backups'), { recursive: true })
    copyFileSync(join(folder, name), join(box.data, 'backups', name))
    const begun = await act('begin', { code, place: 'box', backup: name.replace('.tar.gz.age', '') })
    assert.partialDeepStrictEqual(await opened(box, begun), { state: 'ready', problem: null })
    await box.ask('POST', `${restores}/${begun.body.data.id}/actions/apply`, { token: null })
    await box.appliance.replaced
    await box.restart()
    assert.ok(!existsSync(join(box.data, 'nightporter.json')))
  })

  it('whose target was lost while it was fetched, and then goes on with the same key', async (t) => {
    const { box, folder, name, act, code } = await newBox(t)
    const content = readFileSync(join(folder, name))
    let isCut = true
    const begins: number[] = []
    const server = createServer(({ method, headers }, response) => {
      if (method !== 'GET')
        return void response
          .writeHead(207)
          .end(
            `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/${name}</d:href><d:getcontentlength>${content.length}</d:getcontentlength></d:response></d:multistatus>`,
          )
      const from = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0)
      begins.push(from)
      response.writeHead(from > 0 ? 206 : 200, {
        'Content-Length': content.length - from,
        'Content-Range': `bytes ${from}-${content.length - 1}/${content.length}`,
      })
      if (!isCut) return void response.end(content.subarray(from))
      response.write(content.subarray(from, 2_000), () => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const target = { kind: 'webdav', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
    const begun = await act('begin', { code, target, backup: name.replace('.tar.gz.age', '') })
    const lost = await opened(box, begun)
    assert.partialDeepStrictEqual(lost, { state: 'waiting-for-key' })
    assert.notEqual(lost.problem, null)
    assert.equal(lost.log.at(-1).step, 'not-fetched')
    isCut = false
    assert.equal((await opened(box, begun)).state, 'ready')
    assert.ok(begins.at(-1)! > 0, 'it goes on where the line was lost')
    await box.restart()
    const { state, problem } = (await box.ask('GET', `${restores}/${begun.body.data.id}`, { token: null }))
      .body.data.attributes
    assert.equal(state, 'failed', 'nobody is asked for 24 words that would open nothing')
    assert.match(problem, /started again/)
  })

  it('takes no more of a target than the backup has, and nothing for which the disk has no space', async (t) => {
    const { box, name, act, code } = await newBox(t)
    let announced = 1_000
    const server = createServer(({ method }, response) => {
      if (method === 'GET') return void response.end(Buffer.alloc(5_000_000))
      response
        .writeHead(207)
        .end(
          `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/${name}</d:href><d:getcontentlength>${announced}</d:getcontentlength></d:response></d:multistatus>`,
        )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const begin = async () =>
      opened(
        box,
        await act('begin', {
          code,
          target: { kind: 'webdav', url },
          backup: name.replace('.tar.gz.age', ''),
        }),
      )
    const failed = await begin()
    assert.match(failed.problem, /sent more than the 1000 bytes/)
    assert.ok(statSync(join(box.data, 'restore.upload')).size <= 1_000)
    announced = 1e15
    assert.match((await begin()).problem, /There is no space for the file/)
  })

  it('says why a target cannot be read', async (t) => {
    const { act, code } = await newBox(t)
    const closed = { kind: 'webdav', url: 'http://127.0.0.1:1/' }
    const { body } = await act('list', { code, target: closed })
    assert.match(body.meta.unreachable[0].problem, /cannot be used/)
    const open = await act('list', { code, target: { kind: 's3', url: 'http://s3.example.com/hotel' } })
    assert.match(open.body.errors[0].detail, /unencrypted over the internet/)
  })

  it('for the one with the pairing code alone', async (t) => {
    const { act } = await newBox(t)
    const code = '00000000'
    assert.equal((await act('list', { code })).status, 401)
    assert.equal((await act('begin', { code, place: 'box', backup: 'any' })).status, 401)
  })

  it('only while it belongs to nobody', async (t) => {
    const { box, act, code } = await newBox(t)
    const owner = { code, name: 'Ida', password: 'three hopping hares', station: 'Desk' }
    const claimed = await box.ask('POST', '/api/v2/session/actions/claim', { token: null, body: owner })
    assert.ok(claimed.status < 300, claimed.text)
    assert.equal((await act('list', { code })).body.errors[0].code, 'already-claimed')
  })
})
