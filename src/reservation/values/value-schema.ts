import { currency, date, text } from '../../resource/fields.ts'
import { nullable } from '../../resource/schema.ts'

/** A JSON Schema as a plain object. */
export type Schema = Readonly<Record<string, unknown>>

/** The schema of a member that is accepted and ignored, so that a client can send back what it read. */
export const readOnly: Schema = {}

export const currencySchema: Schema = currency().schema

export const countSchema: Schema = { type: 'integer', minimum: 0 }

export const dateSchema: Schema = date().schema

/** The schema of a text without control characters. */
export function textOf(min: number, max: number): Schema {
  return text({ min, max }).schema
}

/**
 * The schema of an object with these properties and no others. Properties that are not required may be null, which is
 * the same as absent.
 */
export function closedObject(properties: Record<string, Schema>, required: readonly string[] = []): Schema {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    required.includes(name) ? schema : nullable(schema),
  ])
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(entries), required }
}

/** The schema of an object in a document: all of these properties and no others. */
export function wholeObject(properties: Record<string, Schema>): Schema {
  return closedObject(properties, Object.keys(properties))
}

/** Returns a copy of the object without members that are null or undefined. */
export function withoutNulls<T extends object>(value: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> }
}
