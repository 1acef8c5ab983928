import { Worker } from 'node:worker_threads'
import type { Clock } from '../host/clock.ts'
import type { Change, Door, WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { checkpoints } from './checkpoints.ts'
import { StoreRefused } from './connection.ts'
import { problemOf, type Trouble } from './disk-trouble.ts'
import { type DiskWatch, diskWatch } from './disk-watch.ts'
import { type Beat, heartbeat } from './heartbeat.ts'
import type { Answered, Asked, FromWriter, ToWriter } from './messages.ts'

/** Changes that may wait at the door; one more is told to come back. */
const mostWaiting = 2_000

/** Changes sent to the writer together: it begins with them while the rest of a wave is still being read. */
const mostTogether = 8

export interface OpenDoor extends Door {
  /** Resolves when the schema is up to date: from then on readers may open the file. Rejects with StoreRefused. */
  migrated: Promise<void>
  /** Resolves when the file is checked whole. Rejects with StoreRefused. */
  ready: Promise<void>
  /** Another number as soon as a change is known to be on the disk: everything that is written comes through here. */
  version(): number
  /** Calls back each time something was written, until the returned function is called. The listener does not throw. */
  written(listener: () => void): () => void
  /** Changes under way and waiting. */
  waiting(): number
  /** How the disk is, by what reads, writes and waits have met. */
  disk: DiskWatch
  /** Lets what was asked be done, then closes the file. */
  close(): Promise<void>
}

const hour = 3_600_000
/** While the disk hangs nothing more is begun on it. */
const notBegun: Trouble = { is: 'failing', code: 'no answer' }

interface Waiter {
  resolve(output: unknown): void
  reject(error: unknown): void
}

export interface DoorOptions {
  path: string
  /** The program whose thread runs the writer. */
  entry: URL
  clock: Clock
  /** How the writer is asked whether it is there; it is not asked without it. */
  beat?: Beat
  /** Told if the thread dies. */
  lost(error: Error): void
  /** Told of faults of ours in work that nobody waits for. */
  failed?(error: Error): void
}

/** Opens the door for writes. */
export function openDoor(options: DoorOptions): OpenDoor {
  const worker = new Worker(options.entry, { workerData: { path: options.path } })
  const migrated = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  for (const { promise } of [migrated, ready]) promise.catch(() => {})
  const waiters = new Map<number, Waiter>()
  const listeners = new Set<() => void>()
  let outgoing: Asked[] = []
  let number = 0
  let version = 0
  let end: 'open' | 'closing' | 'over' = 'open'
  const disk = diskWatch()
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
    else if (message.is === 'ready') {
      ready.resolve()
      tryDisk()
      if (options.beat && end === 'open') heart = heartbeat(options.beat, { ...disk, post })
    } else if (message.is === 'log-long') log.copy()
    else if (message.is === 'refused') fail(new StoreRefused(message.why))
    else if (message.is === 'here') heart?.answered()
    else if (message.is === 'trouble') disk.is(message.trouble)
    else if (message.is === 'well') disk.well()
    else if (message.is === 'failed') options.failed?.(new Error(`in the writer: ${message.fault}`))
    else {
      version++
      for (const answer of message.answers) settle(answer)
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

  function fail(error: Error): void {
    const first = end !== 'over'
    end = 'over'
    migrated.reject(error)
    ready.reject(error)
    for (const { reject } of waiters.values()) reject(error)
    waiters.clear()
    if (first) options.lost(error)
  }

  function settle({ number, output, problems, fault }: Answered): void {
    const waiter = waiters.get(number)
    waiters.delete(number)
    if (problems)
      waiter?.reject(
        Problem.all(problems.map(({ code, detail, options }) => new Problem(code, detail, options))),
      )
    else if (fault) waiter?.reject(new Error(`in the writer: ${fault}`))
    else waiter?.resolve(output)
  }

  function write<Input, Output>(
    change: Change<Input, Output>,
    input: Input,
    how: WriteOptions,
  ): Promise<Output> {
    if (how.idempotency?.answered) return Promise.resolve(how.idempotency.answered.output as Output)
    if (end !== 'open') return Promise.reject(new Problem('starting-up', 'The appliance is stopping.'))
    if (disk.isHanging()) return Promise.reject(problemOf(notBegun))
    if (waiters.size >= mostWaiting) {
      return Promise.reject(
        new Problem('busy', `${waiters.size} changes are waiting.`, { meta: { retryAfterSeconds: 1 } }),
      )
    }
    return new Promise<Output>((resolve, reject) => {
      number++
      waiters.set(number, { resolve: resolve as Waiter['resolve'], reject })
      outgoing.push({ number, change: change.name, input, now: options.clock.now(), options: how })
      // Alone there is nothing to wait for: what this turn goes on to do, such as to a device, is done meanwhile.
      if (waiters.size === 1 || outgoing.length >= mostTogether) send()
      else if (outgoing.length === 1) setImmediate(send)
    })
  }

  function send(): void {
    if (outgoing.length === 0) return
    const asked = outgoing
    outgoing = []
    try {
      post({ is: 'ask', asked })
    } catch (error) {
      // Input that cannot be sent to a thread is a fault of ours; nobody may wait for it for ever.
      for (const { number } of asked) settle({ number, fault: String(error) })
    }
  }

  /** A disk that nobody writes to is tried all the same. */
  function tryDisk(): void {
    if (end === 'open') post({ is: 'try' })
  }

  function post(message: ToWriter): void {
    worker.postMessage(message)
  }

  async function close(): Promise<void> {
    trying.cancel()
    heart?.stop()
    await log.close()
    if (end === 'open') {
      end = 'closing'
      send()
      post({ is: 'stop' })
    }
    await closed.promise
  }

  return {
    write,
    migrated: migrated.promise,
    ready: ready.promise,
    version: () => version,
    written(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    waiting: () => waiters.size,
    disk,
    close,
  }
}
