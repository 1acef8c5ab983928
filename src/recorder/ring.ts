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
 * A ring of segment files: new ones replace the oldest. It accesses the disk when there are lines to write, and
 * every minute after a failed attempt until one succeeds, also without new lines.
 */
export class Ring {
  readonly #options: RingOptions
  readonly #segmentBytes: number
  readonly #work: ReturnType<BackgroundWork['follow']>
  #waiting: string[] = []
  #waitingBytes = 0
  #lost = 0
  #timer: Timer | null = null
  #isStopped = false
  #isClosed = false
  #writing: Promise<void> = Promise.resolve()
  #segment: Segment | null = null

  constructor(options: RingOptions) {
    this.#options = options
    this.#segmentBytes = Math.ceil(options.bytes / segments)
    this.#work = options.background.follow('recorder')
  }

  /**
   * Queues lines to be written soon; ignored after `close`, because the file would stay open. Never throws
   * and never waits.
   */
  append(lines: string): void {
    if (this.#isClosed) return
    if (this.#waitingBytes + lines.length > mostWaiting) {
      this.#lost++
      return
    }
    this.#work.due()
    this.#waiting.push(lines)
    this.#waitingBytes += lines.length
    this.#plan()
  }

  /** Returns the whole recording as it is at the call, oldest first. */
  async *read(): AsyncGenerator<Uint8Array> {
    await this.flush()
    yield* readSegments(this.#options.folder)
  }

  /** Writes the queued lines. */
  flush(): Promise<void> {
    this.#timer?.cancel()
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.flush()
    await this.#segment?.file.close().catch(() => {})
    this.#segment = null
    this.#work.end()
  }

  #plan(): void {
    const afterMs = this.#isStopped ? triesAgainAfterMs : writesAfterMs
    this.#timer ??= this.#options.clock.setTimeout(() => void this.flush(), afterMs).unref()
  }

  async #write(): Promise<void> {
    const taken = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    if (taken.length === 0 && !this.#isStopped) return
    try {
      const text = Buffer.from(taken.join(''))
      const open = this.#segment
      const at = open && open.size + text.length <= this.#segmentBytes ? open : await this.#begin()
      await at.file.appendFile(text)
      await at.file.datasync()
      at.size += text.length
      if (this.#isStopped) this.#options.resumed(this.#lost)
      this.#isStopped = false
      this.#lost = 0
      if (this.#waiting.length > 0) this.#work.goesOn()
      else this.#work.done()
    } catch (error) {
      this.#lost += taken.length
      if (!this.#isStopped) this.#options.stopped(error)
      this.#isStopped = true
      await this.#abandon()
      if (!this.#isClosed) this.#plan()
    }
  }

  async #begin(): Promise<Segment> {
    const { folder, bytes, next, heads } = this.#options
    await this.#segment?.file.close()
    this.#segment = null
    makeFolders(folder, 0o700)
    await makeRoom(folder, bytes - this.#segmentBytes)
    const path = segmentPath(folder, next())
    const file = await open(path, 'a', 0o600)
    const segment = { path, file, size: 0 }
    this.#segment = segment
    const head = Buffer.from(heads().join(''))
    await file.appendFile(head)
    segment.size = head.length
    return segment
  }

  /** Truncates an incomplete line, if the disk allows it. A full disk gets no empty segment with each attempt. */
  async #abandon(): Promise<void> {
    const left = this.#segment
    this.#segment = null
    if (!left) return
    await left.file.truncate(left.size).catch(() => {})
    await left.file.close().catch(() => {})
    if (left.size === 0) await unlink(left.path).catch(() => {})
  }
}
