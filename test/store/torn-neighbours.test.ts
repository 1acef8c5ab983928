import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { openWritingConnection } from '../../src/store/connection.ts'
import { beginsCommitsInNewBlocks, blockBytes } from '../../src/store/disk/shared-blocks.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-torn-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const commits = 30

/** Commits, and after each commit cuts the power during the next: every block that the next one wrote is damaged. */
function statesThatLost(): number {
  const path = join(folder, 'written.db')
  const db = openWritingConnection(path)
  db.exec('CREATE TABLE done (number INTEGER PRIMARY KEY, text TEXT); CREATE INDEX by_text ON done (text)')
  const one = db.prepare('INSERT INTO done VALUES (?, ?)')
  let failed = 0
  for (let number = 1; number <= commits; number++) {
    const before = readFileSync(`${path}-wal`)
    one.run(number, 'x'.repeat((number * 97) % 700))
    if (doneIn(readFileSync(path), damaged(readFileSync(`${path}-wal`), before)) < number - 1) failed++
  }
  db.close()
  return failed
}

function damaged(log: Buffer, before: Buffer): Buffer {
  const found = Buffer.from(log)
  const first = Math.floor(before.length / blockBytes) * blockBytes
  return found.fill(0xa5, first)
}

/** How many commits a start finds. */
function doneIn(database: Buffer, log: Buffer): number {
  const path = join(folder, 'found.db')
  for (const name of ['', '-wal', '-shm']) rmSync(`${path}${name}`, { force: true })
  writeFileSync(path, database)
  writeFileSync(`${path}-wal`, log)
  const db = openWritingConnection(path)
  try {
    return db.prepare('SELECT count(*) FROM done').pluck().get() as number
  } finally {
    db.close()
  }
}

it('says truly whether a power cut during a commit can damage the commit before it', () => {
  const lost = statesThatLost()
  if (beginsCommitsInNewBlocks()) assert.equal(lost, 0)
  else assert.ok(lost > 0, 'commits share blocks, and no damage was found')
})
