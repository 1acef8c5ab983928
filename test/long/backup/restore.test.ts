import assert from 'node:assert/strict'
import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { generateX25519Identity } from 'age-encryption'
import Database from 'better-sqlite3'
import { makeBackup } from '../../../src/backup/archive/make-backup.ts'
import { BackupRefused } from '../../../src/backup/backup-refused.ts'
import { checkBackup, finishRestore, restoreBackup } from '../../../src/backup/restore/restore.ts'
import { unpackBackup } from '../../../src/backup/restore/unpack-backup.ts'
import { openDataFolder } from '../../../src/startup/data-folder.ts'
import { migrations } from '../../../src/store/migrate.ts'
import { monday, startAppliance, type TestAppliance } from '../../appliance.ts'
import { folderFor, identity, withKey } from '../../backup/recovery.ts'

const newest = migrations().length

let house: TestAppliance
/** The backup that is restored, and a data folder with a property that has changed since. */
let backup: string
let later: string

const own = ['nightporter.db', 'nightporter.db-wal', 'secret.key']

before(async () => {
  house = await startAppliance()
  withKey(house.data)
  const folder = join(house.data, 'backups')
  const order = { data: house.data, folder, now: monday, version: '9.8.7', reason: 'asked' } as const
  backup = join(folder, (await makeBackup(order)).name)
  assert.equal((await house.ask('POST', '/api/v2/units', { body: { name: 'Later' } })).status, 201)
  // As a power cut leaves it: what is newest lies in the log.
  later = join(house.data, 'later')
  mkdirSync(later)
  for (const name of own) cpSync(join(house.data, name), join(later, name))
})
after(() => house.stop())

/** A data folder of its own with the changed property. */
function changed(t: TestContext): string {
  const data = folderFor(t)
  cpSync(later, data, { recursive: true })
  return data
}

/** Whether the property is the one that was changed; throws when key and database are not those of one property. */
function isChanged(data: string): boolean {
  assert.ok(openDataFolder(data, null).isFounded)
  const db = new Database(join(data, 'nightporter.db'))
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    return db.prepare("SELECT count(*) FROM unit WHERE name = 'Later'").pluck().get() === 1
  } finally {
    db.close()
  }
}

describe('a restore', () => {
  it('replaces the property by that of the backup, and keeps the replaced files once', async (t) => {
    const data = changed(t)
    const manifest = await restoreBackup(data, backup, identity)
    const schema = new Database(join(data, 'nightporter.db'), { readonly: true }).pragma('user_version', {
      simple: true,
    })
    assert.partialDeepStrictEqual(manifest, { version: '9.8.7', property: 'Hotel Sample', schema })
    assert.equal(isChanged(data), false)
    assert.equal(statSync(join(data, 'secret.key')).mode & 0o777, 0o600)
    assert.equal(statSync(join(data, 'nightporter.db')).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(data, 'replaced')).sort(), own)
    assert.equal(isChanged(join(data, 'replaced')), true)
    await restoreBackup(data, backup, identity)
    assert.equal(isChanged(join(data, 'replaced')), false)
    assert.deepEqual(
      readdirSync(data).filter((name) => name.startsWith('restore')),
      [],
    )
  })

  it('fills an empty folder, with settings and recipients; existing settings stay', async (t) => {
    const [empty, set] = [folderFor(t), folderFor(t)]
    writeFileSync(join(set, 'backup-recipients'), '# mine\n')
    for (const data of [empty, set]) {
      await restoreBackup(data, backup, identity)
      assert.equal(isChanged(data), false)
    }
    assert.match(readFileSync(join(empty, 'backup-recipients'), 'utf8'), /age1/)
    assert.equal(readFileSync(join(set, 'backup-recipients'), 'utf8'), '# mine\n')
    assert.ok(!existsSync(join(empty, 'replaced')))
  })

  it('changes nothing when it only checks', async (t) => {
    const data = changed(t)
    await checkBackup(data, backup, identity)
    assert.deepEqual(
      [isChanged(data), readdirSync(data).filter((name) => !name.startsWith('nightporter.db'))],
      [true, ['secret.key']],
    )
  })
})

