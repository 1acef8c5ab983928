import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { makeFolders } from '../../src/host/files/make-folders.ts'
import fc from '../seed.ts'

describe('makeFolders', () => {
  const root = mkdtempSync(join(tmpdir(), 'nightporter-folders-'))
  after(() => rmSync(root, { recursive: true, force: true }))

  it('makes what is missing, and returns the topmost folder that it made', async () => {
    let run = 0
    const name = fc.stringMatching(/^[\w ü-]{1,12}$/)
    await fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), fc.array(name, { maxLength: 4 }), (there, missing) => {
        const begin = join(root, String(run++), ...there)
        mkdirSync(begin, { recursive: true })
        const path = join(begin, ...missing.map((each) => `+${each}`))
        const first = missing.length === 0 ? undefined : join(begin, `+${missing[0]}`)
        assert.equal(makeFolders(path, 0o700), first)
        assert.ok(statSync(path).isDirectory())
        if (first) assert.equal(statSync(first).mode & 0o777, 0o700)
        assert.equal(makeFolders(path), undefined, 'it is there now')
      }),
    )
  })

  it('throws the error of the system where no folder can be made', () => {
    const file = join(root, 'file')
    writeFileSync(file, '')
    symlinkSync(join(root, 'gone'), join(root, 'dangling'))
    symlinkSync(join(root, 'loop'), join(root, 'loop'))
    for (const [path, code] of [
      ['/proc/nightporter', 'ENOENT'],
      ['/proc/nightporter/below/it', 'ENOENT'],
      ['/proc/self/fd/nightporter', 'ENOENT'],
      [file, 'EEXIST'],
      [join(file, 'below'), 'EEXIST'],
      [join(root, 'dangling'), 'EEXIST'],
      [join(root, 'loop', 'below'), 'ELOOP'],
      [join(root, 'a'.repeat(300)), 'ENAMETOOLONG'],
    ] as const)
      assert.throws(() => makeFolders(path), { code }, path)
    assert.ok(!existsSync(join(root, 'gone')))
  })
})
