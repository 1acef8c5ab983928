import assert from 'node:assert/strict'
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openTarget } from '../../../src/backup/targets/open-target.ts'
import { startAppliance } from '../../appliance.ts'
import { folderFor, withKey } from '../recovery.ts'
import { s3Server, sftpServer } from './servers.ts'

const path = '/api/config/v1/backup-targets'

it('sends each backup to its targets, proves it there, and tells when a target fails', async (t) => {
  const there = folderFor(t)
  const far = await s3Server(t, there)
  const house = await startAppliance()
  t.after(() => house.stop())
  const { ask, data } = house
  withKey(data)
  const { url, user, secret } = far
  const made = await ask('POST', path, { body: { name: 'Bucket', kind: 's3', url, user, secret } })
  assert.equal(made.status, 201, made.text)
  assert.ok(!made.text.includes(secret))
  const one = `${path}/${made.body.data.id}`
  const attributes = async () => (await ask('GET', one)).body.data.attributes
  const none = await ask('POST', `${one}/actions/send`)
  assert.equal(none.body.errors[0].code, 'backup-refused')

  const { body: backup } = await ask('POST', '/api/config/v1/backups')
  assert.equal((await ask('POST', `${one}/actions/send`)).status, 200)
  const backups = () => readdirSync(there).filter((name) => name.endsWith('.tar.gz.age'))
  assert.deepEqual(backups(), [backup.data.attributes.name])
  const { verifiedBackup, verifiedAt, problem } = await attributes()
  assert.deepEqual([verifiedBackup, problem], [backup.data.id, null])
  assert.ok(verifiedAt)
  const listed = await ask('GET', `${one}/backups`)
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: string }) => id),
    [backup.data.id],
  )
  const places = await ask('GET', '/api/config/v1/restorable-backups')
  assert.ok(
    places.body.data.some(({ id }: { id: string }) => id === `${made.body.data.id}.${backup.data.id}`),
  )

  // Another address needs the secret again, so that nobody has it sent to an address of their own.
  const moved = await ask('PATCH', one, { body: { url: `${url}/other` } })
  assert.equal(moved.body.errors[0].source.pointer, '/data/attributes/secret')
  assert.ok((await ask('PATCH', one, { body: { secret: 'wrong' } })).status < 300)
  const refused = await ask('POST', `${one}/actions/send`)
  assert.match(refused.body.errors[0].detail, /403 SignatureDoesNotMatch .*Check user and secret/)
  assert.equal((await attributes()).problem, refused.body.errors[0].detail)
  const inGerman = { headers: { 'Accept-Language': 'de' } }
  const german = /^Bucket antwortete 403 SignatureDoesNotMatch auf GET .*\. Prüfen Sie Benutzer und Geheimnis/
  assert.match((await ask('POST', `${one}/actions/send`, inGerman)).body.errors[0].detail, german)
  assert.match((await ask('GET', one, inGerman)).body.data.attributes.problem, german)
  assert.match((await ask('GET', path, inGerman)).body.data[0].attributes.problem, german)
  const unreachable = (await ask('GET', '/api/config/v1/restorable-backups', inGerman)).body.meta.unreachable
  assert.match(unreachable[0].problem, german)
  const status = await ask('GET', '/api/v2/status')
  assert.equal(status.body.data.attributes.checks['storage:backup'][0].status, 'warn')
  assert.ok((await ask('PATCH', one, { body: { secret } })).status < 300)
  assert.equal((await ask('POST', `${one}/actions/send`)).status, 200)
  const events = await ask(
    'GET',
    '/api/v2/events?filter[type]=system.backup-target-failed,system.backup-target-well',
  )
  const told = [...events.text.matchAll(/system\.backup-target-(failed|well)"/g)].map(([, what]) => what)
  assert.deepEqual([...new Set(told)], ['failed', 'well'])
  assert.match(events.text, /SignatureDoesNotMatch/)
})

