import type { Command, WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Trouble } from '../disk/disk-trouble.ts'
import type { WriteRequest, WriteResult } from '../messages.ts'

/** The largest number of commands that wait for the writer. The next command is rejected with `busy`. */
const mostWaiting = 2_000

/**
 * The largest number of commands in one message to the writer. The writer starts on them while the server
 * still reads the other requests.
 */
const mostTogether = 8

interface Waiter {
  resolve(output: unknown): void
  reject(error: unknown): void
}

/** The commands that wait for the answer of the writer. */
export class WaitingCommands {
  readonly #waiters = new Map<number, Waiter>()
  readonly #send: (requests: WriteRequest[]) => void
  readonly #refusal: (trouble: Trouble) => Problem
  #outgoing: WriteRequest[] = []
  #number = 0
  /** The command that waited longest when `isSlow` was called last. */
  #longest: number | undefined
  #idle = Promise.withResolvers<void>()

  /**
   * `send` throws if the commands cannot be sent to a thread. `refusal` returns the Problem for a command that failed
   * because of the disk.
   */
  constructor(send: (requests: WriteRequest[]) => void, refusal: (trouble: Trouble) => Problem) {
    this.#send = send
    this.#refusal = refusal
  }

  /** Sends a command, at once or with others. Resolves with its output; rejects with Problem or Error. */
  add<Input, Output>(
    change: Command<Input, Output>,
    input: Input,
    now: number,
    options: WriteOptions,
  ): Promise<Output> {
    if (this.count() >= mostWaiting) {
      const detail = `${this.count()} changes are waiting.`
      return Promise.reject(new Problem('busy', detail, { meta: { retryAfterSeconds: 1 } }))
    }
    return new Promise<Output>((resolve, reject) => {
      const number = ++this.#number
      this.#waiters.set(number, { resolve: resolve as Waiter['resolve'], reject })
      this.#outgoing.push({ number, change: change.name, input, now, options })
      // The only waiting command is sent at once; the writer commits it while this turn of the event loop
      // continues. Others are collected.
      if (this.count() === 1 || this.#outgoing.length >= mostTogether) this.flush()
      else if (this.#outgoing.length === 1) setImmediate(() => this.flush())
    })
  }

  /** Sends the commands that are not sent yet. */
  flush(): void {
    if (this.#outgoing.length === 0) return
    const requests = this.#outgoing
    this.#outgoing = []
    try {
      this.#send(requests)
    } catch (error) {
      // The input cannot be sent to a thread, which is a fault of the program. The callers are rejected at
      // once.
      for (const { number } of requests) this.settle({ number, fault: String(error) })
    }
  }

  /** Answers one command. */
  settle({ number, output, problems, trouble, fault }: WriteResult): void {
    const waiter = this.#waiters.get(number)
    this.#waiters.delete(number)
    if (problems) waiter?.reject(problemFrom(problems))
    else if (trouble) waiter?.reject(this.#refusal(trouble))
    else if (fault) waiter?.reject(new Error(`in the writer: ${fault}`))
    else waiter?.resolve(output)
    if (this.count() === 0) this.#becomeIdle()
  }

  /** Rejects all commands. */
  failAll(error: Error): void {
    for (const { reject } of this.#waiters.values()) reject(error)
    this.#waiters.clear()
    this.#becomeIdle()
  }

  /** Whether a command that waited at the last call still waits. */
  isSlow(): boolean {
    const before = this.#longest
    ;[this.#longest] = this.#waiters.keys()
    return before !== undefined && before === this.#longest
  }

  /** Resolves when no command waits. */
  async idle(): Promise<void> {
    while (this.count() > 0) await this.#idle.promise
  }

  #becomeIdle(): void {
    this.#idle.resolve()
    this.#idle = Promise.withResolvers()
  }

  count(): number {
    return this.#waiters.size
  }
}

/** Problems lose their class on the way between threads. */
function problemFrom(problems: NonNullable<WriteResult['problems']>): unknown {
  return Problem.all(problems.map(({ code, detail, options }) => new Problem(code, detail, options)))
}
