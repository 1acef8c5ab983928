import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { generateX25519Identity } from 'age-encryption'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { monday, type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { browserAt, codeOf } from '../auth/sessions/browser.ts'
import { passTime } from '../test-clock.ts'
import { folderFor, identity, withKey } from './recovery.ts'

const restores = '/api/config/v1/restores'

describe('a restore over the network', () => {
  let house: TestAppliance
  let content: Buffer
  before(async () => {
    house = await startAppliance()
    withKey(house.data)
    const folder = join(house.data, 'backups')
    const order = { data: house.data, folder, now: monday, version: '9.8.7', reason: 'asked' } as const
    content = readFileSync(join(folder, (await makeBackup(order)).name))
    house.clock.advance(1_000)
    assert.equal((await house.ask('POST', '/api/v2/units', { body: { name: 'Later' } })).status, 201)
  })
  after(() => house.stop())

  const of = ({ body }: Reply) => body.data.attributes
  const read = (id: string) => house.ask('GET', `${restores}/${id}`, { token: null })
  const send = (id: string, offset: number, bytes: Uint8Array) =>
    house.during(
      fetch(`${house.appliance.url}${restores}/${id}/content?offset=${offset}`, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: bytes,
      }),
    )
  const act = (id: string, action: string, body?: object) =>
    house.ask('POST', `${restores}/${id}/actions/${action}`, { token: null, ...(body && { body }) })

  /** What the restore comes to after it was `opening`. */
  async function opened(id: string) {
    for (;;) {
      const found = of(await read(id))
      if (found.state !== 'opening') return found
      await passTime(100)
    }
  }

  async function uploaded(): Promise<string> {
    const body = { name: 'a.tar.gz.age', bytes: content.length }
    const { id } = (await house.ask('POST', restores, { body })).body.data
    assert.equal((await send(id, 0, content)).status, 200)
    return id
  }

  const hasLater = async () =>
    (await house.ask('GET', '/api/v2/units?filter[name]=Later')).body.data.length === 1

  it('is as before when the disk does not take a step of it, and goes on when it does', async () => {
    const id = await uploaded()
    const full = join(house.data, 'restore.json.new')
    symlinkSync('/dev/full', full)
    const refused = await act(id, 'open', { recoveryKey: identity })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [503, 'storage-full'])
    assert.equal(of(await read(id)).state, 'waiting-for-key')
    rmSync(full)
    assert.equal((await act(id, 'open', { recoveryKey: identity })).status, 202)
    assert.equal((await opened(id)).state, 'ready')
  })

  it('takes a file in parts over a restart, opens it with the right key alone, and replaces when it is confirmed', async () => {
    const begun = await house.ask('POST', restores, { body: { name: 'a.tar.gz.age', bytes: content.length } })
    assert.equal(begun.status, 201)
    const { id } = begun.body.data
    assert.match(id, /^[0-9a-f]{32}$/)
    assert.equal(begun.headers.get('location'), `${restores}/${id}`)
    const half = content.length >> 1
    assert.equal((await send(id, 0, content.subarray(0, half))).status, 200)
    await house.restart()
    assert.partialDeepStrictEqual(of(await read(id)), { state: 'receiving', bytes: half })
    const wrong = await send(id, 0, content)
    const { errors } = (await wrong.json()) as { errors: [{ meta: { received: number } }] }
    assert.deepEqual([wrong.status, errors[0].meta.received], [409, half])
    assert.equal((await act(id, 'open', { recoveryKey: identity })).status, 409, 'it is not whole')
    assert.equal((await send(id, half, content.subarray(half))).status, 200)

    const another = await generateX25519Identity()
    assert.equal((await act(id, 'open', { recoveryKey: another })).status, 202)
    const refused = await opened(id)
    assert.equal(refused.state, 'waiting-for-key')
    assert.match(refused.problem, /encrypted to another key/)
    const headers = { 'Accept-Language': 'fr' }
    const inFrench = of(await house.ask('GET', `${restores}/${id}`, { token: null, headers }))
    assert.match(inFrench.problem, /^La clé de récupération n’ouvre pas .*restore\.upload/)
    assert.equal((await act(id, 'apply')).status, 409, 'nothing was opened')

    await act(id, 'open', { recoveryKey: identity })
    const ready = await opened(id)
    assert.partialDeepStrictEqual(ready, {
      state: 'ready',
      problem: null,
      contents: { property: 'Hotel Sample', version: '9.8.7' },
      losses: { changes: { unit: 1 } },
    })
    assert.equal(await hasLater(), true, 'the property goes on until the restore is confirmed')
    assert.equal((await act(id, 'apply')).status, 202)
    await house.appliance.replaced
    assert.equal((await house.ask('DELETE', `${restores}/${id}`, { token: null })).status, 409)
    await house.restart()
    const done = of(await read(id))
    assert.partialDeepStrictEqual(done, { state: 'done', unitsToCheck: 40 })
    assert.deepEqual(
      done.log.map(({ step }: { step: string }) => step),
      ['begun', 'received', 'opening', 'refused', 'opening', 'opened', 'confirmed', 'done'],
    )
    assert.equal(await hasLater(), false)
    assert.ok(!existsSync(join(house.data, 'restore.upload')))
  })

  it('goes on for no browser whose session is locked', async () => {
    const id = await uploaded()
    const ida = browserAt(house)
    await ida.act('start-demo', { account: 'Ida' })
    await ida.act('lock')
    const path = `${restores}/${id}`
    for (const [method, at] of [
      ['POST', '/actions/open'],
      ['POST', '/actions/apply'],
      ['DELETE', ''],
    ] as const) {
      const body = at === '/actions/open' ? { recoveryKey: identity } : undefined
      const reply = await ida.ask(method, path + at, { ...(body && { body }) })
      assert.deepEqual([reply.status, codeOf(reply)], [403, 'session-locked'], at)
    }
    assert.equal((await ida.get(path)).status, 200, 'its progress')
    assert.equal(of(await read(id)).state, 'waiting-for-key')
    assert.equal((await house.ask('DELETE', path, { token: null })).status, 204)
  })

  it('waits for the key again after a power cut, and a canceled one leaves nothing', async () => {
    const id = await uploaded()
    await act(id, 'open', { recoveryKey: identity })
    assert.equal((await opened(id)).state, 'ready')
    await house.restart()
    const { state, log } = of(await read(id))
    assert.deepEqual([state, log.at(-1).step], ['waiting-for-key', 'interrupted'])
    assert.equal((await house.ask('DELETE', `${restores}/${id}`, { token: null })).status, 204)
    for (const name of ['restore.upload', 'restore.part']) assert.ok(!existsSync(join(house.data, name)))
    assert.equal(of(await read(id)).state, 'canceled')
  })

  it('is canceled while a part arrives, which then changes nothing, also not the next restore', async () => {
    const body = { name: 'a.tar.gz.age', bytes: content.length }
    const { id } = (await house.ask('POST', restores, { body })).body.data
    const half = content.length >> 1
    let last = () => {}
    const slow = new ReadableStream({
      start(stream) {
        stream.enqueue(content.subarray(0, half))
        last = () => {
          stream.enqueue(content.subarray(half))
          stream.close()
        }
      },
    })
    const part = fetch(`${house.appliance.url}${restores}/${id}/content?offset=0`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: slow,
      duplex: 'half',
    })
    while (of(await read(id)).bytes !== half) await passTime(10)
    // The client has lost its line and sends again, while the box still waits for the rest of the first part.
    const again = await send(id, half, content.subarray(half))
    const { errors } = (await again.json()) as { errors: [{ meta?: { received: number } }] }
    assert.deepEqual([again.status, errors[0].meta?.received], [409, half])
    assert.equal((await house.ask('DELETE', `${restores}/${id}`, { token: null })).status, 204)
    const next = await uploaded()
    last()
    assert.equal((await house.during(part)).status, 409)
    assert.equal(of(await read(next)).state, 'waiting-for-key')
    await act(next, 'open', { recoveryKey: identity })
    assert.equal((await opened(next)).state, 'ready')
  })

  it('asks for the key after a power cut between the last byte and its record', async () => {
    const body = { name: 'a.tar.gz.age', bytes: content.length }
    const { id } = (await house.ask('POST', restores, { body })).body.data
    await house.restart(() => writeFileSync(join(house.data, 'restore.upload'), content))
    const { state, log } = of(await read(id))
    assert.deepEqual([state, log.at(-1).step], ['waiting-for-key', 'received'])
  })

  it('tells nobody its id who reads the log, also when the line is lost in a part', async () => {
    const { id } = (await house.ask('POST', restores, { body: { name: 'a', bytes: 1_000 } })).body.data
    const lost = new AbortController()
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) })
    const part = fetch(`${house.appliance.url}${restores}/${id}/content?offset=0`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/octet-stream' },
      body,
      duplex: 'half',
      signal: lost.signal,
    })
    while (of(await read(id)).bytes !== 10) await passTime(10)
    lost.abort()
    await assert.rejects(part)
    const rest = async () => (await send(id, 10, new Uint8Array(990))).status
    while ((await rest()) !== 200) await passTime(10)
    const log = await house.ask('GET', '/api/config/v1/log?filter[level]=debug&page[size]=100')
    assert.match(log.text, /restore of a backup/)
    assert.doesNotMatch(log.text, new RegExp(id))
    assert.doesNotMatch(log.text, /answered 500/)
  })

  it('says that a file is no backup before it asks for the key', async () => {
    const text = Buffer.from('# Recovery sheet Hotel Sample')
    const { id } = (await house.ask('POST', restores, { body: { name: 'sheet.txt', bytes: text.length } }))
      .body.data
    assert.equal((await send(id, 0, text)).status, 200)
    const { state, problem } = of(await read(id))
    assert.deepEqual(
      [state, problem],
      ['failed', 'sheet.txt is not a backup. Choose a file that ends in .tar.gz.age.'],
    )
    assert.ok(!existsSync(join(house.data, 'restore.upload')))
  })

  it('takes a backup that lies on the box, and fails for a damaged one', async () => {
    const [kept] = (await house.ask('GET', '/api/config/v1/restorable-backups')).body.data
    assert.partialDeepStrictEqual(kept.attributes, { place: 'box', bytes: content.length })
    const { place, backup } = kept.attributes
    const { id, attributes } = (await house.ask('POST', restores, { body: { place, backup } })).body.data
    assert.equal(attributes.state, 'waiting-for-key')
    await act(id, 'open', { recoveryKey: identity })
    assert.equal((await opened(id)).state, 'ready')
    content = Buffer.from(content)
    content[content.length >> 1]! ^= 1
    const next = await uploaded()
    assert.equal((await read(id)).status, 404, 'a new one replaces it')
    await act(next, 'open', { recoveryKey: identity })
    assert.partialDeepStrictEqual(await opened(next), { state: 'failed' })
  })

  it('says that the backup is of another property, which replaces all of this one', async (t) => {
    const other = await startAppliance()
    t.after(() => other.stop())
    withKey(other.data)
    const folder = folderFor(t)
    // It is newer than all that happened here: nothing has changed since.
    const now = house.clock.now() + 60_000
    const order = { data: other.data, folder, now, version: '9.8.7', reason: 'asked' } as const
    const whole = content
    content = readFileSync(join(folder, (await makeBackup(order)).name))
    const id = await uploaded()
    content = whole
    await act(id, 'open', { recoveryKey: identity })
    assert.partialDeepStrictEqual(await opened(id), {
      state: 'ready',
      contents: { property: 'Hotel Sample', replaces: 'Hotel Sample' },
    })
    const own = (await house.ask('GET', '/api/config/v1/restorable-backups')).body.data[0].attributes
    const body = { place: own.place, backup: own.backup }
    const same = (await house.ask('POST', restores, { body })).body.data.id
    await act(same, 'open', { recoveryKey: identity })
    assert.partialDeepStrictEqual(await opened(same), { state: 'ready', contents: { replaces: null } })
  })

  it('is for administrators alone, and asks a person for the password', async () => {
    const body = { name: 'a', bytes: 1 }
    const token = (
      await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'i', role: 'installer' } })
    ).body.meta.token
    assert.equal((await house.ask('POST', restores, { body, token })).status, 403)
    const begun = await house.ask('POST', '/api/v2/session/actions/start-demo', {
      token: null,
      body: { account: 'Ida' },
    })
    const headers = {
      Cookie: begun.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; '),
      Origin: house.appliance.url,
    }
    house.clock.advance(10 * 60_000)
    const refused = await house.ask('POST', restores, { body, token: null, headers })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [403, 'reauthentication-required'])
    assert.equal((await read('0'.repeat(32))).status, 404)
  })
})

