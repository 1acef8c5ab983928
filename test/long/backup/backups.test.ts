import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Decrypter } from 'age-encryption'
import Database from 'better-sqlite3'
import { unpackTar } from 'modern-tar'
import { startAppliance, type TestAppliance, type TestOptions } from '../../appliance.ts'
import { folderFor, identity, withKey } from '../../backup/recovery.ts'
import { passTime } from '../../test-clock.ts'

const path = '/api/config/v1/backups'
const minute = 60_000

/** What any age tool, gzip and tar make of a backup. */
async function contentsOf(archive: Uint8Array): Promise<Map<string, Uint8Array>> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  const entries = await unpackTar(gunzipSync(await decrypter.decrypt(archive)))
  return new Map(entries.map(({ header, data }) => [header.name, data ?? new Uint8Array()]))
}

async function house(t: TestContext, options: TestOptions = {}): Promise<TestAppliance> {
  const appliance = await startAppliance(options)
  t.after(() => appliance.stop())
  withKey(appliance.data)
  return appliance
}

describe('a backup that an administrator asks for', () => {
  let appliance: TestAppliance
  before(async () => {
    appliance = await startAppliance()
    withKey(appliance.data)
  })
  after(() => appliance.stop())

  it('holds the database as it was, the vault key sealed once more, and what it is', async (t) => {
    const { ask, data, clock } = appliance
    writeFileSync(join(data, 'nightporter.json'), '{"logLevel":"silent"}')
    const made = await ask('POST', path)
    assert.equal(made.status, 201, made.text)
    const { id, attributes } = made.body.data
    assert.deepEqual([attributes.reason, attributes.takenAt], ['asked', new Date(clock.now()).toISOString()])
    const file = readFileSync(join(data, 'backups', attributes.name))
    assert.deepEqual(
      [file.length, file.subarray(0, 21).toString()],
      [attributes.bytes, 'age-encryption.org/v1'],
    )
    assert.ok(!file.includes('SQLite format') && !file.includes(readFileSync(join(data, 'secret.key'))))
    assert.equal(made.headers.get('location'), `${path}/${id}/content`)

    const contents = await contentsOf(file)
    assert.deepEqual(
      [...contents.keys()],
      ['manifest.json', 'nightporter.db', 'secret.key.age', 'nightporter.json', 'backup-recipients'],
    )
    const manifest = JSON.parse(Buffer.from(contents.get('manifest.json')!).toString())
    const live = new Database(join(data, 'nightporter.db'), { readonly: true })
    t.after(() => live.close())
    assert.partialDeepStrictEqual(manifest, {
      format: 1,
      schema: live.pragma('user_version', { simple: true }),
      property: 'Hotel Sample',
      reason: 'asked',
    })
    for (const { name, bytes, sha256 } of manifest.parts) {
      const part = contents.get(name)!
      assert.deepEqual([part.length, createHash('sha256').update(part).digest('hex')], [bytes, sha256], name)
    }
    const key = new Decrypter()
    key.addIdentity(identity)
    assert.deepEqual(
      Buffer.from(await key.decrypt(contents.get('secret.key.age')!)),
      readFileSync(join(data, 'secret.key')),
    )
    const copy = join(folderFor(t), 'copy.db')
    writeFileSync(copy, contents.get('nightporter.db')!)
    const [stored, present] = [copy, join(data, 'nightporter.db')].map((each) => {
      const db = new Database(each, { readonly: true })
      const rows = db.prepare('SELECT id, revision FROM stay ORDER BY rid').all()
      db.close()
      return rows
    })
    assert.ok(stored!.length > 10)
    assert.deepEqual(stored, present)
  })

  it('is in the list, in the status and in the journal, and can be downloaded as it lies', async () => {
    const { ask, data } = appliance
    const { body } = await ask('POST', path)
    const [newest] = (await ask('GET', path)).body.data
    assert.deepEqual(newest, body.data)
    const { storage } = (await ask('GET', '/api/v2/status')).body.data.attributes
    assert.equal(storage.lastBackupAt, newest.attributes.takenAt)
    const events = await ask('GET', '/api/v2/events?filter[type]=system.backup-completed')
    assert.partialDeepStrictEqual(events.body.data.at(-1).attributes.event.data, {
      reason: 'asked',
      bytes: newest.attributes.bytes,
    })
    const response = await fetch(`${appliance.appliance.url}${path}/${newest.id}/content`, {
      headers: { Authorization: 'Bearer demo', Accept: 'application/octet-stream' },
    })
    const downloaded = Buffer.from(await response.arrayBuffer())
    assert.deepEqual(downloaded, readFileSync(join(data, 'backups', newest.attributes.name)))
  })

  it('is made once for one idempotency key, and never on trial', async () => {
    const { ask } = appliance
    const headers = { 'Idempotency-Key': 'before-the-update' }
    const first = await ask('POST', path, { headers })
    const again = await ask('POST', path, { headers })
    assert.deepEqual([again.status, again.body.data.id], [201, first.body.data.id])
    assert.equal((await ask('POST', `${path}?dryRun=true`)).status, 400)
  })

  it('is for administrators alone, and never a file of another name', async () => {
    const { ask } = appliance
    for (const role of ['installer', 'frontdesk', 'auditor']) {
      const { body } = await ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })
      const { token } = body.meta
      assert.deepEqual(
        [(await ask('GET', path, { token })).status, (await ask('POST', path, { token })).status],
        [403, 403],
      )
    }
    for (const id of ['nothing', '..%2Fsecret.key', '..%2F..%2Fetc%2Fpasswd'])
      assert.equal((await ask('GET', `${path}/${id}/content`)).status, 404)
  })
})

