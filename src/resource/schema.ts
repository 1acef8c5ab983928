import type { Fields, JsonSchema } from './fields.ts'

/** The JSON Schema of an object made of these fields. What is read-only may be sent, and is ignored. */
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

/** Any subset of the fields: what a PATCH may say. A null clears, where the field may be absent. */
export function partialSchema(fields: Fields): JsonSchema {
  return { ...objectSchema(fields), required: [] }
}

export function isReadOnly(options: { readOnly?: boolean; computed?: unknown }): boolean {
  return options.readOnly === true || options.computed !== undefined
}

/** The same, or null. A schema that lets everything through stays as it is. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema
  if (typeof schema.type === 'string' && !schema.oneOf) return { ...schema, type: [schema.type, 'null'] }
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] }
  return { anyOf: [schema, { type: 'null' }] }
}
