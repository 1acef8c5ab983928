import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock, Timer } from '../host/clock.ts'
import { makeFolders } from '../host/files/make-folders.ts'
import { makeRoom, readSegments, segmentPath } from './segments.ts'

interface RingOptions {
  clock: Clock
  background: BackgroundWork
  folder: string
  /** The largest size of all segments together. */
  bytes: number
  /** The beginning of a new segment, which makes it readable alone. Each text ends with a line feed. */
  heads(): readonly string[]
  /** Returns the number of a new segment, which is greater than every earlier one. */
  next(): number
  /** Called when recording stops, and when it resumes. */
  stopped(error: unknown): void
  resumed(lost: number): void
}

/** The segment that is being written. */
interface Segment {
  path: string
  file: FileHandle
  size: number
}

/** How much may be lost in a power cut. The work on a card never waits for the recording. */
const writesAfterMs = 1_000
const triesAgainAfterMs = 60_000
const segments = 16
const mostWaiting = 4 << 20

/**
 * Creates a ring of segment files: new ones replace the oldest. It accesses the disk when there are lines to write, and
 * every minute after a failed attempt until one succeeds, also without new lines.
 */
export function ring({ clock, background, folder, bytes, heads, next, stopped, resumed }: RingOptions) {
  const segmentBytes = Math.ceil(bytes / segments)
  let waiting: string[] = []
  let waitingBytes = 0
  let lost = 0
  let timer: Timer | null = null
  let isStopped = false
  let isClosed = false
  let writing: Promise<void> = Promise.resolve()
  let segment: Segment | null = null
  const work = background.follow('recorder')

  /**
   * Queues lines to be written soon; ignored after `close`, because the file would stay open. Never throws
   * and never waits.
   */
  function append(lines: string): void {
    if (isClosed) return
    if (waitingBytes + lines.length > mostWaiting) {
      lost++
      return
    }
    work.due()
    waiting.push(lines)
    waitingBytes += lines.length
    plan()
  }

  function plan(): void {
    timer ??= clock.setTimeout(() => void flush(), isStopped ? triesAgainAfterMs : writesAfterMs).unref()
  }

  /** Writes the queued lines. */
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
    if (taken.length === 0 && !isStopped) return
    try {
      const text = Buffer.from(taken.join(''))
      const at = segment && segment.size + text.length <= segmentBytes ? segment : await begin()
      await at.file.appendFile(text)
      await at.file.datasync()
      at.size += text.length
      if (isStopped) resumed(lost)
      isStopped = false
      lost = 0
      if (waiting.length > 0) work.goesOn()
      else work.done()
    } catch (error) {
      lost += taken.length
      if (!isStopped) stopped(error)
      isStopped = true
      await abandon()
      if (!isClosed) plan()
    }
  }

  async function begin(): Promise<Segment> {
    await segment?.file.close()
    segment = null
    makeFolders(folder, 0o700)
    await makeRoom(folder, bytes - segmentBytes)
    const path = segmentPath(folder, next())
    const file = await open(path, 'a', 0o600)
    segment = { path, file, size: 0 }
    const head = Buffer.from(heads().join(''))
    await file.appendFile(head)
    segment.size = head.length
    return segment
  }

  /** Truncates an incomplete line, if the disk allows it. A full disk gets no empty segment with each attempt. */
  async function abandon(): Promise<void> {
    const left = segment
    segment = null
    if (!left) return
    await left.file.truncate(left.size).catch(() => {})
    await left.file.close().catch(() => {})
    if (left.size === 0) await unlink(left.path).catch(() => {})
  }

  /** Returns the whole recording as it is at the call, oldest first. */
  async function* read(): AsyncGenerator<Uint8Array> {
    await flush()
    yield* readSegments(folder)
  }

  async function close(): Promise<void> {
    isClosed = true
    await flush()
    await segment?.file.close().catch(() => {})
    segment = null
    work.end()
  }

  return { append, read, flush, close }
}
