import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

/** Cards and SSDs write at least so many bytes at once; when the power fails meanwhile, any of them may change. */
export const blockBytes = 4_096
const headerBytes = 32
const frameHeaderBytes = 24

/**
 * Whether this build of SQLite begins each commit in a new block of the log, measured: it commits to a
 * scratch database and reads the log. If not, a power cut during a commit can, on some cards, damage the end
 * of the commit before it, which was answered already. Null when the scratch database cannot be written.
 */
export function beginsCommitsInNewBlocks(): boolean | null {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'nightporter-log-'))
    try {
      return measuredIn(join(folder, 'scratch.db'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  } catch {
    return null
  }
}

function measuredIn(path: string): boolean {
  const db = new Database(path)
  try {
    const log = () => readFileSync(`${path}-wal`)
    // Only the first commit has to be as those of the store: each flush costs 20 ms on a slow card.
    db.exec('PRAGMA page_size = 1024; PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL')
    db.exec('CREATE TABLE t (a)')
    const before = log().length
    db.exec('PRAGMA synchronous = FULL; INSERT INTO t VALUES (1)')
    const first = log()
    db.exec('PRAGMA synchronous = OFF; INSERT INTO t VALUES (2)')
    if (log().length <= first.length) throw new Error('the second commit is not at the end of the log')
    return lastBlock(first, before) < Math.floor(first.length / blockBytes)
  } finally {
    db.close()
  }
}

/** Returns the number of the block with the end of the first commit at or after `from`. */
function lastBlock(log: Buffer, from: number): number {
  const frameBytes = frameHeaderBytes + log.readUInt32BE(8)
  // The first frame with a database size ends the commit. Equal ones may follow, which fill the block.
  for (let at = Math.max(from, headerBytes); at < log.length; at += frameBytes)
    if (log.readUInt32BE(at + 4) > 0) return Math.floor((at + frameBytes - 1) / blockBytes)
  throw new Error('the log has no commit')
}
