import type { Clock } from '../../host/clock.ts'
import type { Command } from '../../resource/command.ts'
import type { Connection } from '../connection.ts'
import type { failures } from '../disk/failures.ts'
import { idempotency } from './idempotency.ts'
import type { WriteRequest, WriteResult } from './messages.ts'
import type { transactions } from './transaction.ts'

/**
 * The longest linger. A group that is smaller than the previous one waits a tenth of the last commit's
 * duration, but not longer.
 */
const longestLingerMs = 3
/** A group stays open for as long as the last commit took, and at least this long. */
const shortestGatherMs = 6
/** The largest number of commands in one commit; the others wait for the next. */
const groupLimit = 256
/**
 * A group that contains only low-priority commands stays open for at most this many commands and this long.
 */
const lowPriorityLimit = 64
const lowPriorityGatherMs = 50

interface GroupCommitOptions {
  db: Connection
  tools: ReturnType<typeof transactions>
  changes: readonly Command[]
  clock: Clock
  failure: ReturnType<typeof failures>
  queue: WriteQueue
  /** Moves arrived messages into the queue. */
  receive(): void
}

/**
 * Commits commands in groups: commands that arrive while a group runs share its commit. Each command runs in
 * a savepoint and fails alone. A failed commit fails every command of its group.
 */
export function groupCommit(options: GroupCommitOptions) {
  const { db, tools, clock, failure, queue, receive } = options
  const { prepare, rolledBack } = tools
  const run = runner(options)
  let commitMs = 0
  let lastSize = 0

  /**
   * Runs one group and commits it. When this resolves, the commands are on the disk and the answers may be
   * sent.
   */
  async function commitGroup(): Promise<WriteResult[]> {
    const group: WriteRequest[] = []
    try {
      prepare('BEGIN IMMEDIATE').run()
      const answers = await gather(group)
      commit()
      lastSize = group.length
      return answers
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      rolledBack()
      // When the transaction could not begin, every waiting command fails.
      const failed = group.length > 0 ? group : queue.clear()
      return failed.map(({ number }) => failure.answer(number, error))
    }
  }

  /** Runs commands while the group is open, and adds them to `group`. */
  async function gather(group: WriteRequest[]): Promise<WriteResult[]> {
    const answers: WriteResult[] = []
    const opened = clock.monotonic()
    do {
      const batch = queue.next(groupLimit - group.length)
      group.push(...batch)
      answers.push(...batch.map(run))
      receive()
      if (queue.isEmpty() && group.length < lastSize) {
        await linger(clock, commitMs / 10)
        receive()
      }
    } while (isOpen(group, clock.monotonic() - opened) && !queue.isEmpty())
    return answers
  }

  function isOpen(group: WriteRequest[], gatheredMs: number): boolean {
    if (group.every(({ options }) => options.lowPriority))
      return group.length < lowPriorityLimit && gatheredMs < lowPriorityGatherMs
    // A normal command does not wait for low-priority commands.
    return queue.hasNormal() && group.length < groupLimit && gatheredMs < Math.max(commitMs, shortestGatherMs)
  }

  function commit(): void {
    const started = clock.monotonic()
    prepare('COMMIT').run()
    commitMs = clock.monotonic() - started
  }

  return commitGroup
}

/** Runs one command within the group's transaction. A failed command is rolled back to its savepoint. */
function runner({
  db,
  tools,
  changes,
  failure,
}: GroupCommitOptions): (requests: WriteRequest) => WriteResult {
  const { begin, prepare, rolledBack } = tools
  const byName = new Map(changes.map((change) => [change.name, change]))
  if (byName.size !== changes.length) throw new Error('two changes share a name')
  const kept = idempotency(prepare)
  const takeBack = () => {
    prepare('ROLLBACK TO one').run()
    rolledBack()
  }
  return ({ number, change, input, now, options }) => {
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
      // SQLite has rolled back the whole group.
      if (!db.inTransaction) throw error
      takeBack()
      prepare('RELEASE one').run()
      return failure.answer(number, error)
    }
  }
}

function linger(clock: Clock, ms: number): Promise<void> {
  const bounded = Math.min(ms, longestLingerMs)
  return bounded < 1 ? new Promise((resolve) => setImmediate(resolve)) : clock.sleep(bounded)
}

/** Commands that wait for the writer, in the order of arrival. */
interface WriteQueue {
  push(requests: readonly WriteRequest[]): void
  /** Takes the next commands, at most `most`. Low-priority commands come last, and one for each call. */
  next(most: number): WriteRequest[]
  /** Takes all commands. */
  clear(): WriteRequest[]
  isEmpty(): boolean
  /** Whether a command of normal priority waits. */
  hasNormal(): boolean
}

export function writeQueue(): WriteQueue {
  const normal: WriteRequest[] = []
  /** One of them is taken with each call: none waits for ever, however many normal commands come. */
  const low: WriteRequest[] = []
  return {
    push(requests) {
      for (const each of requests) (each.options.lowPriority ? low : normal).push(each)
    },
    next(most) {
      const last = low.splice(0, 1)
      return [...normal.splice(0, most - last.length), ...last]
    },
    clear: () => [...normal.splice(0), ...low.splice(0)],
    isEmpty: () => normal.length === 0 && low.length === 0,
    hasNormal: () => normal.length > 0,
  }
}
