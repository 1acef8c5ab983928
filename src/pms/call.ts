import type { Actor } from '../resource/command.ts'

/** The caller of an adapter. */
export interface Call {
  /** Aborted when the caller no longer waits for the answer. */
  signal: AbortSignal
  actor: Actor
}
