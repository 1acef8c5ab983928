import { Worker } from 'node:worker_threads'
import type { Clock, Timer } from '../../host/clock.ts'
import { histogram, observe } from '../../host/histogram.ts'
import type { Command, WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { StoreRefused } from '../connection.ts'
import { checkpoints } from '../disk/checkpoints.ts'
import { problemOf, type Trouble } from '../disk/disk-trouble.ts'
import { diskWatch } from '../disk/disk-watch.ts'
import { type Beat, heartbeat } from '../disk/heartbeat.ts'
import type { FromWriter, ToWriter } from '../messages.ts'
import { WaitingCommands } from './waiting-commands.ts'

const hour = 3_600_000
/** From a fast disk to a card that hangs, in seconds. */
const commitBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
/** While the disk hangs, a new command is rejected: it has not been started, so its outcome is known. */
const notBegun: Trouble = { is: 'failing', code: 'no answer' }

export interface WriterOptions {
  path: string
  /** The module that the writer thread runs. */
  entry: URL
  clock: Clock
  /** How often the writer receives a heartbeat; without it there are none. */
  beat?: Beat
  /** Called when the writer thread ends unexpectedly. */
  lost(error: Error): void
  /** Called with each fault of the writer's background work. */
  failed?(error: Error): void
}

/** The writer thread, which a new instance starts, and the interface to it. */
export class OpenWriter {
  readonly #options: WriterOptions
  readonly #worker: Worker
  readonly #migrated = Promise.withResolvers<void>()
  readonly #ready = Promise.withResolvers<void>()
  readonly #closed = Promise.withResolvers<void>()
  readonly #listeners = new Set<() => void>()
  readonly #waiting: WaitingCommands
  readonly #log: ReturnType<typeof checkpoints>
  readonly #trying: Timer
  #heart: ReturnType<typeof heartbeat> | null = null
  #version = 0
  #newBlocks: boolean | null = null
  #end: 'open' | 'closing' | 'over' = 'open'
  /** Resolves when the schema is up to date; readers may open the file then. Rejects with StoreRefused. */
  readonly migrated = this.#migrated.promise
  /** Resolves when the whole file has been checked for damage. Rejects with StoreRefused. */
  readonly ready = this.#ready.promise
  /** How long the commits took, in seconds. */
  readonly commits = histogram(commitBounds)
  /** The state of the disk, as reads, writes, heartbeats and checks reported it. */
  readonly disk = diskWatch()

  constructor(options: WriterOptions) {
    const { path, entry, clock } = options
    this.#options = options
    this.#worker = new Worker(entry, { workerData: { path } })
    for (const promise of [this.migrated, this.ready]) promise.catch(() => {})
    this.#waiting = new WaitingCommands((requests) => this.#post({ is: 'ask', requests }), this.disk.refusal)
    this.#log = checkpoints({
      ...options,
      done: (trouble) => {
        if (trouble) this.disk.is(trouble)
        if (this.#end === 'open') this.#post({ is: 'copied' })
      },
    })
    this.#trying = clock.setInterval(() => this.tryDisk(), hour).unref()
    this.#worker.on('message', (message: FromWriter) => this.#receive(message))
    this.#worker.on('error', (error) => this.#fail(error as Error))
    this.#worker.on('exit', () => {
      const expected = this.#end !== 'open'
      this.#end = 'over'
      this.#closed.resolve()
      if (!expected) this.#fail(new Error('the writer thread ended unexpectedly'))
    })
  }

  /** Runs a command, and resolves with its output when that is on the disk. Rejects with Problem or Error. */
  execute<Input, Output>(change: Command<Input, Output>, input: Input, how: WriteOptions): Promise<Output> {
    if (how.idempotency?.answered) return Promise.resolve(how.idempotency.answered.output as Output)
    if (this.#end !== 'open') return Promise.reject(new Problem('starting-up', 'The appliance is stopping.'))
    if (this.disk.isHanging()) return Promise.reject(problemOf(notBegun))
    return this.#waiting.add(change, input, this.#options.clock.now(), how)
  }

  /**
   * A number that changes with every answer of the writer to commands. All writes go through this writer, so
   * an equal number means that the data are unchanged.
   */
  version(): number {
    return this.#version
  }

  /**
   * Calls `listener` after each answer of the writer, until the returned function is called. The listener
   * must not throw.
   */
  written(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The number of commands that are running or waiting. */
  waiting(): number {
    return this.#waiting.count()
  }

  /** Resolves when no command is running or waiting. */
  idle(): Promise<void> {
    return this.#waiting.idle()
  }

  /** Whether each commit begins in a new block of the log; null until that is measured. */
  beginsInNewBlocks(): boolean | null {
    return this.#newBlocks
  }

  /** Makes the writer test the disk, so that trouble is found on a box where nothing is written. */
  tryDisk(): void {
    if (this.#end === 'open') this.#post({ is: 'try' })
  }

  /** Completes the waiting commands, then closes the file. */
  async close(): Promise<void> {
    this.#trying.cancel()
    this.#heart?.stop()
    await this.#log.close()
    if (this.#end === 'open') {
      this.#end = 'closing'
      this.#waiting.flush()
      this.#post({ is: 'stop' })
    }
    await this.#closed.promise
  }

  #post(message: ToWriter): void {
    this.#worker.postMessage(message)
  }

  #receive(message: FromWriter): void {
    if (message.is === 'migrated') this.#migrated.resolve()
    else if (message.is === 'ready') this.#becomeReady()
    else if (message.is === 'measured') this.#newBlocks = message.newBlocks
    else if (message.is === 'log-long') this.#log.copy()
    else if (message.is === 'refused') this.#fail(new StoreRefused(message.why))
    else if (message.is === 'here') this.#heart?.answered()
    else if (message.is === 'trouble') this.disk.is(message.trouble)
    else if (message.is === 'well') this.disk.well()
    else if (message.is === 'failed') this.#options.failed?.(new Error(`in the writer: ${message.fault}`))
    else {
      this.#version++
      if (message.commitMs !== null) observe(this.commits, message.commitMs / 1_000)
      for (const answer of message.answers) this.#waiting.settle(answer)
      for (const listener of this.#listeners) listener()
    }
  }

  #becomeReady(): void {
    const { beat } = this.#options
    this.#ready.resolve()
    this.tryDisk()
    const passed = () => this.disk.beat(this.#waiting.isSlow())
    const post = (message: ToWriter) => this.#post(message)
    if (beat && this.#end === 'open') this.#heart = heartbeat(beat, { ...this.disk, post, passed })
  }

  #fail(error: Error): void {
    const first = this.#end !== 'over'
    this.#end = 'over'
    this.#migrated.reject(error)
    this.#ready.reject(error)
    this.#waiting.failAll(error)
    if (first) this.#options.lost(error)
  }
}
