import { exactly } from '../jsonapi/description.ts'
import { documentAnswer } from '../jsonapi/document-answers.ts'
import type { Answer } from '../jsonapi/route.ts'
import { text } from '../jsonapi/schemas/words.ts'
import type { Document, WriteOptions } from '../resource/command.ts'

/** A code for one person or one browser, and the digest that the store keeps of it. */
export interface MadeCode {
  code: string
  stored: { code: string; codeEndsAt: number }
}

/**
 * Returns the code for `meta` once. The stored output for a repeated request does not contain the code, and a dry run
 * makes no code.
 */
export function shownOnce(
  { code, stored }: MadeCode,
  { dryRun, idempotency }: WriteOptions,
): Record<string, unknown> {
  if (dryRun) return { note: 'With dryRun no code is made.' }
  if (idempotency?.answered) return { note: 'The code was shown when it was made. It is not stored.' }
  return { code, codeEndsAt: new Date(stored.codeEndsAt).toISOString() }
}

/** Answers with a resource that was given a new code, and with the code. */
export function answerWithCode(document: Document, made: MadeCode, options: WriteOptions): Answer {
  return documentAnswer(document, shownOnce(made, options))
}

/** Returns the schema of `meta` with a code that `description` explains. */
export function codeSchema(description: string) {
  return {
    anyOf: [
      exactly({ code: { ...text, description }, codeEndsAt: { ...text, format: 'date-time' } }),
      exactly({ note: { ...text, description: 'Why there is no code.' } }),
    ],
  }
}
