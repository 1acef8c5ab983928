import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Clock, Timer } from '../host/clock.ts'
import type { Change } from '../resource/change.ts'
import type { Resources } from '../resource/path.ts'
import { type Connection, isLogLong, openWriter, quickCheck, StoreRefused } from './connection.ts'
import { copyBeforeMigration } from './copy.ts'
import { failures } from './failures.ts'
import { idempotency } from './idempotency.ts'
import type { Answered, Asked, FromWriter, ToWriter } from './messages.ts'
import { migrate, migrations } from './migrate.ts'
import { type ShapeOf, transactions } from './transaction.ts'

/** How long a wave that is smaller than the one before is waited for: a tenth of a commit's duration, at most this. */
const longestLingerMs = 3
/** A wave takes in what arrives for as long as the commit before took, and for so long at least. */
const shortestGatherMs = 6
/** Changes in one commit; the rest take the next. */
const batchLimit = 256
/** Where nobody waits but those that are patient, a wave takes in so many of them, for so long at most. */
const patientLimit = 64
const patientGatherMs = 50

/**
 * The thread that holds the only writing connection. What arrives while changes are carried out shares their commit, each
 * change failing alone by its savepoint. An answer leaves after its commit is on the disk.
 */
export function runWriter(
  resources: Resources,
  shapeOf: ShapeOf,
  changes: readonly Change[],
  clock: Clock,
): void {
  const port = parentPort
  if (!port) throw new Error('the writer runs in a thread of its own')
  const say = (message: FromWriter) => port.postMessage(message)
  const { path } = workerData as { path: string }
  const db = openStore(path, clock, say)
  if (!db) {
    port.close()
    return
  }
  carryOut(port, db, transactions(db, resources, shapeOf), { changes, clock })
  say({ is: 'ready' })
}

/** What was written is in the index after so long, even when that is little. */
const settlesEveryMs = 3_600_000
/** So long after the last change the log is copied into the database, so that a copy of that file holds everything. */
const restMs = 10_000

