import { DeviceFault, type FaultCode } from '../fault.ts'
import { type KeptBytes, none } from './kept-bytes.ts'

/** A command of a reader: a row of its protocol table. The driver, its mask and its simulator work from the rows. */
export interface ReaderCommand {
  code: number
  /** The number of data bytes in a request. */
  takes: number
  /** The deadline of the answer, in ms. */
  withinMs: number
  /** Whether the command may change a card. */
  writes: boolean
  /** What a recording may keep of the data of a request, and of an answer. */
  keeps: KeptBytes
  gives: KeptBytes
  /** Decodes the data of an answer; undefined when they cannot be the answer to this command. */
  read: (data: Buffer) => unknown
}

type ReaderTable = Readonly<Record<string, ReaderCommand>>
type NameIn<Table> = keyof Table & string
type ResultOf<Row extends ReaderCommand> = Exclude<ReturnType<Row['read']>, undefined>

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

/**
 * What one attempt gave. A result is what the row's `read` returned, or the reader's refusal. `isExecuted` is false when
 * the reader reports that it did not execute the command.
 */
export type Attempt = { result: unknown; isExecuted: boolean; again: Again } | FailedAttempt

/** The line to a reader that answers each command and never sends on its own. */
interface ReaderLine {
  /** True once the next answer can only be that of the next command. */
  ready(row: ReaderCommand): Promise<boolean>
  isGone(): boolean
  /**
   * Sends a command and interprets the answer. Throws the DeviceFault of a command that the reader cannot execute.
   */
  attempt(row: ReaderCommand, data: readonly number[], name: string): Promise<Attempt>
}

/**
 * Sends the commands of a table over a line, and counts the writes among them. `Refused` is the reader's refusal of a
 * command, where that is a result.
 */
export function readerLink<Table extends ReaderTable, Refused = never>(
  commands: Table,
  { ready, isGone, attempt }: ReaderLine,
) {
  type Result<Name extends NameIn<Table>> = ResultOf<Table[Name]> | Refused
  let writes = 0
  /** The number of writing commands that were sent, without those that the reader did not execute. */
  const writesSent = () => writes
  return { ask, writesSent }

  /**
   * Sends a command, once more at most, and resolves with its result. Rejects with a DeviceFault:
   * `encoder-timeout-writing` when a write was sent and its outcome is unknown; otherwise `encoder-offline` when the
   * line has ended, and `encoder-timeout` when the reader is silent. Do not call it again before it has settled.
   */
  async function ask<Name extends NameIn<Table>>(name: Name, ...data: number[]): Promise<Result<Name>> {
    const row = commands[name]!
    let isSent = false
    for (let again = true; ; again = false) {
      if (!(await ready(row))) throw silence('the reader is gone, silent or out of step')
      isSent = true
      if (row.writes) writes++
      const outcome = await attempt(row, data, name)
      if (again && mayBeSentAgain(outcome, row)) continue
      if ('result' in outcome) {
        if (row.writes && !outcome.isExecuted) writes--
        return outcome.result as Result<Name>
      }
      const { code, detail, vendorCode } = outcome
      if (code === null) throw silence(detail)
      throw new DeviceFault(code, `${name}: ${detail}`, vendorCode === undefined ? {} : { vendorCode })
    }

    function silence(detail: string): DeviceFault {
      const code: FaultCode = isGone() ? 'encoder-offline' : 'encoder-timeout'
      return new DeviceFault(isSent && row.writes ? 'encoder-timeout-writing' : code, `${name}: ${detail}`)
    }
  }
}

function mayBeSentAgain({ again }: { again: Again }, { writes }: ReaderCommand): boolean {
  return again === 'always' || (again === 'unlessWrite' && !writes)
}

/** The name of the command with this code; undefined for a code in no row. */
export function nameOf<Table extends ReaderTable>(commands: Table, code: number): NameIn<Table> | undefined {
  return (Object.keys(commands) as NameIn<Table>[]).find((name) => commands[name]?.code === code)
}

/**
 * Keeps of a request and of its answer what its row keeps. Of a command in no row, and of its answer, nothing is kept. Call
 * both in the order of the bytes on the wire.
 */
export function keptData(commands: ReaderTable) {
  let asked: ReaderCommand | undefined
  return {
    request(code: number, data: Uint8Array): Uint8Array {
      asked = commands[nameOf(commands, code) ?? '']
      return (asked?.keeps ?? none)(data)
    },
    answer: (data: Uint8Array): Uint8Array => (asked?.gives ?? none)(data),
  }
}
