import assert from 'node:assert/strict'
import fs, { closeSync, cpSync, mkdtempSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, it, mock } from 'node:test'
import Database from 'better-sqlite3'
import { troubleOf, troubleOfUnused } from '../../../src/store/disk/damage.ts'
import { migrate } from '../../../src/store/migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-damage-'))
after(() => rmSync(folder, { recursive: true }))
const whole = join(folder, 'whole.db')
const path = join(folder, 'nightporter.db')
const db = new Database(whole)
db.pragma('page_size = 1024')
db.pragma('journal_mode = WAL')
migrate(db, whole)
const pages = db.pragma('page_count', { simple: true }) as number
db.close()

let file: number
beforeEach(() => {
  cpSync(whole, path)
  file = openSync(path, 'r')
})
afterEach(() => {
  mock.restoreAll()
  syncBuiltinESMExports()
  closeSync(file)
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
})

/** Writes garbage over a page, numbered from 1. */
function overwrite(page: number): void {
  const written = openSync(path, 'r+')
  writeSync(written, Buffer.alloc(1024, 0xa5), 0, 1024, (page - 1) * 1024)
  closeSync(written)
}

/** From now on the disk reads nothing of these files; those that SQLite opens are its own. */
function failReads(which: (file: number) => boolean = () => true): void {
  const { readSync } = fs
  mock.method(fs, 'readSync', (...values: Parameters<typeof readSync>) => {
    if (!which(values[0])) return readSync(...values)
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
  })
  syncBuiltinESMExports()
}

describe('a database', () => {
  it('is intact when a check finds nothing', () => {
    assert.equal(troubleOf(path, file), null)
    assert.equal(troubleOfUnused(path), null)
  })

  for (const page of [1, 2, Math.floor(pages / 2)])
    it(`is damaged when page ${page} of ${pages} is garbage`, () => {
      overwrite(page)
      const found = troubleOf(path, file)
      assert.equal(found?.is, 'damaged')
      assert.match(found.code, /^[^*\n]+$/)
    })

  it('is damaged when its end is missing', () => {
    truncateSync(path, 8 * 1024)
    assert.equal(troubleOfUnused(path)?.is, 'damaged')
  })

  it('is unreadable, and not damaged, while the disk does not read it', () => {
    overwrite(2)
    failReads((read) => read === file)
    assert.deepEqual(troubleOf(path, file), { is: 'unreadable', code: 'EIO' })
  })

  it('is unreadable, and not damaged, while the disk does not read its log', () => {
    const writing = new Database(path)
    writing.exec('CREATE TABLE logged (value)')
    overwrite(2)
    failReads((read) => read !== file)
    assert.deepEqual(troubleOf(path, file), { is: 'unreadable', code: 'EIO' })
    writing.close()
  })
})
