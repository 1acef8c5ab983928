import type { WriteOptions } from '../resource/change.ts'
import type { ProblemCode, ProblemOptions } from '../resource/problem.ts'
import type { Trouble } from './disk-trouble.ts'

/** One change asked of the writer thread. */
export interface Asked {
  number: number
  change: string
  input: unknown
  /** The appliance's clock at the asking, Unix milliseconds. */
  now: number
  options: WriteOptions
}

export interface PlainProblem {
  code: ProblemCode
  detail: string
  options: ProblemOptions
}

/** What became of it: an output, problems of the caller's, or a fault of ours (a stack, for the log). */
export interface Answered {
  number: number
  output?: unknown
  problems?: PlainProblem[]
  fault?: string
}

/** `copied`: most of the log is in the database. `beat`: say that you are here. `try`: try whether the disk can be written. */
export type ToWriter =
  | { is: 'ask'; asked: Asked[] }
  | { is: 'copied' }
  | { is: 'beat' }
  | { is: 'try' }
  | { is: 'stop' }

/** `here`: the answer to a beat. `failed`: a fault of ours in work that nobody waits for. `well`: the disk was tried, and written. */
export type FromWriter =
  | { is: 'migrated' }
  | { is: 'ready' }
  | { is: 'refused'; why: string }
  | { is: 'answered'; answers: Answered[] }
  | { is: 'log-long' }
  | { is: 'here' }
  | { is: 'trouble'; trouble: Trouble }
  | { is: 'well' }
  | { is: 'failed'; fault: string }