describe('backups of a house that goes on', () => {
  it('hold each answered write or none of it, and keep nobody waiting', async (t) => {
    const { ask, data } = await house(t)
    let isMaking = true
    const making = ask('POST', path).finally(() => {
      isMaking = false
    })
    const written: string[] = []
    for (let count = 0; isMaking; count++) {
      const { status, body } = await ask('POST', '/api/v2/units', { body: { name: `B${count}` } })
      assert.equal(status, 201)
      written.push(body.data.id)
    }
    const { name } = (await making).body.data.attributes
    assert.ok(written.length > 0)
    const contents = await contentsOf(readFileSync(join(data, 'backups', name)))
    const copy = join(folderFor(t), 'copy.db')
    writeFileSync(copy, contents.get('nightporter.db')!)
    const db = new Database(copy, { readonly: true })
    t.after(() => db.close())
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    const units = db.prepare("SELECT count(*) FROM unit WHERE name GLOB 'B[0-9]*'").pluck().get() as number
    const lines = db
      .prepare("SELECT count(*) FROM journal WHERE type = 'unit.created'")
      .pluck()
      .get() as number
    const before = db
      .prepare("SELECT count(*) FROM unit WHERE name NOT GLOB 'B[0-9]*'")
      .pluck()
      .get() as number
    assert.equal(lines, units + before, 'a write and its line are one')
    assert.ok(units <= written.length)
  })

  it('are made in the night, once, and made up for after it', async (t) => {
    const { data, restart, ask, clock } = await house(t)
    const reasons = async () =>
      (await ask('GET', path)).body.data.map(
        ({ attributes }: { attributes: Record<string, string> }) =>
          `${attributes.takenAt!.slice(5, 13)} ${attributes.reason}`,
      )
    const later = async (minutes: number) => {
      clock.advance(minutes * minute)
      await passTime(1_000)
    }
    await later(2)
    assert.deepEqual(await reasons(), ['06-01T16 nightly'])
    await later(10 * 60)
    assert.deepEqual(await reasons(), ['06-01T16 nightly'])
    await later(45)
    assert.deepEqual(await reasons(), ['06-02T02 nightly', '06-01T16 nightly'])
    await restart()
    await later(60)
    assert.equal((await reasons()).length, 2)
    rmSync(join(data, 'backups'), { recursive: true })
    await later(20)
    assert.equal((await reasons()).length, 1)
  })
})

