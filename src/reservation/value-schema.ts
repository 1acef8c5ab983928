import { currency, date, text } from '../resource/fields.ts'
import { nullable } from '../resource/schema.ts'

/** A JSON Schema as a plain object. */
export type Schema = Readonly<Record<string, unknown>>

/** What may be sent and is ignored, so that a client may send back what it read. */
export const readOnly: Schema = {}

export const currencySchema: Schema = currency().schema

export const countSchema: Schema = { type: 'integer', minimum: 0 }

export const dateSchema: Schema = date().schema

/** Text without control characters. */
export function textOf(min: number, max: number): Schema {
  return text({ min, max }).schema
}

/** An object that has these properties and no others; those not required may be null, which is the same as absent. */
export function closedObject(properties: Record<string, Schema>, required: readonly string[] = []): Schema {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : nullable(schema),
  ])
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(entries), required }
}

/** An object of exactly these properties, as a document shows it. */
export function wholeObject(properties: Record<string, Schema>): Schema {
  return closedObject(properties, Object.keys(properties))
}

/** The object without what is null or undefined in it. */
export function withoutNulls<T extends object>(value: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> }
}