describe('a backup that cannot be restored', () => {
  async function refused(t: TestContext, file: string, key: string, words: RegExp): Promise<void> {
    const data = changed(t)
    await assert.rejects(restoreBackup(data, file, key), (error) => {
      assert.ok(error instanceof BackupRefused, String(error))
      assert.match(error.message, words)
      return true
    })
    assert.equal(isChanged(data), true)
    assert.ok(!existsSync(join(data, 'restore.part')) && !existsSync(join(data, 'replaced')))
  }

  it('is encrypted to another recovery key', async (t) =>
    refused(t, backup, await generateX25519Identity(), /was encrypted to another key/))

  it('is truncated, or has one changed bit, at any position', async (t) => {
    const bytes = readFileSync(backup)
    const broken = join(folderFor(t), 'broken.tar.gz.age')
    const places = [...Array(12).keys()].map((each) => Math.floor((bytes.length * (each + 0.5)) / 12))
    for (const place of places) {
      writeFileSync(broken, bytes.subarray(0, place))
      await refused(t, broken, identity, /cannot be read|damaged/)
      const flipped = Buffer.from(bytes)
      flipped[place]! ^= 1
      writeFileSync(broken, flipped)
      await refused(t, broken, identity, /cannot be read|damaged|another key/)
    }
  })

  it('is not a backup', async (t) => {
    const file = join(folderFor(t), 'notes.txt')
    writeFileSync(file, 'We are out of towels.')
    await refused(t, file, identity, /cannot be read/)
  })

  it('was made by a newer program, and the error names its version', async (t) => {
    const data = changed(t)
    const db = new Database(join(data, 'nightporter.db'))
    const next = newest + 1
    db.exec(`INSERT INTO migration (version, sha256) VALUES (${next}, 'x'); PRAGMA user_version = ${next}`)
    db.close()
    withKey(data)
    const order = { data, folder: data, now: monday, version: '77.0.0', reason: 'asked' } as const
    const { name } = await makeBackup(order)
    await refused(
      t,
      join(data, name),
      identity,
      /made by nightporter 77.0.0 .* Install nightporter 77.0.0 or newer/,
    )
  })
})

describe('a power cut during a restore', () => {
  /** The calls that change what lies on the disk, of the part that puts in place what was unpacked. */
  const writing = ['mkdirSync', 'renameSync', 'rmSync', 'fsyncSync'] as const

  /** Runs the work until so many calls have been made; then no further one happens. Answers whether it came to its end. */
  function cutAfter(calls: number, work: () => void): boolean {
    const own = Object.fromEntries(writing.map((name) => [name, fs[name]]))
    let left = calls
    const cut = new Error('no power')
    for (const name of writing) {
      const call = own[name] as (...args: unknown[]) => unknown
      Object.assign(fs, {
        [name](...args: unknown[]) {
          if (left-- <= 0) throw cut
          return call(...args)
        },
      })
    }
    syncBuiltinESMExports()
    try {
      work()
      return true
    } catch (error) {
      if (error !== cut) throw error
      return false
    } finally {
      Object.assign(fs, own)
      syncBuiltinESMExports()
    }
  }

  /** A data folder in which a backup was unpacked and checked, and nothing is decided yet. */
  async function unpacked(t: TestContext): Promise<string> {
    const data = changed(t)
    await unpackBackup(backup, identity, join(data, 'restore.part'))
    return data
  }

  it('leaves the old property before the restore is decided, and reports that', async (t) => {
    const data = await unpacked(t)
    assert.match(String(finishRestore(data)), /The property is unchanged/)
    assert.equal(isChanged(data), true)
    assert.equal(finishRestore(data), null)
  })

  it('leaves the new property once it is decided, after any number of further cuts', async (t) => {
    const whole = await unpacked(t)
    fs.mkdirSync(join(whole, 'restore.part', 'before'))
    fs.renameSync(join(whole, 'restore.part'), join(whole, 'restore.ready'))
    let isOver = false
    let calls = 0
    for (; !isOver; calls++) {
      const data = folderFor(t)
      cpSync(whole, data, { recursive: true })
      isOver = cutAfter(calls, () => finishRestore(data))
      // A second cut at every place that is left.
      for (let second = 0; !cutAfter(second, () => finishRestore(data)); second++) assert.ok(second < 60)
      finishRestore(data)
      assert.equal(isChanged(data), false, `cut after ${calls} calls`)
      assert.equal(isChanged(join(data, 'replaced')), true, `cut after ${calls} calls`)
      assert.deepEqual(
        readdirSync(data).filter((name) => name.startsWith('restore')),
        [],
      )
    }
    assert.ok(calls > 10, `${calls} places`)
  })

  it('is reported by the next start, which serves one of the two properties', async (t) => {
    const data = await unpacked(t)
    fs.mkdirSync(join(data, 'restore.part', 'before'))
    fs.renameSync(join(data, 'restore.part'), join(data, 'restore.ready'))
    const next = await startAppliance({ data })
    t.after(() => next.stop())
    assert.match(next.appliance.notes[0]!, /An interrupted restore was completed\. .* 2026-06-01T16/)
    const { body } = await next.ask('GET', '/api/v2/units?filter[name]=Later')
    assert.deepEqual(body.data, [])
  })
})
