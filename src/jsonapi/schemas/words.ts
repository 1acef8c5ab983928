import type { JsonSchema } from '../../resource/field.ts'
import { nullable } from '../../resource/schema.ts'

/** The schemas of single values in bodies and answers. */
export const text: JsonSchema = { type: 'string' }
export const textOrNull = nullable(text)
export const flag: JsonSchema = { type: 'boolean' }
export const count: JsonSchema = { type: 'integer', minimum: 0 }
export const countOrNull = nullable(count)
export const uuid: JsonSchema = { type: 'string', format: 'uuid' }
export const moment: JsonSchema = { type: 'string', format: 'date-time' }
export const momentOrNull = nullable(moment)

/** The schema of a list of items. */
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items })

/** A code that a person reads from one screen and types into another. Spaces and hyphens do not count. */
export const typedCode: JsonSchema = {
  type: 'string',
  maxLength: 40,
  pattern: '^[\\s-]*([0-9][\\s-]*){8}$',
  $comment: '8 digits',
}