describe('a backup that cannot be made', () => {
  it('is refused without a recovery key, and the status says how to make one', async (t) => {
    const appliance = await startAppliance({ sample: false })
    t.after(() => appliance.stop())
    const { ask } = appliance
    const code = { code: appliance.appliance.pairingCode }
    const { token } = (await ask('POST', '/api/config/v1/pairing', { body: code, token: null })).body.meta
    const refused = await ask('POST', path, { token })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'backup-refused'])
    assert.match(refused.body.errors[0].detail, /nightporter backup key/)
    const { checks } = (await ask('GET', '/api/v2/status', { token })).body.data.attributes
    assert.match(checks['storage:backup'][0].output, /\/setup#\/system\/backups.*nightporter backup key/)
    await passTime(30 * minute)
    assert.deepEqual(
      readdirSync(appliance.data).filter((name) => name.includes('backup')),
      [],
    )
  })

  it('is told by the status until one is made again, and leaves the good ones where they are', async (t) => {
    const { ask, data } = await house(t)
    const output = async () => {
      await passTime(3_000)
      return (await ask('GET', '/api/v2/status')).body.data.attributes.checks['storage:backup'][0].output
    }
    assert.equal((await ask('POST', path)).status, 201)
    assert.equal(await output(), null)
    const folder = join(data, 'backups')
    const [good] = readdirSync(folder)
    rmSync(join(data, 'backup.work'), { recursive: true, force: true })
    writeFileSync(join(data, 'backup-recipients'), 'nobody\n')
    const refused = await ask('POST', path)
    assert.equal(refused.status, 409)
    assert.match(await output(), /line 1 is not an age recipient/)
    assert.deepEqual(readdirSync(folder), [good])
    rmSync(join(data, 'backup-recipients'))
    withKey(data)
    assert.equal((await ask('POST', path)).status, 201)
    assert.equal(await output(), null)
    assert.equal(readdirSync(folder).length, 2)
  })

  it('never gets a name when its database is damaged', async (t) => {
    const { ask, data } = await house(t)
    const db = new Database(join(data, 'nightporter.db'))
    db.pragma('wal_checkpoint(TRUNCATE)')
    // An index that has lost a row: found by integrity_check alone.
    db.unsafeMode()
    db.pragma('writable_schema = ON')
    db.prepare(
      "UPDATE sqlite_schema SET sql = replace(sql, 'ON unit (name)', 'ON unit (floor)') WHERE name = 'unit_name'",
    ).run()
    db.close()
    const refused = await ask('POST', path)
    assert.equal(refused.status, 409, refused.text)
    assert.match(refused.body.errors[0].detail, /damaged/)
    assert.deepEqual(readdirSync(join(data, 'backups')), [])
  })
})

describe('a second folder', () => {
  it('gets each backup, and what keeps it from that is told', async (t) => {
    const copyTo = join(folderFor(t), 'stick')
    const backup = { folder: null, copyTo, at: '03:30', daily: 7, weekly: 4, monthly: 12, megabytes: 64 }
    const { ask, data } = await house(t, { backup })
    const output = async () => {
      await passTime(3_000)
      return (await ask('GET', '/api/v2/status')).body.data.attributes.checks['storage:backup'][0].output
    }
    assert.equal((await ask('POST', path)).status, 201)
    assert.match(await output(), /stick does not exist, so there is no second copy of the backup/)
    mkdirSync(copyTo)
    const { name } = (await ask('POST', path)).body.data.attributes
    assert.deepEqual(
      readdirSync(copyTo).filter((each) => each.endsWith('.age') && !each.includes('-keys-')),
      [name],
    )
    assert.deepEqual(readFileSync(join(copyTo, name)), readFileSync(join(data, 'backups', name)))
    assert.equal(statSync(join(data, 'backups', name)).mode & 0o777, 0o600)
    // In this test both are on one disk.
    assert.match(await output(), /is on the same disk as the backups/)
  })

  it('on another disk counts when a backup is in it, also after a start', async (t) => {
    const data = folderFor(t)
    const otherDisk = ['/dev/shm', '/var/tmp', '/tmp'].find(
      (each) => statSync(each).dev !== statSync(data).dev,
    )!
    const copyTo = mkdtempSync(join(otherDisk, 'second-folder-'))
    t.after(() => rmSync(copyTo, { recursive: true }))
    const backup = { folder: null, at: '03:30', daily: 7, weekly: 4, monthly: 12, megabytes: 64 }
    let token: string | undefined
    /** The check, after as many backups. */
    const elsewhere = async (second: string | null, count: number) => {
      const appliance = await startAppliance({ data, sample: false, backup: { ...backup, copyTo: second } })
      withKey(data)
      const code = { body: { code: appliance.appliance.pairingCode }, token: null }
      token ??= (await appliance.ask('POST', '/api/config/v1/pairing', code)).body.meta.token as string
      for (let made = 0; made < count; made++)
        assert.equal((await appliance.ask('POST', path, { token })).status, 201)
      await passTime(3_000)
      const { body } = await appliance.ask('GET', '/api/v2/status', { token })
      await appliance.stop()
      const [{ status, messages }] = body.data.attributes.checks['storage:elsewhere']
      return [status, ...messages.map((each: { code: string }) => each.code)]
    }
    assert.deepEqual(await elsewhere(null, 1), ['warn', 'backup-nowhere-else'])
    assert.deepEqual(await elsewhere(copyTo, 0), ['warn', 'backup-not-elsewhere'])
    assert.deepEqual(await elsewhere(copyTo, 1), ['pass'])
    assert.deepEqual(await elsewhere(copyTo, 0), ['pass'])
  })
})
