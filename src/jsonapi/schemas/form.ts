import type { JsonSchema } from '../../resource/field.ts'

/** The form of a text as words after "must be": the comment of its schema, or else a description that is no sentence. */
export function formIn({ $comment, description }: JsonSchema = {}): string | undefined {
  const isForm = (text: unknown) => typeof text === 'string' && !text.endsWith('.')
  return [$comment, description].find(isForm) as string | undefined
}

/** Returns a schema with a note as its description, which keeps the form that its own description has said. */
export function withNote(schema: JsonSchema, note: string): JsonSchema {
  const form = formIn(schema)
  return { ...schema, description: note, ...(form !== undefined && { $comment: form }) }
}