it('a backup is made while its client does something else, and says how far it is', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const jobs = '/api/config/v1/backup-jobs'
  const ask = () =>
    house.ask('POST', '/api/config/v1/backups', { headers: { Prefer: 'respond-async, wait=1' } })
  const failing = await ask()
  assert.equal(failing.status, 202)
  const at = failing.headers.get('location') ?? ''
  const ended = async (path: string) => {
    for (;;) {
      const { attributes } = (await house.ask('GET', path)).body.data
      if (attributes.state !== 'making') return attributes
      await passTime(100)
    }
  }
  assert.match((await ended(at)).problem, /has no recovery key/)
  const inFrench = await house.ask('GET', at, { headers: { 'Accept-Language': 'fr' } })
  assert.match(inFrench.body.data.attributes.problem, /n’a pas de clé de récupération/)
  withKey(house.data)
  const made = await ask()
  assert.deepEqual(
    [made.headers.get('preference-applied'), made.body.data.attributes.state],
    ['respond-async', 'making'],
  )
  assert.equal((await house.ask('POST', '/api/config/v1/backups')).status, 409)
  const { state, backup } = await ended(`${jobs}/${made.body.data.id}`)
  const [kept] = (await house.ask('GET', '/api/config/v1/backups')).body.data
  assert.deepEqual([state, backup], ['done', kept.id])
  assert.equal((await house.ask('GET', jobs)).body.data[0].id, made.body.data.id)
  assert.equal((await house.ask('GET', at)).status, 404, 'only the newest is kept')
})

