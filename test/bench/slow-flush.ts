import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { endianness, tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that can be slowed down for one server, and that counts what reaches it. */
export interface SlowFlush {
  /** For the environment of the server. */
  env: Record<string, string>
  /** What is added to each flush from now on. */
  delay(milliseconds: number): void
  flushes(): number
  /** Bytes handed to the disk so far, in blocks of 4 KiB, each block once between two flushes of its file. */
  bytes(): number
  remove(): void
}

/** Null where there is no C compiler: only a library loaded before the C library can stand in its way. */
export function slowFlush(): SlowFlush | null {
  const folder = mkdtempSync(join(tmpdir(), 'slow-flush-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const library = join(folder, 'slow-flush.so')
  const source = new URL('./slow-flush.c', import.meta.url).pathname
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0 || endianness() !== 'LE') {
    remove()
    return null
  }
  const file = join(folder, 'shared')
  writeFileSync(file, Buffer.alloc(24))
  const handle = openSync(file, 'r+')
  const numbers = Buffer.alloc(24)
  const numberAt = (offset: number) => {
    readSync(handle, numbers, offset, 8, offset)
    return Number(numbers.readBigInt64LE(offset))
  }
  return {
    env: { LD_PRELOAD: library, SLOW_FLUSH_FILE: file },
    delay(milliseconds) {
      numbers.writeBigInt64LE(BigInt(Math.round(milliseconds * 1e6)), 8)
      writeSync(handle, numbers, 8, 8, 8)
    },
    flushes: () => numberAt(0),
    bytes: () => numberAt(16) * 4096,
    remove() {
      closeSync(handle)
      remove()
    },
  }
}

export const noCompiler = 'left out: no C compiler'
