import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const folder =
  process.env.NIGHTPORTER_OHIP ?? join(import.meta.dirname, '../../../../..', 'shared', 'vendor', 'ohip')

/** What to pass as a test's `skip`: Oracle's files are not part of the project. */
export const leftOut = existsSync(folder) ? false : "left out: Oracle's API specifications are not here"

interface Schema {
  $ref?: string
  allOf?: Schema[]
  type?: string
  format?: string
  enum?: unknown[]
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

interface Parameter extends Schema {
  name: string
  in: string
  schema?: Schema
}

interface Operation {
  parameters?: Parameter[]
  responses: Record<string, { schema?: Schema }>
}

interface Specification {
  basePath: string
  paths: Record<string, Record<string, Operation>>
  definitions: Record<string, Schema>
  parameters: Record<string, Parameter>
}

const read = new Map<string, Specification>()

/** Oracle's specification of a module, such as `rsv`. */
function specification(module: string): Specification {
  const known =
    read.get(module) ?? JSON.parse(gunzipSync(readFileSync(join(folder, `${module}.json.gz`))).toString())
  read.set(module, known)
  return known
}

interface Exchange {
  /** Method and path as published. */
  operation: string
  query: URLSearchParams
  body: unknown
  status: number
  answer: unknown
}

/** What in a request and its answer is not as the specification has it, in sentences. */
export function wrongWith(exchange: Exchange, module?: string): string[] {
  const { operation, query, body, status, answer } = exchange
  const [method = '', path = ''] = operation.split(' ')
  const file = specification(module ?? path.split('/')[1] ?? '')
  const found = file.paths[path.slice(file.basePath.length)]?.[method.toLowerCase()]
  if (!found) return [`${operation} is not published`]
  const parameters = (found.parameters ?? []).map((each) =>
    each.$ref ? file.parameters[each.$ref.split('/').at(-1)!]! : each,
  )
  const wrong: string[] = []
  for (const [name, value] of query) {
    const known = parameters.find((each) => each.in === 'query' && each.name === name)
    if (!known) wrong.push(`${operation}: no parameter ${name}`)
    const allowed = known?.enum ?? known?.items?.enum
    if (allowed && !allowed.includes(value)) wrong.push(`${operation}: ${name} cannot be ${value}`)
  }
  const sent = parameters.find((each) => each.in === 'body')?.schema
  if (sent) wrong.push(...differences(file, sent, body, `${operation} request`))
  else if (body && Object.keys(body).length > 0) wrong.push(`${operation}: takes no body`)
  const response = found.responses[String(status)]
  if (!response) wrong.push(`${operation}: never answers ${status}`)
  else if (response.schema && status < 300)
    wrong.push(...differences(file, response.schema, answer, `${operation} ${status}`))
  return wrong
}

/** Where a value is not as its schema has it. A member that the schema does not name is wrong as well. */
function differences(file: Specification, schema: Schema, value: unknown, at: string): string[] {
  const { type, format, properties, required = [], items, enum: allowed, maxLength } = whole(file, schema)
  if (properties || type === 'object') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`]
    const members = value as Record<string, unknown>
    return [
      ...required.filter((name) => members[name] === undefined).map((name) => `${at} has no ${name}`),
      ...Object.entries(members).flatMap(([name, member]) => {
        const known = properties?.[name]
        if (member === undefined) return []
        return known
          ? differences(file, known, member, `${at}/${name}`)
          : [`${at} has ${name}, which is not published`]
      }),
    ]
  }
  if (type === 'array') {
    if (!Array.isArray(value)) return [`${at} is no list`]
    return value.flatMap((each, index) => differences(file, items ?? {}, each, `${at}/${index}`))
  }
  const isNumber = type === 'integer' || type === 'number'
  if (type && typeof value !== (isNumber ? 'number' : type)) return [`${at} is ${typeof value}, not ${type}`]
  if (allowed && !allowed.includes(value)) return [`${at} cannot be ${value}`]
  // Some days are published with a length of 8 beside the format of a date, which has 10.
  if (maxLength && format !== 'date' && String(value).length > maxLength) return [`${at} is too long`]
  // Only days: the published examples of moments do not have the form that the specification names.
  return format === 'date' && !/^\d{4}-\d\d-\d\d$/.test(String(value)) ? [`${at} is no day: ${value}`] : []
}

/** The schema with what it refers to and what it is made of. */
function whole(file: Specification, schema: Schema): Schema {
  if (schema.$ref) return whole(file, file.definitions[schema.$ref.split('/').at(-1)!]!)
  if (!schema.allOf) return schema
  const parts = schema.allOf.map((each) => whole(file, each))
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}
