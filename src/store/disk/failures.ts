import Database from 'better-sqlite3'
import { Problem, type ProblemCode } from '../../resource/problem.ts'
import type { FromWriter, PlainProblem, WriteResult } from '../messages.ts'
import { troubleIn } from './disk-trouble.ts'

/**
 * Reports failures of the writer: to the caller of the failed command, and of background work to the main thread.
 */
export function failures(send: (message: FromWriter) => void) {
  let lastSent = ''

  /** Returns the answer for a command that failed. */
  function answer(number: number, error: unknown): WriteResult {
    if (error instanceof Problem) return { number, problems: [error, ...error.others].map(plainly) }
    const trouble = troubleIn(error)
    if (trouble) return { number, trouble }
    if (isHeld(error)) return { number, problems: [held] }
    return { number, fault: textOf(error) }
  }

  /**
   * Reports a failure of background work that is retried later; the same failure is reported once. Throws an
   * error that is not from SQLite.
   */
  function notice(error: unknown): void {
    if (!(error instanceof Database.SqliteError)) throw error
    const trouble = troubleIn(error)
    const text = textOf(error)
    if (trouble) send({ is: 'trouble', trouble })
    if (trouble || isHeld(error) || text === lastSent) return
    lastSent = text
    send({ is: 'failed', fault: text })
  }

  return { answer, notice }
}

const held: PlainProblem = {
  code: 'busy',
  detail: 'Another program has locked the database. Nothing was written. Close that program, or try again.',
  options: { meta: { retryAfterSeconds: 5 } },
}

function isHeld(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}

function plainly({ code, message, options: { cause, ...options } }: Problem): PlainProblem {
  return { code: code as ProblemCode, detail: message, options }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
