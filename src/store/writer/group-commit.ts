import type { Clock } from '../../host/clock.ts'
import type { Command } from '../../resource/command.ts'
import type { Connection } from '../connection.ts'
import { troubleIn } from '../disk/disk-trouble.ts'
import type { failures } from '../disk/failures.ts'
import type { WriteRequest, WriteResult } from '../messages.ts'
import { idempotency } from './idempotency.ts'
import type { transactions } from './transaction.ts'

/**
 * A group that is smaller than expected waits a quarter of the last commit's duration for further commands,
 * but not longer than this.
 */
const longestLingerMs = 6
/** A shorter commit has written nothing. */
const shortestCommitMs = 0.5
/** After so many short commits in a row the disk is fast: an earlier long commit no longer makes anybody wait. */
const shortCommitsOfFastDisk = 4
/** A group stays open for twice as long as the last commit took, and at least this long. */
const shortestGatherMs = 10
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

/** The answers to a group, and how long its commit took; null when the group was rolled back. */
interface Committed {
  /** Empty when the whole group runs again. */
  answers: WriteResult[]
  commitMs: number | null
}

/**
 * Runs groups of commands and commits them. Each command that is refused fails alone. When the disk or SQLite fails, the group is
 * rolled back: the command that met it is refused, and the others run once more.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  readonly #byName: ReadonlyMap<string, Command>
  readonly #kept: ReturnType<typeof idempotency>
  #commitMs = 0
  /**
   * The number of commands that the next group probably gets: those that arrived during the last commit, and
   * one from each client that was answered after it. A group that did not wait for both would leave two
   * halves that take turns, and each half would wait for two commits. Where commands take longer than their
   * commit, the halves are better, because the main thread works for one while the writer works for the
   * other. It is 0 then.
   */
  #expected = 0
  #shortCommits = 0
  /** The number of commands whose writes are in the open transaction. */
  #written = 0
  /** The commands that run for the second time. */
  readonly #repeated = new WeakSet<WriteRequest>()

  constructor(options: GroupCommitOptions) {
    const { changes, tools } = options
    this.#options = options
    this.#byName = new Map(changes.map((change) => [change.name, change]))
    if (this.#byName.size !== changes.length) throw new Error('two changes share a name')
    this.#kept = idempotency(tools.prepare)
  }

  /**
   * Runs one group and commits it. When the promise resolves, the commands are on the disk and the answers may be sent.
   * Commands that arrive while the group runs join it.
   */
  async commit(): Promise<Committed> {
    const { db, tools, clock, queue, receive } = this.#options
    const group: WriteRequest[] = []
    const answers: WriteResult[] = []
    let workMs = 0
    try {
      tools.prepare('BEGIN IMMEDIATE').run()
      this.#written = 0
      const opened = clock.monotonic()
      do {
        const began = clock.monotonic()
        group.push(...queue.next(groupLimit - group.length))
        while (answers.length < group.length) answers.push(this.#run(group[answers.length]!))
        workMs += clock.monotonic() - began
        receive()
        if (queue.isEmpty() && group.length < this.#expected) {
          await linger(clock, this.#commitMs / 4)
          receive()
        }
      } while (!queue.isEmpty() && this.#isOpen(group, clock.monotonic() - opened))
      const started = clock.monotonic()
      tools.prepare('COMMIT').run()
      const tookMs = clock.monotonic() - started
      receive()
      this.#expect(tookMs, workMs, group.length)
      return { answers, commitMs: tookMs }
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      tools.rolledBack()
      return { answers: this.#takenApart(group, group[answers.length], error), commitMs: null }
    }
  }

  #expect(tookMs: number, workMs: number, commands: number): void {
    if (tookMs >= shortestCommitMs) {
      this.#commitMs = tookMs
      this.#expected = tookMs > workMs ? commands + this.#options.queue.size() : 0
      this.#shortCommits = 0
    } else if (++this.#shortCommits >= shortCommitsOfFastDisk) this.#commitMs = tookMs
  }

  /**
   * Answers a group that was rolled back. Refuses the command that met the error, if one did, and each that runs for the
   * second time; the others run once more, in the next group. So a command waits for two groups at most. Without a
   * transaction nothing can run, and every waiting command is refused.
   */
  #takenApart(group: WriteRequest[], failed: WriteRequest | undefined, error: unknown): WriteResult[] {
    const { queue, failure } = this.#options
    const again = group.filter((each) => each !== failed && !this.#repeated.has(each))
    const refused = group.length > 0 ? group.filter((each) => !again.includes(each)) : queue.clear()
    for (const each of again) this.#repeated.add(each)
    queue.putBack(again)
    return refused.map(({ number }) => failure.answer(number, error))
  }

  #isOpen(group: WriteRequest[], gatheredMs: number): boolean {
    if (group.every(({ options }) => options.lowPriority))
      return group.length < lowPriorityLimit && gatheredMs < lowPriorityGatherMs
    // A normal command does not wait for low-priority commands.
    const longestMs = Math.max(2 * this.#commitMs, shortestGatherMs)
    return this.#options.queue.hasNormal() && group.length < groupLimit && gatheredMs < longestMs
  }

  /**
   * Runs one command. When it fails, or is a dry run, its writes are taken back: to its savepoint, or with the
   * whole transaction while that contains nothing else. So a command that is alone needs no savepoint.
   */
  #run({ number, change, input, now, options }: WriteRequest): WriteResult {
    const { db, failure, tools } = this.#options
    const isAlone = this.#written === 0
    if (!isAlone) tools.prepare('SAVEPOINT one').run()
    try {
      const declared = this.#byName.get(change)
      if (!declared) throw new Error(`no change is called ${change}`)
      const output = declared.run(tools.begin(now, options.actor), input)
      if (tools.isLost()) throw new Error(`the transaction of ${change} is lost`)
      const isDone = declared.isDone?.(output) ?? true
      if (options.idempotency && isDone) this.#kept.keep(options.idempotency, output, now)
      if (options.dryRun) {
        this.#takeBack(isAlone)
        return { number, output }
      }
      if (!isAlone) tools.prepare('RELEASE one').run()
      this.#written++
      return { number, output }
    } catch (error) {
      // SQLite has rolled back the whole group. Or, as after damage, it refuses all that follows until the group is rolled back.
      if (!db.inTransaction || troubleIn(error)) throw error
      this.#takeBack(isAlone)
      return failure.answer(number, error)
    }
  }

  #takeBack(isAlone: boolean): void {
    const { prepare, rolledBack } = this.#options.tools
    prepare(isAlone ? 'ROLLBACK' : 'ROLLBACK TO one').run()
    rolledBack()
    prepare(isAlone ? 'BEGIN IMMEDIATE' : 'RELEASE one').run()
  }
}

function linger(clock: Clock, ms: number): Promise<void> {
  const bounded = Math.min(ms, longestLingerMs)
  return bounded < 1 ? new Promise((resolve) => setImmediate(resolve)) : clock.sleep(bounded)
}

/** Commands that wait for the writer, in the order of arrival. Low-priority commands come last. */
export class WriteQueue {
  readonly #normal: WriteRequest[] = []
  /** One of them is taken with each call: none waits for ever, however many normal commands come. */
  readonly #low: WriteRequest[] = []

  push(requests: readonly WriteRequest[]): void {
    for (const each of requests) (each.options.lowPriority ? this.#low : this.#normal).push(each)
  }

  /** Takes the next commands, at most `most`, and at most one of them of low priority. */
  next(most: number): WriteRequest[] {
    const last = this.#low.splice(0, 1)
    return [...this.#normal.splice(0, most - last.length), ...last]
  }

  /** Puts commands back before all others, in their order. */
  putBack(requests: readonly WriteRequest[]): void {
    const isLow = ({ options }: WriteRequest) => options.lowPriority === true
    this.#normal.unshift(...requests.filter((each) => !isLow(each)))
    this.#low.unshift(...requests.filter(isLow))
  }

  /** Takes all commands. */
  clear(): WriteRequest[] {
    return [...this.#normal.splice(0), ...this.#low.splice(0)]
  }

  size(): number {
    return this.#normal.length + this.#low.length
  }

  isEmpty(): boolean {
    return this.size() === 0
  }

  /** Whether a command of normal priority waits. */
  hasNormal(): boolean {
    return this.#normal.length > 0
  }
}
