import type { Command, WriteOptions } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { WriteRequest, WriteResult } from './messages.ts'

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
interface WaitingCommands {
  /** Sends a command, at once or with others. Resolves with its output; rejects with Problem or Error. */
  add<Input, Output>(
    change: Command<Input, Output>,
    input: Input,
    at: number,
    options: WriteOptions,
  ): Promise<Output>
  /** Sends the commands that are not sent yet. */
  flush(): void
  /** Answers one command. */
  settle(result: WriteResult): void
  /** Rejects all commands. */
  failAll(error: Error): void
  count(): number
}

/** Creates the list. `send` throws if the commands cannot be sent to a thread. */
export function waitingCommands(send: (requests: WriteRequest[]) => void): WaitingCommands {
  const waiters = new Map<number, Waiter>()
  let outgoing: WriteRequest[] = []
  let number = 0

  function add<Input, Output>(
    change: Command<Input, Output>,
    input: Input,
    now: number,
    options: WriteOptions,
  ): Promise<Output> {
    if (waiters.size >= mostWaiting) {
      const detail = `${waiters.size} changes are waiting.`
      return Promise.reject(new Problem('busy', detail, { meta: { retryAfterSeconds: 1 } }))
    }
    return new Promise<Output>((resolve, reject) => {
      number++
      waiters.set(number, { resolve: resolve as Waiter['resolve'], reject })
      outgoing.push({ number, change: change.name, input, now, options })
      // The only waiting command is sent at once; the writer commits it while this turn of the event loop
      // continues. Others are collected.
      if (waiters.size === 1 || outgoing.length >= mostTogether) flush()
      else if (outgoing.length === 1) setImmediate(flush)
    })
  }

  function flush(): void {
    if (outgoing.length === 0) return
    const requests = outgoing
    outgoing = []
    try {
      send(requests)
    } catch (error) {
      // The input cannot be sent to a thread, which is a fault of the program. The callers are rejected at
      // once.
      for (const each of requests) settle({ number: each.number, fault: String(error) })
    }
  }

  function settle({ number: of, output, problems, fault }: WriteResult): void {
    const waiter = waiters.get(of)
    waiters.delete(of)
    if (problems) waiter?.reject(problemFrom(problems))
    else if (fault) waiter?.reject(new Error(`in the writer: ${fault}`))
    else waiter?.resolve(output)
  }

  function failAll(error: Error): void {
    for (const { reject } of waiters.values()) reject(error)
    waiters.clear()
  }

  return { add, flush, settle, failAll, count: () => waiters.size }
}

/** Problems lose their class on the way between threads. */
function problemFrom(problems: NonNullable<WriteResult['problems']>): unknown {
  return Problem.all(problems.map(({ code, detail, options }) => new Problem(code, detail, options)))
}