/** Carries out what is asked for, wave by wave, until it is told to stop. */
function carryOut(
  port: MessagePort,
  db: Connection,
  { begin, rolledBack, prepare, index }: ReturnType<typeof transactions>,
  { changes, clock }: { changes: readonly Change[]; clock: Clock },
): void {
  const byName = new Map(changes.map((change) => [change.name, change]))
  if (byName.size !== changes.length) throw new Error('two changes share a name')
  const kept = idempotency(prepare)
  const say = (message: FromWriter) => port.postMessage(message)
  const failure = failures(say)
  const waiting: Asked[] = []
  /** Those that let others go first. Some go with every wave, so that they get there however much is asked. */
  const patient: Asked[] = []
  let working = false
  let stopping = false
  let settled = Number.NEGATIVE_INFINITY
  let commitMs = 0
  let lastWave = 0
  /** Whether another thread copies the log into the database, or has done so. */
  let log: 'kept' | 'copying' | 'copied' = 'kept'
  let resting: Timer | null = null
  /** Whether the disk is to be tried, because it was in trouble. */
  let isTrying = false

  port.on('message', (message: ToWriter) => {
    take(message)
    if (!working) void work()
  })

  function take(message: ToWriter): void {
    if (message.is === 'stop') stopping = true
    else if (message.is === 'copied') log = 'copied'
    else if (message.is === 'beat') say({ is: 'here' })
    else if (message.is === 'try') isTrying = true
    else for (const each of message.asked) (each.options.patient ? patient : waiting).push(each)
  }

  function isAnybodyWaiting(): boolean {
    return waiting.length > 0 || patient.length > 0
  }

  /** Before each patient change it is looked again who else has come. */
  function nextOnes(most: number): Asked[] {
    const first = waiting.splice(0, most)
    return first.length < most ? [...first, ...patient.splice(0, 1)] : first
  }

  async function work(): Promise<void> {
    working = true
    const isWriting = isAnybodyWaiting()
    while (isAnybodyWaiting()) {
      const answers = await commitWave()
      if (answers.length > 0) say({ is: 'answered', answers })
      tendLog()
      receive()
    }
    working = false
    tendLog()
    settle()
    if (isTrying) tryDisk()
    if (stopping) {
      resting?.cancel()
      db.close()
      port.close()
    } else if (isWriting) rest()
  }

  /** Ten seconds after the last change the log goes into the database, however often the writer is asked whether it is there. */
  function rest(): void {
    resting?.cancel()
    resting = clock.setTimeout(() => working || tendLog({ atRest: true }), restMs).unref()
  }

  /** What was written since the copying began is little: with it the log is whole in the database, and begins anew. */
  function tendLog({ atRest = false } = {}): void {
    try {
      if (log === 'copied') {
        log = 'kept'
        prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
      } else if (log === 'kept' && isLogLong(prepare, { atRest })) {
        log = 'copying'
        say({ is: 'log-long' })
      }
    } catch (error) {
      failure.notice(error)
    }
  }

  /** Writes something to the disk, and into the database itself: whoever asks nothing of the house learns so how its disk is. */
  function tryDisk(): void {
    isTrying = false
    try {
      prepare(
        `INSERT INTO counter VALUES ('disk/tried', 1) ON CONFLICT DO UPDATE SET value = value + 1`,
      ).run()
      prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
      say({ is: 'well' })
    } catch (error) {
      failure.notice(error)
    }
  }

  /** What waits for the search index goes into it while nobody else does. A failure is tried again. */
  function settle(): void {
    // What waits for the index holds what guests were called, too: it goes in even when it is little.
    try {
      if (!index.hasMuch() && clock.monotonic() - settled < settlesEveryMs) return
      settled = clock.monotonic()
      db.transaction(index.settle).immediate()
    } catch (error) {
      failure.notice(error)
    }
  }

  /** Carries out what is asked for, and what arrives meanwhile, and commits it all. What fails here fails each of them. */
  async function commitWave(): Promise<Answered[]> {
    const wave: Asked[] = []
    const answers: Answered[] = []
    const opened = clock.monotonic()
    let isOpen = true
    try {
      prepare('BEGIN IMMEDIATE').run()
      do {
        const batch = nextOnes(batchLimit - wave.length)
        wave.push(...batch)
        answers.push(...batch.map(runOne))
        receive()
        if (!isAnybodyWaiting() && wave.length < lastWave) {
          await linger(clock, commitMs / 10)
          receive()
        }
        const gathered = clock.monotonic() - opened
        // Who waits is not kept from his commit by those that are patient.
        if (wave.every(({ options }) => options.patient))
          isOpen = wave.length < patientLimit && gathered < patientGatherMs
        else
          isOpen =
            waiting.length > 0 && wave.length < batchLimit && gathered < Math.max(commitMs, shortestGatherMs)
      } while (isOpen && isAnybodyWaiting())
      commit()
      lastWave = wave.length
      return answers
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      rolledBack()
      // Where not even the transaction began, nothing was taken in hand: what waits has failed with it.
      if (wave.length === 0) wave.push(...waiting.splice(0), ...patient.splice(0))
      return wave.map(({ number }) => failure.answer(number, error))
    }
  }

  function commit(): void {
    const started = clock.monotonic()
    prepare('COMMIT').run()
    commitMs = clock.monotonic() - started
  }

  function receive(): void {
    for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) take(more.message)
  }

  function runOne({ number, change, input, now, options }: Asked): Answered {
    prepare('SAVEPOINT one').run()
    try {
      const declared = byName.get(change)
      if (!declared) throw new Error(`no change is called ${change}`)
      const output = declared.run(begin(now, options.actor), input)
      const isDone = declared.isDone?.(output) ?? true
      if (options.idempotency && isDone) kept.keep(options.idempotency, output, now)
      if (options.dryRun) takeBack()
      prepare('RELEASE one').run()
      return { number, output }
    } catch (error) {
      if (!db.inTransaction) throw error
      takeBack()
      prepare('RELEASE one').run()
      return failure.answer(number, error)
    }
  }

  function takeBack(): void {
    prepare('ROLLBACK TO one').run()
    rolledBack()
  }
}

/** The database at this program's version, checked whole; null after saying why it must not be used. */
function openStore(path: string, clock: Clock, say: (message: FromWriter) => void): Connection | null {
  let db: Connection | undefined
  try {
    db = openWriter(path)
    migrate(db, path, migrations(), () => copyBeforeMigration(path, clock.now()))
    say({ is: 'migrated' })
    quickCheck(db, path)
    return db
  } catch (error) {
    db?.close()
    if (!(error instanceof StoreRefused)) throw error
    say({ is: 'refused', why: error.message })
    return null
  }
}

function linger(clock: Clock, ms: number): Promise<void> {
  const bounded = Math.min(ms, longestLingerMs)
  return bounded < 1 ? new Promise((resolve) => setImmediate(resolve)) : clock.sleep(bounded)
}
