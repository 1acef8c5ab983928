/** A JSON Schema as a plain object. */
export type Schema = Readonly<Record<string, unknown>>

/** What may be sent and is ignored, so that a client may send back what it read. */
export const readOnly: Schema = {}

/** An object that has these properties and no others; those not required may be null, which is the same as absent. */
export function closedObject(properties: Record<string, Schema>, required: readonly string[] = []): Schema {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : nullable(schema),
  ])
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(entries), required }
}

/** Text without control characters. */
export function textOf(min: number, max: number): Schema {
  return { type: 'string', minLength: min, maxLength: max, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }
}

export const currencySchema: Schema = { type: 'string', pattern: '^[A-Z]{3}$' }

export const dateSchema: Schema = { type: 'string', format: 'date' }

/** The object without what is null or undefined in it. */
export function withoutNulls<T extends object>(value: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> }
}

function nullable(schema: Schema): Schema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] }
  if (Object.keys(schema).length === 0) return schema
  return { anyOf: [schema, { type: 'null' }] }
}
