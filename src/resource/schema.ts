import type { Fields, JsonSchema } from './field.ts'
import { isReadOnly } from './fields.ts'

/** Returns the JSON Schema of an object with these fields. Read-only fields are accepted and ignored. */
export function objectSchema(fields: Fields, without: readonly PropertyKey[] = []): JsonSchema {
  const entries = Object.entries(fields).filter(([name]) => !without.includes(name))
  const written = entries.filter(([, { options }]) => !isReadOnly(options))
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      entries.map(([name, { schema, options }]) => [
        name,
        isReadOnly(options) ? {} : options.required ? schema : nullable(schema),
      ]),
    ),
    required: written.filter(([, { options }]) => options.required).map(([name]) => name),
  }
}

/** Returns the JSON Schema of a PATCH: any subset of the fields. A null clears an optional field. */
export function partialSchema(fields: Fields): JsonSchema {
  return { ...objectSchema(fields), required: [] }
}

/** Returns the schema extended by null. A schema without restrictions stays unchanged. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema
  if (typeof schema.type === 'string' && !schema.oneOf) return { ...schema, type: [schema.type, 'null'] }
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] }
  return { anyOf: [schema, { type: 'null' }] }
}
