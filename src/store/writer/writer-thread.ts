import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Clock, Timer } from '../../host/clock.ts'
import { returnMemory } from '../../host/return-memory.ts'
import type { Command } from '../../resource/command.ts'
import type { Observers } from '../../resource/observer.ts'
import type { Resources } from '../../resource/path.ts'
import { type Connection, openWritingConnection, quickCheck, StoreRefused } from '../connection.ts'
import { copyBeforeMigration } from '../disk/copy.ts'
import { failures } from '../disk/failures.ts'
import { beginsCommitsInNewBlocks } from '../disk/shared-blocks.ts'
import type { FromWriter, ToWriter } from '../messages.ts'
import { migrate, migrations } from '../migrate.ts'
import { GroupCommit, WriteQueue } from './group-commit.ts'
import { type ShapeOf, transactions } from './transaction.ts'
import { upkeep } from './upkeep.ts'

/**
 * The log is checkpointed this long after the last command, so that the database file alone contains
 * everything.
 */
const restMs = 10_000
/** By then the first round of retention is over, and the main thread has returned its memory. */
const startsForMs = 5_000

/** Runs the thread with the only writing connection. It sends an answer after the commit is on the disk. */
export function runWriter(
  resources: Resources,
  shapeOf: ShapeOf,
  { changes, observers }: { changes: readonly Command[]; observers: Observers },
  clock: Clock,
): void {
  const port = parentPort
  if (!port) throw new Error('the writer runs in a thread of its own')
  const send = (message: FromWriter) => port.postMessage(message)
  const { path } = workerData as { path: string }
  const db = openStore(path, clock, send)
  if (!db) {
    port.close()
    return
  }
  carryOut(port, db, transactions(db, resources, shapeOf, observers), { changes, clock })
  send({ is: 'ready' })
  send({ is: 'measured', newBlocks: beginsCommitsInNewBlocks() })
  clock.setTimeout(returnMemory, startsForMs).unref()
}

/** Runs commands, group by group, until the message `stop`. */
function carryOut(
  port: MessagePort,
  db: Connection,
  tools: ReturnType<typeof transactions>,
  { changes, clock }: { changes: readonly Command[]; clock: Clock },
): void {
  const send = (message: FromWriter) => port.postMessage(message)
  const failure = failures(send)
  const queue = new WriteQueue()
  const keep = upkeep({ db, tools, clock, failure, send })
  const groups = new GroupCommit({ db, tools, changes, clock, failure, queue, receive })
  let isWorking = false
  let isStopping = false
  let isDiskToBeTried = false
  let resting: Timer | null = null
  let lastWrite = 0

  port.on('message', (message: ToWriter) => {
    take(message)
    if (!isWorking) void work()
  })

  function take(message: ToWriter): void {
    if (message.is === 'stop') isStopping = true
    else if (message.is === 'copied') keep.checkpointed()
    else if (message.is === 'beat') send({ is: 'here' })
    else if (message.is === 'try') isDiskToBeTried = true
    else queue.push(message.requests)
  }

  function receive(): void {
    for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) take(more.message)
  }

  async function work(): Promise<void> {
    isWorking = true
    const isWriting = !queue.isEmpty()
    while (!queue.isEmpty()) {
      const committed = await groups.commit()
      if (committed.answers.length > 0) send({ is: 'answered', ...committed })
      if (!queue.isEmpty()) keep.checkpoint()
    }
    isWorking = false
    idle()
    if (isStopping) return stop()
    if (!isWriting) return
    lastWrite = clock.monotonic()
    resting ??= clock.setTimeout(rest, restMs).unref()
  }

  function idle(): void {
    keep.checkpoint()
    keep.fillIndex()
    if (isDiskToBeTried) keep.tryDisk()
    isDiskToBeTried = false
  }

  /** Heartbeats do not delay the checkpoint; only commands do. */
  function rest(): void {
    const leftMs = isWorking ? restMs : lastWrite + restMs - clock.monotonic()
    resting = leftMs > 0 ? clock.setTimeout(rest, leftMs).unref() : null
    if (resting === null) keep.checkpoint({ atRest: true })
  }

  function stop(): void {
    resting?.cancel()
    db.close()
    port.close()
  }
}

/**
 * Returns the migrated and checked database; null after it has sent the reason why the database must not be
 * used.
 */
function openStore(path: string, clock: Clock, send: (message: FromWriter) => void): Connection | null {
  let db: Connection | undefined
  try {
    db = openWritingConnection(path)
    migrate(db, path, migrations(), () => copyBeforeMigration(path, clock.now()))
    send({ is: 'migrated' })
    quickCheck(db)
    return db
  } catch (error) {
    db?.close()
    if (!(error instanceof StoreRefused)) throw error
    send({ is: 'refused', why: error.message })
    return null
  }
}
