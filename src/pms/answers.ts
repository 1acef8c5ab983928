import { DeviceFault } from '../devices/fault.ts'
import { validate } from '../jsonapi/schemas/validate.ts'
import type { JsonSchema } from '../resource/field.ts'
import { Problem } from '../resource/problem.ts'
import { flags } from './capabilities/flags.ts'
import { extensionMethods } from './contract.ts'
import { JsonText } from './json-text.ts'

/** The maximum number of characters of an answer as JSON. */
const maxAnswerChars = 2_000_000

/** An adapter's answer as JSON text. Throws vendor-error for an answer that is not plain JSON or is too large. */
export function answerText(name: string, answer: unknown): string {
  const text = answer instanceof JsonText ? answer.text : stringified(name, answer)
  if (text.length <= maxAnswerChars) return text
  throw invalidAnswer(name, `${text.length} characters, and at most ${maxAnswerChars} are taken`)
}

/** An adapter's answer as plain JSON that matches its schema. Throws vendor-error. */
export async function plainAnswer<T>(name: string, schema: JsonSchema, answer: unknown): Promise<T> {
  const plain: unknown = JSON.parse(answerText(name, answer))
  try {
    await validate(schema, plain)
  } catch (error) {
    if (error instanceof Problem) throw invalidAnswer(name, error.message, error)
    throw error
  }
  return plain as T
}

function stringified(name: string, answer: unknown): string {
  try {
    return JSON.stringify(answer) ?? 'null'
  } catch (cause) {
    throw invalidAnswer(name, 'what is no JSON', cause)
  }
}

function invalidAnswer(name: string, what: string, cause?: unknown): DeviceFault {
  return new DeviceFault('vendor-error', `${name} sent an answer that cannot be used: ${what}`, {
    cause,
  })
}

const reason = { type: 'string', minLength: 1, maxLength: 500 }
/** The schema of one variant, which its member `is` names. */
const is = (word: string, more: Record<string, JsonSchema> = {}) => ({
  type: 'object',
  properties: { is: { const: word }, ...more },
  required: ['is', ...Object.keys(more)],
  additionalProperties: false,
})

/** JSON Schema of an AssignAnswer. */
export const assignAnswerSchema: JsonSchema = {
  oneOf: [
    is('chosen', {
      unitIds: { type: 'array', minItems: 1, maxItems: 20, items: { type: 'string', format: 'uuid' } },
    }),
    is('none-eligible', { reason }),
    is('change-refused', { reason }),
    is('unavailable', { reason }),
  ],
}

const extension = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100 },
    methods: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: extensionMethods } },
    description: { type: 'string', maxLength: 500 },
  },
  required: ['name', 'methods', 'description'],
  additionalProperties: false,
}

const rateLimit = {
  type: ['object', 'null'],
  properties: { requests: { type: 'integer', minimum: 1 }, seconds: { type: 'integer', minimum: 1 } },
  required: ['requests', 'seconds'],
  additionalProperties: false,
}

/** JSON Schemas of the members that an adapter's capabilities and the document of the interface have in common. */
export const capabilityMembers: Record<string, JsonSchema> = {
  flags: { type: 'array', uniqueItems: true, items: { enum: flags } },
  extensions: { type: 'array', maxItems: 100, items: extension },
  rateLimit,
  timeZone: { type: ['string', 'null'], maxLength: 60 },
}

/** JSON Schema of the Capabilities of an adapter. */
export const capabilitiesSchema: JsonSchema = {
  type: 'object',
  properties: { ...capabilityMembers, ttlSeconds: { type: 'integer', minimum: 1 } },
  required: Object.keys(capabilityMembers),
  additionalProperties: false,
}