it('sends a secret without TLS to the local network only, not to a name that begins like its addresses', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const tried = async (host: string) => {
    const body = {
      name: host,
      kind: 'webdav',
      url: `http://${host}/backups`,
      user: 'box',
      secret: 'of the NAS',
    }
    return (await house.ask('POST', `${path}?dryRun=true`, { body })).status
  }
  for (const host of [
    '10.example.com',
    '127.0.0.1.example.com',
    'localhost.example.com',
    '192.168.example.com',
  ])
    assert.equal(await tried(host), 422, host)
  for (const host of [
    '10.0.0.5',
    '127.0.0.1:8080',
    'localhost',
    '192.168.1.9',
    '172.16.0.1',
    '[::1]',
    'nas.local',
  ])
    assert.equal(await tried(host), 201, host)
})

it('says in every language why a target cannot be used', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  withKey(house.data)
  await house.ask('POST', '/api/config/v1/backups')
  const { url, user, hostKey } = await sftpServer(t, folderFor(t))
  const nas = { name: 'NAS', user, secret: 'wrong' }
  const says: [target: object, language: string, text: string][] = [
    [{ ...nas, kind: 'webdav', url: 'http://127.0.0.1:2/b' }, 'fr', 'NAS (127.0.0.1:2) ne répond pas.'],
    [{ ...nas, kind: 'folder', url: 'file:///nowhere/b' }, 'pt', '/nowhere/b de NAS não existe.'],
    [{ ...nas, kind: 'sftp', url }, 'de', `NAS zeigt den Host-Schlüssel ${hostKey}. Bestätigt`],
    [{ ...nas, kind: 'sftp', url, hostKey }, 'es', `NAS (${new URL(url).host}) rechaza el acceso.`],
  ]
  for (const [target, language, text] of says) {
    const made = await house.ask('POST', path, { body: target })
    assert.equal(made.status, 201, made.text)
    const one = `${path}/${made.body.data.id}`
    const { errors } = (
      await house.ask('POST', `${one}/actions/send`, { headers: { 'Accept-Language': language } })
    ).body
    assert.ok(errors[0].detail.startsWith(text), errors[0].detail)
    assert.equal((await house.ask('DELETE', one)).status, 204)
  }
})

it('speaks SFTP in the bundle', async (t) => {
  const there = folderFor(t)
  const { url, user, secret, hostKey } = await sftpServer(t, there)
  const house = await startAppliance()
  t.after(() => house.stop())
  withKey(house.data)
  await house.ask('POST', '/api/config/v1/backups')
  const made = await house.ask('POST', path, {
    body: { name: 'NAS', kind: 'sftp', url, user, secret, hostKey },
  })
  const sent = await house.ask('POST', `${path}/${made.body.data.id}/actions/send`)
  assert.equal(sent.status, 200, sent.text)
  assert.equal(readdirSync(there).filter((name) => name.endsWith('.tar.gz.age')).length, 1)
})

it('ends in S3 what an older backup has left of its upload', async (t) => {
  const [box, there] = [folderFor(t), folderFor(t)]
  const { cutAfter, url, user, secret, open } = await s3Server(t, there)
  const settings = { name: 'Bucket', kind: 's3', url, user, secret, hostKey: null, region: null } as const
  const target = await openTarget(settings)
  const send = (day: number, bytes: number) => {
    const name = `nightporter-2026-06-0${day}T033000000Z-nightly.tar.gz.age`
    writeFileSync(join(box, name), Buffer.alloc(bytes, day))
    return target.send(join(box, name), name, { bytes, signal: new AbortController().signal, sent() {} })
  }
  cutAfter(9 * 1_048_576)
  await assert.rejects(send(2, 10 * 1_048_576))
  assert.equal(open().length, 1)
  await send(1, 1_000)
  assert.equal(open().length, 1, 'a newer one may go on')
  await send(3, 1_000)
  assert.deepEqual(open(), [])
  for (const day of [4, 5]) {
    cutAfter(9 * 1_048_576)
    await assert.rejects(send(day, 10 * 1_048_576))
    assert.equal(open().length, 1, 'also where none is sent to its end')
  }
})

it('lists a folder whose files come and go', async (t) => {
  const there = folderFor(t)
  writeFileSync(join(there, 'here'), 'four')
  // To the system it is a file that is gone by the time its size is read.
  symlinkSync('nothing', join(there, 'gone'))
  const url = pathToFileURL(there).href
  const settings = { name: 'Cellar', kind: 'folder', url, user: null, secret: null } as const
  const target = await openTarget({ ...settings, hostKey: null, region: null })
  assert.deepEqual(await target.list(), [{ name: 'here', bytes: 4 }])
})
