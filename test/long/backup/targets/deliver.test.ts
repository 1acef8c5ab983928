import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { BackupRefused } from '../../../../src/backup/backup-refused.ts'
import { type DeliveryTask, deliver } from '../../../../src/backup/targets/deliver.ts'
import type { TargetKind } from '../../../../src/backup/targets/target.ts'
import { targetSource } from '../../../../src/backup/targets/target-source.ts'
import { folderFor } from '../../../backup/recovery.ts'
import { type FarEnd, s3Server, sftpServer, webdavServer } from '../../../backup/targets/servers.ts'

const name = 'nightporter-2026-06-01T033000000Z-nightly.tar.gz.age'
const megabyte = 1_048_576
const size = 12 * megabyte
const how = { signal: new AbortController().signal, progress: () => {} }

const servers: Partial<Record<TargetKind, (t: TestContext, folder: string) => Promise<FarEnd>>> = {
  s3: s3Server,
  webdav: webdavServer,
  sftp: sftpServer,
}

async function prepared(t: TestContext, kind: TargetKind, bytes = size) {
  const [box, there] = [folderFor(t), join(folderFor(t), 'there')]
  mkdirSync(there)
  const far = await servers[kind]?.(t, there)
  const file = join(box, name)
  writeFileSync(file, randomBytes(bytes))
  const { url, user, secret, hostKey } = far ?? {
    url: pathToFileURL(there).href,
    user: null,
    secret: null,
    hostKey: null,
  }
  const target = { name: 'Cellar', kind, url, user, secret, hostKey, region: null }
  const task: DeliveryTask = {
    target,
    file,
    identity: null,
    rules: null,
    zone: 'UTC',
    now: Date.UTC(2026, 5, 2),
  }
  return { far, there, file, task, at: join(there, name) }
}

for (const kind of ['folder', 's3', 'webdav', 'sftp'] as const)
  describe(`a target of the kind ${kind}`, () => {
    it('takes a backup whole, also after a line that was cut, and gives it back', async (t) => {
      const { far, file, task, at, there } = await prepared(t, kind)
      if (far) {
        far.cutAfter(10 * megabyte)
        await assert.rejects(deliver(task, how), BackupRefused)
        assert.ok(!existsSync(at), 'half a file has the name of a backup')
      }
      await deliver(task, how)
      assert.ok(readFileSync(at).equals(readFileSync(file)))
      assert.deepEqual(readdirSync(there), [name])
      // WebDAV begins again; the others go on, S3 with the part that was cut.
      const most = { folder: 0, webdav: 23, s3: 15, sftp: 13 }[kind] * megabyte
      assert.ok((far?.received() ?? 0) <= most, `${far?.received()} bytes were sent`)
      const source = targetSource('t', task.target.kind, () => task.target)
      const [found] = await source.list()
      const into = join(folderFor(t), 'fetched')
      await source.fetch(found!, { into, signal: how.signal, fetched: () => {} })
      assert.ok(readFileSync(into).equals(readFileSync(file)))
    })

    it('is not believed: a damaged backup is found, deleted there, and sent again', async (t) => {
      const { task, at } = await prepared(t, kind, megabyte)
      await deliver(task, how)
      const bytes = readFileSync(at)
      bytes[500_000]! ^= 1
      writeFileSync(at, bytes)
      await assert.rejects(deliver(task, how), /gave back other bytes than were sent/)
      assert.ok(!existsSync(at))
      await deliver(task, how)
      assert.ok(existsSync(at))
    })

    it('loses old backups by its rules, and nothing else', async (t) => {
      const { task, there } = await prepared(t, kind, 1_000)
      const old = ['05-30', '05-31', '04-02'].map(
        (day) => `nightporter-2026-${day}T033000000Z-nightly.tar.gz.age`,
      )
      for (const each of [...old, 'holiday.jpg', `${old[0]}.part`]) writeFileSync(join(there, each), 'x')
      await deliver({ ...task, rules: { daily: 1, weekly: 1, monthly: 3, megabytes: 100 } }, how)
      assert.deepEqual(readdirSync(there).sort(), ['holiday.jpg', old[2], old[1], name].sort())
    })
  })

describe('a target that refuses', () => {
  it('says what to do about a wrong secret', async (t) => {
    for (const kind of ['s3', 'webdav', 'sftp'] as const) {
      const { task } = await prepared(t, kind, 1_000)
      const wrong = { ...task, target: { ...task.target, secret: 'wrong' } }
      await assert.rejects(deliver(wrong, how), (error: Error) => {
        assert.ok(error instanceof BackupRefused)
        return /Check (user and secret|whether it is plugged in .* its credentials)/.test(error.message)
      })
    }
  })

  it('names the key of an SFTP server that it does not know, and sends nothing', async (t) => {
    const { task, far } = await prepared(t, 'sftp', 1_000)
    const unknown = { ...task, target: { ...task.target, hostKey: null } }
    await assert.rejects(deliver(unknown, how), {
      message: new RegExp(`set hostKey to ${far!.hostKey!.replaceAll(/[+/]/g, '.')}`),
    })
    assert.equal(far!.received(), 0)
  })

  it('names a folder that is not mounted, and does not make it', async (t) => {
    const { task, there } = await prepared(t, 'folder', 1_000)
    const missing = { ...task, target: { ...task.target, url: pathToFileURL(`${there}/stick`).href } }
    await assert.rejects(deliver(missing, how), /does not exist\. Plug in the stick/)
    assert.ok(!existsSync(`${there}/stick`))
  })
})
