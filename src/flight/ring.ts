import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, stat, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock, Timer } from '../host/clock.ts'

interface RingOptions {
  clock: Clock
  folder: string
  /** The most that all segments take together. */
  bytes: number
  /** What a new segment begins with, so that it can be read alone; each text ends with a line feed. */
  heads(): readonly string[]
  /** Names a new segment: a number greater than every one before it. */
  next(): number
  /** Recording has stopped, and goes on again by itself. Told once each. */
  stopped(error: unknown): void
  resumed(lost: number): void
}

/** Segments of lines on the disk, of which the oldest make room for new ones. */
interface Ring {
  /** Takes lines to be written soon; none once it is closed, when nobody would close their file. Never throws, never waits. */
  append(lines: string): void
  /** Everything there is, the oldest first, as it was when it was asked for. */
  read(): AsyncGenerator<Uint8Array>
  /** Writes what is waiting. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** So much may be lost when the power goes. A card never waits for it. */
const writesAfterMs = 1_000
const triesAgainAfterMs = 60_000
const segments = 16
const mostWaiting = 4 << 20

const name = (first: number) => `${String(first).padStart(15, '0')}.jsonl`
const isSegment = (file: string) => /^\d{15}\.jsonl$/.test(file)

/**
 * Where an earlier life left off: a number greater than any it gave. The last line of a segment may be torn, and is cut off.
 * Zero when nothing can be read.
 */
export async function leftOff(folder: string): Promise<number> {
  try {
    const last = (await readdir(folder)).filter(isSegment).sort().at(-1)
    if (last === undefined) return 0
    const path = join(folder, last)
    const text = await readFile(path)
    await truncate(path, text.lastIndexOf(0x0a) + 1)
    // Every entry has a line, and every line a byte.
    return Number.parseInt(last, 10) + text.length + 1
  } catch {
    return 0
  }
}

/** Opens the ring; the disk is touched when there is something to write. */
export function ring({ clock, folder, bytes, heads, next, stopped, resumed }: RingOptions): Ring {
  const segmentBytes = Math.ceil(bytes / segments)
  let waiting: string[] = []
  let waitingBytes = 0
  let lost = 0
  let timer: Timer | null = null
  let isStopped = false
  let isClosed = false
  let writing: Promise<void> = Promise.resolve()
  let segment: { file: FileHandle; path: string; size: number } | null = null

  function append(lines: string): void {
    if (isClosed) return
    if (waitingBytes + lines.length > mostWaiting) {
      lost++
      return
    }
    waiting.push(lines)
    waitingBytes += lines.length
    timer ??= clock.setTimeout(() => void flush(), isStopped ? triesAgainAfterMs : writesAfterMs).unref()
  }

  function flush(): Promise<void> {
    timer?.cancel()
    timer = null
    writing = writing.then(write)
    return writing
  }

  async function write(): Promise<void> {
    const taken = waiting
    waiting = []
    waitingBytes = 0
    if (taken.length === 0) return
    try {
      const text = Buffer.from(taken.join(''))
      const at = segment && segment.size + text.length <= segmentBytes ? segment : await begin()
      await at.file.appendFile(text)
      await at.file.datasync()
      at.size += text.length
      if (isStopped) resumed(lost)
      isStopped = false
      lost = 0
    } catch (error) {
      lost += taken.length
      if (!isStopped) stopped(error)
      isStopped = true
      await abandon()
    }
  }

  async function begin() {
    await segment?.file.close()
    segment = null
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await makeRoom(bytes - segmentBytes)
    const path = join(folder, name(next()))
    const file = await open(path, 'a', 0o600)
    segment = { file, path, size: 0 }
    const head = Buffer.from(heads().join(''))
    await file.appendFile(head)
    segment.size = head.length
    return segment
  }

  /** The oldest segments go until the others take no more than `most`. */
  async function makeRoom(most: number): Promise<void> {
    const files = (await readdir(folder)).filter(isSegment).sort().reverse()
    let total = 0
    for (const file of files) {
      const path = join(folder, file)
      total += (await stat(path)).size
      if (total > most) await unlink(path)
    }
  }

  /** A line that was written in part is cut off, if the disk lets us. */
  async function abandon(): Promise<void> {
    const left = segment
    segment = null
    await left?.file.truncate(left.size).catch(() => {})
    await left?.file.close().catch(() => {})
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    await flush()
    const files = await readdir(folder).catch(() => [])
    const seen = await Promise.all(
      files
        .filter(isSegment)
        .sort()
        .map(async (file) => {
          const path = join(folder, file)
          return {
            path,
            size: await stat(path).then(
              ({ size }) => size,
              () => 0,
            ),
          }
        }),
    )
    for (const { path, size } of seen) {
      if (size === 0) continue
      // A segment that made room meanwhile is left out.
      const stream = createReadStream(path, { end: size - 1 })
      try {
        for await (const chunk of stream) yield chunk as Uint8Array
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }

  async function close(): Promise<void> {
    isClosed = true
    await flush()
    await segment?.file.close().catch(() => {})
    segment = null
  }

  return { append, read, flush, close }
}
