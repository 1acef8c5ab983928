import type { WriteOptions } from '../resource/command.ts'
import type { ProblemCode, ProblemOptions } from '../resource/problem.ts'
import type { Trouble } from './disk/disk-trouble.ts'

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
 * The outcome of a command: an output, problems of the caller, trouble of the disk, or a fault of the program (a stack,
 * for the log).
 */
export interface WriteResult {
  number: number
  output?: unknown
  problems?: PlainProblem[]
  trouble?: Trouble
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
 * `measured`: whether commits begin in new blocks of the log, null when that could not be found out. `answered`:
 * `commitMs` is how long the commit took, null when there was none. `here`: the answer to a heartbeat. `failed`: a fault
 * in background work. `trouble`: background work has met it. `well`: a test write has succeeded.
 */
export type FromWriter =
  | { is: 'migrated' }
  | { is: 'ready' }
  | { is: 'measured'; newBlocks: boolean | null }
  | { is: 'refused'; why: string }
  | { is: 'answered'; answers: WriteResult[]; commitMs: number | null }
  | { is: 'log-long' }
  | { is: 'here' }
  | { is: 'trouble'; trouble: Trouble }
  | { is: 'well' }
  | { is: 'failed'; fault: string }
