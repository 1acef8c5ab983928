import type { Answer } from '../jsonapi/route.ts'
import { change } from '../resource/change.ts'

export interface KeptAnswer {
  keptAnswer: Answer
}

/** The command that stores the answer of a request that wrote nothing, under the caller's idempotency key. */
export const keepAnswer = change('keep-answer', (_tx, input: KeptAnswer): KeptAnswer => input)
