import { spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { endianness, tmpdir } from 'node:os'
import { join } from 'node:path'
import { noLimits } from '../../no-limits.ts'

/** Where the words of each kind of call lie in the file: its error, how many calls still succeed, and how many fail then. */
const kinds = { reads: 0, writes: 3, flushes: 6, opens: 9, renames: 12, removals: 15, sizes: 18, folders: 21 }
const words = 26
/** Calls that succeed while they are counted. */
const many = Number.MAX_SAFE_INTEGER

/** A kind of call of the system on a file. */
export type Call = keyof typeof kinds
/** The error that stands for a write of only the half. */
export const shortWrite = -1

/** A disk whose calls fail when a test says so, for the programs that this process starts meanwhile. */
export interface FaultyDisk {
  /** A data folder that has only settings. */
  data: string
  /**
   * From now on, the calls of a kind fail with the number of an error of the system: `failing` of them, after `passing` others.
   * With `threads`, those of the main thread succeed.
   */
  fail(kind: Call, error: number, how?: { passing?: number; failing?: number; threads?: boolean }): void
  /** Returns how many calls of a kind there are during the work. */
  count(kind: Call, work: () => Promise<unknown>): Promise<number>
  /** How many calls of other threads than the main thread have failed since. */
  failedInThreads(): number
  /** From now on, all calls succeed. */
  heal(): void
  remove(): void
}

/**
 * Returns null where there is no C compiler: only a library loaded before the C library can stand in the way. Meant are the
 * files of the database, or all that lies in the data folder and in folders beside it whose names begin with its name.
 */
export function faultyDisk(meant: 'database' | 'all files' = 'database'): FaultyDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-faulty-'))
  const library = join(folder, 'faulty-disk.so')
  const source = new URL('faulty-disk.c', import.meta.url).pathname
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0 || endianness() !== 'LE') {
    rmSync(folder, { recursive: true })
    return null
  }
  const [data, told] = [join(folder, 'data'), join(folder, 'told')]
  mkdirSync(data)
  writeFileSync(join(data, 'nightporter.json'), JSON.stringify({ rateLimits: noLimits }))
  writeFileSync(told, Buffer.alloc(8 * words))
  const handle = openSync(told, 'r+')
  const tell = (at: number, ...numbers: number[]) =>
    writeSync(handle, BigInt64Array.from(numbers, BigInt), 0, 8 * numbers.length, 8 * at)
  const env = {
    LD_PRELOAD: library,
    FAULTY_DISK: told,
    FAULTY_DISK_FILES: meant === 'database' ? join(data, 'nightporter.db') : data,
  }
  Object.assign(process.env, env)
  return {
    data,
    fail(kind, error, { passing = 0, failing = many, threads = false } = {}) {
      tell(words - 2, Number(threads), 0)
      tell(kinds[kind] + 1, passing, failing)
      tell(kinds[kind], error)
    },
    async count(kind, work) {
      tell(kinds[kind], 5, many, many)
      await work()
      const left = Number(readFileSync(told).readBigInt64LE(8 * (kinds[kind] + 1)))
      tell(kinds[kind], 0, 0, 0)
      return many - left
    },
    failedInThreads: () => Number(readFileSync(told).readBigInt64LE(8 * (words - 1))),
    heal: () => void tell(0, ...Array<number>(words).fill(0)),
    remove() {
      for (const name of Object.keys(env)) delete process.env[name]
      closeSync(handle)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
