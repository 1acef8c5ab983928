import { Worker } from 'node:worker_threads'
import type { Clock } from '../../host/clock.ts'
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

export type OpenWriter = ReturnType<typeof openWriter>

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

/** Starts the writer thread and returns the interface to it. */
export function openWriter(options: WriterOptions) {
  const worker = new Worker(options.entry, { workerData: { path: options.path } })
  const post = (message: ToWriter) => worker.postMessage(message)
  const migrated = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  for (const { promise } of [migrated, ready]) promise.catch(() => {})
  const listeners = new Set<() => void>()
  const commits = histogram(commitBounds)
  let version = 0
  let newBlocks: boolean | null = null
  let end: 'open' | 'closing' | 'over' = 'open'
  /** The state of the disk, as reads, writes, heartbeats and checks reported it. */
  const disk = diskWatch()
  const waiting = new WaitingCommands((requests) => post({ is: 'ask', requests }), disk.refusal)
  let heart: ReturnType<typeof heartbeat> | null = null
  const log = checkpoints({
    ...options,
    done: (trouble) => {
      if (trouble) disk.is(trouble)
      if (end === 'open') post({ is: 'copied' })
    },
  })
  const trying = options.clock.setInterval(tryDisk, hour).unref()

  worker.on('message', (message: FromWriter) => {
    if (message.is === 'migrated') migrated.resolve()
    else if (message.is === 'ready') becomeReady()
    else if (message.is === 'measured') newBlocks = message.newBlocks
    else if (message.is === 'log-long') log.copy()
    else if (message.is === 'refused') fail(new StoreRefused(message.why))
    else if (message.is === 'here') heart?.answered()
    else if (message.is === 'trouble') disk.is(message.trouble)
    else if (message.is === 'well') disk.well()
    else if (message.is === 'failed') options.failed?.(new Error(`in the writer: ${message.fault}`))
    else {
      version++
      if (message.commitMs !== null) observe(commits, message.commitMs / 1_000)
      for (const answer of message.answers) waiting.settle(answer)
      for (const listener of listeners) listener()
    }
  })
  worker.on('error', (error) => fail(error as Error))
  worker.on('exit', () => {
    const expected = end !== 'open'
    end = 'over'
    closed.resolve()
    if (!expected) fail(new Error('the writer thread ended by itself'))
  })

  function becomeReady(): void {
    ready.resolve()
    tryDisk()
    const passed = () => disk.beat(waiting.isSlow())
    if (options.beat && end === 'open') heart = heartbeat(options.beat, { ...disk, post, passed })
  }

  function fail(error: Error): void {
    const first = end !== 'over'
    end = 'over'
    migrated.reject(error)
    ready.reject(error)
    waiting.failAll(error)
    if (first) options.lost(error)
  }

  function execute<Input, Output>(
    change: Command<Input, Output>,
    input: Input,
    how: WriteOptions,
  ): Promise<Output> {
    if (how.idempotency?.answered) return Promise.resolve(how.idempotency.answered.output as Output)
    if (end !== 'open') return Promise.reject(new Problem('starting-up', 'The appliance is stopping.'))
    if (disk.isHanging()) return Promise.reject(problemOf(notBegun))
    return waiting.add(change, input, options.clock.now(), how)
  }

  /** Makes the writer test the disk, so that trouble is found on a box where nothing is written. */
  function tryDisk(): void {
    if (end === 'open') post({ is: 'try' })
  }

  /** Completes the waiting commands, then closes the file. */
  async function close(): Promise<void> {
    trying.cancel()
    heart?.stop()
    await log.close()
    if (end === 'open') {
      end = 'closing'
      waiting.flush()
      post({ is: 'stop' })
    }
    await closed.promise
  }

  return {
    execute,
    /** Resolves when the schema is up to date; readers may open the file then. Rejects with StoreRefused. */
    migrated: migrated.promise,
    /** Resolves when the whole file has been checked for damage. Rejects with StoreRefused. */
    ready: ready.promise,
    /**
     * A number that changes with every answer of the writer to commands. All writes go through this writer, so
     * an equal number means that the data are unchanged.
     */
    version: (): number => version,
    /**
     * Calls `listener` after each answer of the writer, until the returned function is called. The listener
     * must not throw.
     */
    written(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** The number of commands that are running or waiting. */
    waiting: (): number => waiting.count(),
    /** Resolves when no command is running or waiting. */
    idle: () => waiting.idle(),
    /** How long the commits took, in seconds. */
    commits,
    /** Whether each commit begins in a new block of the log; null until that is measured. */
    beginsInNewBlocks: (): boolean | null => newBlocks,
    disk,
    tryDisk,
    close,
  }
}
