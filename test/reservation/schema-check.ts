import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Schema } from '../../src/reservation/values/value-schema.ts'

const ajv = new Ajv2020({ strict: true })
formats.default(ajv)

/** Whether the value has the form of the schema, which itself must stand the strict mode of Ajv. */
export function accepts(schema: Schema, value: unknown): boolean {
  return ajv.validate(schema, value)
}