it('a box that belongs to nobody restores with its pairing code, and then belongs to the owner of the backup', async (t) => {
  const owned = await startAppliance()
  t.after(() => owned.stop())
  withKey(owned.data)
  const folder = folderFor(t)
  const order = { data: owned.data, folder, now: monday, version: '9.8.7', reason: 'asked' } as const
  const { name } = await makeBackup(order)
  const content = readFileSync(join(folder, name))
  const box = await startAppliance({ sample: false })
  t.after(() => box.stop())
  const begin = (code: string) =>
    box.ask('POST', `${restores}/actions/begin-on-new-box`, {
      token: null,
      body: { code, name, bytes: content.length },
    })
  const code = box.appliance.pairingCode!
  assert.equal((await begin('00000000')).status, 401)
  const { id } = (await begin(code)).body.data
  assert.equal(box.appliance.pairingCode, code, 'another may still be set up')
  await box.during(
    fetch(`${box.appliance.url}${restores}/${id}/content?offset=0`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: content,
    }),
  )
  await box.ask('POST', `${restores}/${id}/actions/open`, { token: null, body: { recoveryKey: identity } })
  while (
    (await box.ask('GET', `${restores}/${id}`, { token: null })).body.data.attributes.state === 'opening'
  )
    await passTime(100)
  assert.equal((await box.ask('POST', `${restores}/${id}/actions/apply`, { token: null })).status, 202)
  await box.appliance.replaced
  await box.restart()
  assert.equal((await box.ask('GET', '/api/v2/units?filter[name]=101')).body.data.length, 1)
  const session = await box.ask('GET', '/api/v2/session', { token: null })
  assert.equal(session.body.data.attributes.claimable, false)
})
