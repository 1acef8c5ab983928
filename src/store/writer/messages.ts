import type { WriteOptions } from '../../resource/command.ts'
import type { ProblemCode, ProblemOptions } from '../../resource/problem.ts'
import type { Trouble } from '../disk/disk-trouble.ts'

/** One command that is sent to the writer thread. */
export interface WriteRequest {
  number: number
  change: string
  input: unknown
  /** The time of the call by the appliance's clock, Unix milliseconds. */
  now: number
  options: WriteOptions
}

export interface PlainProblem {
  code: ProblemCode
  detail: string
  options: ProblemOptions
}

/**
 * The outcome of a command: an output, problems of the caller, or a fault of the program (a stack, for the
 * log).
 */
export interface WriteResult {
  number: number
  output?: unknown
  problems?: PlainProblem[]
  fault?: string
}

/**
 * `copied`: a checkpoint has ended. `beat`: a heartbeat to answer. `try`: test whether the disk can be
 * written.
 */
export type ToWriter =
  | { is: 'ask'; requests: WriteRequest[] }
  | { is: 'copied' }
  | { is: 'beat' }
  | { is: 'try' }
  | { is: 'stop' }

/**
 * `here`: the answer to a heartbeat. `failed`: a fault in background work. `well`: a test write has
 * succeeded.
 */
export type FromWriter =
  | { is: 'migrated' }
  | { is: 'ready' }
  | { is: 'refused'; why: string }
  | { is: 'answered'; answers: WriteResult[] }
  | { is: 'log-long' }
  | { is: 'here' }
  | { is: 'trouble'; trouble: Trouble }
  | { is: 'well' }
  | { is: 'failed'; fault: string }
