import type { Answer } from '../jsonapi/route.ts'
import { change } from '../resource/change.ts'

export interface KeptAnswer {
  keptAnswer: Answer
}

/** Keeps the answer of what writes nothing under the caller's own idempotency key, as the outcome of a change that changes nothing. */
export const keepAnswer = change('keep-answer', (_tx, input: KeptAnswer): KeptAnswer => input)
