import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { median, short } from './statistics.ts'

/** What the figures were taken on, in one line. */
export function machineLine(): string {
  const [cpu] = cpus()
  const db = new Database(':memory:')
  const sqlite = db.prepare('SELECT sqlite_version()').pluck().get()
  db.close()
  const memory = (totalmem() / 1024 ** 3).toFixed(0)
  return `${cpu?.model}, ${cpus().length} cores, ${memory} GiB; Node ${process.versions.node}, SQLite ${sqlite}; a flush of 4 KiB takes ${short(flushMs())} ms`
}

/** Milliseconds of one overwritten and flushed page of 4 KiB, the middle of 100. */
export function flushMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'flush-'))
  const file = openSync(join(folder, 'file'), 'w')
  const page = Buffer.alloc(4096, 1)
  writeSync(file, page, 0, page.length, 0)
  fdatasyncSync(file)
  const took = Array.from({ length: 100 }, () => {
    const started = performance.now()
    writeSync(file, page, 0, page.length, 0)
    fdatasyncSync(file)
    return performance.now() - started
  })
  closeSync(file)
  rmSync(folder, { recursive: true })
  return median(took)
}
