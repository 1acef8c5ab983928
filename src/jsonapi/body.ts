import type { IncomingMessage } from 'node:http'
import { readAttributes } from '../resource/attributes.ts'
import type { JsonSchema } from '../resource/fields.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'
import { objectSchema, partialSchema } from '../resource/schema.ts'
import { validate } from './validate.ts'

export const largestBody = 1_048_576

/** The JSON of a request. Any charset parameter is accepted; the bytes are read as UTF-8. */
export async function readJson(message: IncomingMessage): Promise<unknown> {
  const length = Number(message.headers['content-length'] ?? Number.NaN)
  const chunked = message.headers['transfer-encoding'] !== undefined
  if (length === 0 || (Number.isNaN(length) && !chunked)) return undefined
  refuseMediaType(message.headers['content-type'])
  if (length > largestBody) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestBody) throw tooLarge()
    chunks.push(chunk)
  }
  if (size === 0) return undefined
  const text = Buffer.concat(chunks).toString('utf8')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Problem('malformed-json', 'The body is not JSON.', { cause, pointer: '' })
  }
}

function refuseMediaType(header: string | undefined): void {
  const [type] = (header ?? '').split(';')
  if (/^\s*application\/(vnd\.api\+)?json\s*$/i.test(type ?? '')) return
  throw new Problem('unsupported-media-type', `Send application/vnd.api+json, not ${type || 'nothing'}.`, {
    header: 'Content-Type',
  })
}

function tooLarge(): Problem {
  return new Problem('body-too-large', `A body has at most ${largestBody} bytes.`, {
    meta: { limit: largestBody },
  })
}

type Values = Record<string, unknown>

/** Reads bodies of one resource: enveloped as `{data: {type, attributes}}` or bare, whole or partial. */
export function bodyReader(resource: Resource, extra: Record<string, JsonSchema> = {}) {
  const whole = withExtra(objectSchema(resource.fields), extra)
  const partial = withExtra(partialSchema(resource.fields), extra)
  const inBatch = withExtra(objectSchema(resource.fields, resource.batch?.without ?? []), extra)

  async function read(body: unknown, schema: JsonSchema): Promise<Values> {
    const attributes = unwrap(resource.type, body)
    await validate(schema, attributes)
    return { ...pick(attributes, Object.keys(extra)), ...readAttributes(resource.fields, attributes) }
  }

  return {
    create: (body: unknown) => read(body, whole),
    patch: (body: unknown) => read(body, partial),
    async batch(body: unknown): Promise<Values[]> {
      const items = listOf(body)
      const limit = resource.batch?.limit ?? 100
      if (items.length > limit) {
        throw new Problem('batch-too-large', `A batch has at most ${limit} items.`, { meta: { limit } })
      }
      return Promise.all(
        items.map(async (item, index) => {
          try {
            return await read(item, inBatch)
          } catch (error) {
            if (error instanceof Problem)
              for (const each of [error, ...error.others]) each.options.item = index
            throw error
          }
        }),
      )
    },
  }
}

/** Id and the common fields may be sent back; they are ignored. */
function withExtra(schema: JsonSchema, extra: Record<string, JsonSchema>): JsonSchema {
  const ignored = { id: {}, type: {}, createdAt: {}, updatedAt: {}, revision: {} }
  return { ...schema, properties: { ...ignored, ...(schema.properties as Values), ...extra } }
}

function pick(values: Values, names: string[]): Values {
  return Object.fromEntries(
    names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]),
  )
}

/** The attributes of an enveloped or a bare body. */
export function unwrap(type: string, body: unknown): Values {
  if (!isObject(body)) {
    throw new Problem(
      'validation-failed',
      'Expected an object: attributes, or {"data": {"type", "attributes"}}.',
      {
        pointer: '',
      },
    )
  }
  if (!('data' in body)) return body
  const { data } = body
  if (!isObject(data)) throw new Problem('validation-failed', 'data must be an object.', { pointer: '' })
  if (data.type !== undefined && data.type !== type) {
    throw new Problem('validation-failed', `data.type must be ${type}.`, {
      pointer: '',
      meta: { allowed: [type] },
    })
  }
  const attributes = data.attributes ?? {}
  if (!isObject(attributes))
    throw new Problem('validation-failed', 'data.attributes must be an object.', { pointer: '' })
  return { ...linked(data.relationships), ...attributes }
}

/** Relationships of the envelope become reference fields, unless attributes say otherwise: `unitType` is `unitTypeId`. */
function linked(relationships: unknown): Values {
  if (!isObject(relationships)) return {}
  return Object.fromEntries(
    Object.entries(relationships).flatMap(([name, value]) => {
      const data = isObject(value) ? value.data : undefined
      return isObject(data) && typeof data.id === 'string' ? [[`${name}Id`, data.id]] : []
    }),
  )
}

function listOf(body: unknown): unknown[] {
  const list = isObject(body) && 'data' in body ? body.data : body
  if (Array.isArray(list) && list.length > 0) return list
  throw new Problem('validation-failed', 'Expected an array of at least one item.', { pointer: '' })
}

export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
