import { DeviceFault, type FaultCode } from '../fault.ts'

/** Whether a command may be sent once more: `unlessWrite` when the reader may have executed it. */
type Again = 'never' | 'unlessWrite' | 'always'

/** A failed attempt at a command. */
export interface FailedAttempt {
  detail: string
  /** The fault; null when the reader was silent or its answer unreadable. */
  code: FaultCode | null
  vendorCode?: string
  again: Again
}

/** The result of an attempt. `isExecuted` is false when the reader reports that it did not execute the command. */
interface DoneAttempt<Result> {
  result: Result
  isExecuted: boolean
  again: Again
}

/** What one attempt gave. */
export type Attempt<Result> = DoneAttempt<Result> | FailedAttempt

/** The line to a reader that answers each command and never sends on its own. */
interface ReaderLine {
  /** True once the next answer can only be that of the next command. */
  ready(): Promise<boolean>
  isGone(): boolean
}

interface ReaderCommand<Result> {
  name: string
  /** Whether the command may change a card. */
  isWrite: boolean
  /**
   * Sends the command and interprets the answer. Throws the DeviceFault of a command that the reader cannot execute.
   */
  attempt(): Promise<Attempt<Result>>
}

/** Sends commands to a reader, and counts the writes among them. */
interface CommandSender {
  /**
   * Sends a command, once more at most. Rejects with a DeviceFault: `encoder-timeout-writing` when a write was sent and
   * its outcome is unknown; otherwise `encoder-offline` when the line has ended, and `encoder-timeout` when the reader
   * is silent. Do not call it again before it has settled.
   */
  send<Result>(line: ReaderLine, command: ReaderCommand<Result>): Promise<Result>
  /** The number of writing commands that were sent, without those that the reader did not execute. */
  writesSent(): number
}

export function commandSender(): CommandSender {
  let writes = 0
  return { send, writesSent: () => writes }

  async function send<Result>(line: ReaderLine, command: ReaderCommand<Result>): Promise<Result> {
    const { name, isWrite, attempt } = command
    let isSent = false
    for (let again = true; ; again = false) {
      if (!(await line.ready())) throw silence('the reader is gone, silent or out of step')
      isSent = true
      if (isWrite) writes++
      const outcome = await attempt()
      if (again && mayBeSentAgain(outcome, isWrite)) continue
      if ('result' in outcome) {
        if (isWrite && !outcome.isExecuted) writes--
        return outcome.result
      }
      const { code, detail, vendorCode } = outcome
      if (code === null) throw silence(detail)
      throw new DeviceFault(code, `${name}: ${detail}`, vendorCode === undefined ? {} : { vendorCode })
    }

    function silence(detail: string): DeviceFault {
      const code: FaultCode = line.isGone() ? 'encoder-offline' : 'encoder-timeout'
      return new DeviceFault(isSent && isWrite ? 'encoder-timeout-writing' : code, `${name}: ${detail}`)
    }
  }
}

function mayBeSentAgain({ again }: { again: Again }, isWrite: boolean): boolean {
  return again === 'always' || (again === 'unlessWrite' && !isWrite)
}
