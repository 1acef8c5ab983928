import { createHash } from 'node:crypto'
import type { JsonSchema } from '../../resource/field.ts'

/** Returns the digest of a schema. Equal schemas in the same program have equal digests. */
export function digestOf(schema: JsonSchema): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 32)
}
