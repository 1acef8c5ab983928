import { type FileHandle, mkdir, open } from 'node:fs/promises'
import type { Clock, Timer } from '../host/clock.ts'
import { makeRoom, readSegments, segmentPath } from './segments.ts'

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

/** The segment that is written now. */
interface Segment {
  file: FileHandle
  size: number
}

/** So much may be lost when the power goes. A card never waits for it. */
const writesAfterMs = 1_000
const triesAgainAfterMs = 60_000
const segments = 16
const mostWaiting = 4 << 20

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
  let segment: Segment | null = null

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

  async function begin(): Promise<Segment> {
    await segment?.file.close()
    segment = null
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await makeRoom(folder, bytes - segmentBytes)
    const file = await open(segmentPath(folder, next()), 'a', 0o600)
    segment = { file, size: 0 }
    const head = Buffer.from(heads().join(''))
    await file.appendFile(head)
    segment.size = head.length
    return segment
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
    yield* readSegments(folder)
  }

  async function close(): Promise<void> {
    isClosed = true
    await flush()
    await segment?.file.close().catch(() => {})
    segment = null
  }

  return { append, read, flush, close }
}
