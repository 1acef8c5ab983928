import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { keepFiles } from '../../src/console/kept-files.ts'

describe('the files of an earlier release', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nightporter-pages-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A build with one file, named by its content. */
  function build(name: string): string {
    const built = join(folder, name)
    mkdirSync(built, { recursive: true })
    writeFileSync(join(built, 'manifest.json'), JSON.stringify({ desk: name }))
    writeFileSync(join(built, `${name}.js`), name)
    return built
  }

  it('are there for one release, and then no more', () => {
    const kept = join(folder, 'kept')
    assert.deepEqual(keepFiles(build('one'), kept), [])
    const [earlier, ...more] = keepFiles(build('two'), kept)
    assert.deepEqual(more, [])
    assert.equal(readFileSync(new URL('one.js', earlier), 'utf8'), 'one')
    const [now] = keepFiles(build('three'), kept)
    assert.equal(readFileSync(new URL('two.js', now), 'utf8'), 'two')
    assert.equal(readdirSync(kept).length, 2)
  })

  it('survive a copy that a power cut ended', () => {
    const kept = join(folder, 'kept')
    keepFiles(build('one'), kept)
    mkdirSync(join(kept, 'half.part'))
    const [earlier] = keepFiles(build('two'), kept)
    assert.equal(readFileSync(new URL('one.js', earlier), 'utf8'), 'one')
  })

  it('are not kept from source, nor where the disk refuses', () => {
    assert.deepEqual(keepFiles(join(folder, 'nothing'), join(folder, 'kept')), [])
    writeFileSync(join(folder, 'file'), '')
    assert.deepEqual(keepFiles(build('one'), join(folder, 'file', 'kept')), [])
  })
})
