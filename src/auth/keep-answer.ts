import type { Answer } from '../jsonapi/route.ts'
import { command } from '../resource/command.ts'

export interface KeptAnswer {
  keptAnswer: Answer
}

/** The command that stores the answer of a request that wrote nothing, under the caller's idempotency key. */
export const keepAnswer = command('keep-answer', (_tx, input: KeptAnswer): KeptAnswer => input)
