import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import fs, { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { copyBackup } from '../../src/backup/second-copy.ts'
import { openTarget } from '../../src/backup/targets/open-target.ts'
import fc from '../seed.ts'
import { folderFor } from './recovery.ts'

const name = 'nightporter-2026-06-01T023000000Z-nightly.tar.gz.age'

type Call = 'chmodSync' | 'fchmodSync' | 'chownSync' | 'utimesSync' | 'linkSync' | 'renameSync' | 'fsyncSync'
const refusedByFat = [
  'chmodSync',
  'fchmodSync',
  'chownSync',
  'utimesSync',
  'linkSync',
  'copyFileSync',
] as const

/** The file system answers each of some calls with an error while the work is done, as FAT and failing sticks do. */
async function answering<T>(
  answers: Partial<
    Record<Call | 'copyFileSync' | 'writeSync' | 'openSync', (path: unknown) => string | null>
  >,
  work: () => Promise<T>,
): Promise<T> {
  const names = Object.keys(answers) as (keyof typeof answers)[]
  const own = Object.fromEntries(names.map((each) => [each, fs[each]]))
  for (const each of names)
    Object.assign(fs, {
      [each](...args: unknown[]) {
        const code = answers[each]!(args[0])
        if (code !== null) throw Object.assign(new Error(`${code}: ${each}`), { code })
        return (own[each] as (...all: unknown[]) => unknown)(...args)
      },
    })
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    Object.assign(fs, own)
    syncBuiltinESMExports()
  }
}

/** Codes with which a file system says that it does not have a call. */
const unsupported = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']

const ofFolder = (code: string) => (handle: unknown) =>
  fs.fstatSync(handle as number).isDirectory() ? code : null

/** What FAT refuses, with one of these codes. */
function fat(code: string) {
  const always = () => code
  return { ...Object.fromEntries(refusedByFat.map((each) => [each, always])), fsyncSync: ofFolder(code) }
}

function backupIn(t: TestContext, content: Uint8Array) {
  const [from, to] = [folderFor(t), folderFor(t)]
  writeFileSync(join(from, name), content)
  const made = {
    name,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    identity: '',
  }
  const copied = () => copyBackup(from, to, made)
  return { from, to, copied, file: join(to, name) }
}

describe('A second copy', () => {
  for (const code of unsupported) {
    it(`is made where the file system answers ${code} to modes, links and the sync of a folder`, async (t) => {
      const { to, copied, file } = backupIn(t, Buffer.alloc(3_000_000, code))
      // The test has one disk, which is the only complaint left.
      assert.match((await answering(fat(code), copied))!, /is on the same disk/)
      assert.deepEqual(readFileSync(file), Buffer.alloc(3_000_000, code))
      assert.deepEqual(
        readdirSync(to).filter((each) => each.endsWith('.part')),
        [],
      )
    })

    it(`is made and read back where the file system answers ${code} to a rename`, async (t) => {
      const { to, copied, file } = backupIn(t, Buffer.from('a backup'))
      const answers = {
        ...fat(code),
        renameSync: (path: unknown) => (String(path).endsWith('.part') ? code : null),
      }
      assert.match((await answering(answers, copied))!, /is on the same disk/)
      assert.equal(readFileSync(file, 'utf8'), 'a backup')
      assert.deepEqual(readdirSync(to), [name])
    })
  }

  it('has the bytes of the backup, whatever they are, under a name that FAT accepts', async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5_000 }),
        fc.constantFrom(...unsupported),
        async (content, code) => {
          const { to, copied, file } = backupIn(t, content)
          await answering(fat(code), copied)
          assert.deepEqual(new Uint8Array(readFileSync(file)), content)
          for (const each of readdirSync(to)) assert.doesNotMatch(each, /["*/:<>?\\|]/)
        },
      ),
      { numRuns: 20 },
    )
  })

  for (const [code, problem] of [
    ['ENOSPC', /is full, so there is no second copy/],
    ['EDQUOT', /is full, so there is no second copy/],
    ['EROFS', /is read-only, so there is no second copy/],
    ['EIO', /is failing \(EIO: .*\), so there is no second copy/],
    ['EFBIG', /takes no file of this size.* FAT32 ends at 4 GiB/],
    ['EACCES', /could not be copied .*EACCES/],
  ] as const) {
    it(`that fails with ${code} says why, and leaves nothing`, async (t) => {
      const { to, copied } = backupIn(t, Buffer.from('a backup'))
      assert.match((await answering({ writeSync: () => code }, copied))!, problem)
      assert.deepEqual(readdirSync(to), [])
    })
  }

  it('of a file that cannot be synced is not made', async (t) => {
    const { to, copied } = backupIn(t, Buffer.from('a backup'))
    const ofFile = (handle: unknown) => (fs.fstatSync(handle as number).isFile() ? 'EIO' : null)
    assert.match((await answering({ fsyncSync: ofFile }, copied))!, /is failing/)
    assert.deepEqual(readdirSync(to), [])
  })
})

it('a folder target takes a backup where the file system has no modes, links and sync of a folder', async (t) => {
  const { from, to, file } = backupIn(t, Buffer.from('a backup'))
  const target = await openTarget({ name: 'Stick', kind: 'folder', url: pathToFileURL(to).href } as never)
  const how = { bytes: 8, signal: new AbortController().signal, sent() {} }
  for (const code of unsupported) {
    await answering(fat(code), () => target.send(join(from, name), name, how))
    assert.equal(readFileSync(file, 'utf8'), 'a backup')
    fs.rmSync(file)
  }
})
