import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { resources } from '../src/composition/api.ts'
import type { Appliance } from '../src/composition/appliance.ts'
import { faults } from '../src/devices/fault.ts'
import { openApi } from '../src/openapi/document.ts'
import { version } from '../src/version.ts'
import type { Reply } from './appliance.ts'

type Values = Record<string, unknown>

interface Operation {
  responses: Record<string, Response | { $ref: string }>
}

interface Response {
  'x-codes'?: string[]
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: object }>
}

export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Values>>
}

/** Throws unless an answer is one that the OpenAPI document tells of. */
export type Documented = (method: string, url: string, reply: Reply) => void

let known: Documented | undefined

/** Holds an answer to the appliance's own document, which is the same for every appliance of a process. */
export function expectDocumented({ interfaces }: Appliance, method: string, url: string, reply: Reply): void {
  known ??= documented(openApi({ version, interfaces, resources, failures: faults }) as unknown as Document)
  known(method, url, reply)
}

/**
 * Holds answers to a document: the operation is in it and lists the status; the media type, the body, the codes and the
 * headers are those of that answer. Schemas are compiled at their first use.
 */
export function documented(document: Document): Documented {
  const templates = templatesOf(document)
  const whole = validator(document)
  let sparse: typeof whole | undefined

  return (method, url, reply) => {
    const { pathname, searchParams } = new URL(url, 'http://appliance')
    const template = templates.find(({ pattern }) => pattern.test(pathname))?.template
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = template && document.paths[template]?.[verb]
    const fail = (what: string) => {
      throw new assert.AssertionError({
        message: `${method} ${url} answered ${reply.status}; by the OpenAPI document ${what}\n${reply.text.slice(0, 2_000)}`,
      })
    }
    if (!operation) {
      const expected = [template ? 405 : 404, 429]
      return expected.includes(reply.status) ? undefined : fail('this is not there')
    }
    const told = operation.responses[reply.status]
    if (!told) return fail(`the operation has no such answer`)
    const response = ('$ref' in told ? lookUp(document, told.$ref) : told) as Response
    headersHold(document, response, reply, fail)
    codesHold(response, reply, fail)
    if (method === 'HEAD' || reply.status === 304) return
    const type = reply.headers.get('content-type') ?? ''
    const key = Object.keys(response.content ?? {}).find((each) => isOfType(type, each))
    if (key === undefined) {
      if (reply.text !== '' || response.content) fail(`the body is not of the type ${type || 'of none'}`)
      return
    }
    const choosesFields = [...searchParams.keys()].some((name) => name.startsWith('fields['))
    if (choosesFields) sparse ??= validator(withoutRequired(document))
    const wrong = (choosesFields ? sparse! : whole)(response.content![key]!.schema, reply.body ?? reply.text)
    if (wrong) fail(wrong)
  }
}

/** The paths as patterns, those with more literal text first: it is they who are meant. */
function templatesOf({ paths }: Document) {
  const literal = (template: string) => template.replaceAll(/\{\w+\}/g, '').length
  return Object.keys(paths)
    .sort((one, other) => literal(other) - literal(one))
    .map((template) => {
      const text = template.split(/\{\w+\}/).map((part) => RegExp.escape(part))
      return { template, pattern: new RegExp(`^${text.join('[^/]+')}/?$`) }
    })
}

/** What is wrong with a value by one of the document's schemas; null when nothing is. */
function validator({ components }: Document): (schema: object, value: unknown) => string | null {
  const options = {
    inlineRefs: false,
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    // Compiling takes longer than checking.
    code: { optimize: false },
  }
  const ajv = new Ajv2020(options)
  formats.default(ajv)
  ajv.addSchema(apart({ $id: 'components', $defs: components.schemas }), undefined, undefined, false)
  const compiled = new WeakMap<object, ValidateFunction>()
  return (schema, value) => {
    const check = compiled.get(schema) ?? ajv.compile(apart(schema))
    compiled.set(schema, check)
    return check(value) ? null : ajv.errorsText(check.errors?.slice(0, 10), { separator: '\n' })
  }
}

/** A schema that names the shared ones where they are when they stand alone. */
export function apart<T>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"components#/$defs/'))
}

function headersHold(
  document: Document,
  { headers = {} }: Response,
  reply: Reply,
  fail: (what: string) => void,
): void {
  for (const [name, { $ref }] of Object.entries(headers)) {
    const { required, schema } = lookUp(document, $ref) as { required?: boolean; schema: Values }
    const given = reply.headers.get(name)
    if (given === null && required) fail(`it has the header ${name}`)
    if (given === null) continue
    const wrong =
      (schema.const !== undefined && given !== schema.const) ||
      (typeof schema.pattern === 'string' && !new RegExp(schema.pattern).test(given))
    if (wrong) fail(`the header ${name} is not ${given}`)
  }
}

function codesHold({ 'x-codes': codes }: Response, { body }: Reply, fail: (what: string) => void): void {
  if (!codes) return
  for (const { code } of (body?.errors ?? []) as { code: string }[]) {
    if (!codes.includes(code)) fail(`the code is one of ${codes.join(', ')}, not ${code}`)
  }
}

/** Who chooses fields gets fewer attributes and relationships than the document requires. */
function withoutRequired(document: Document): Document {
  const copy = structuredClone(document)
  for (const schema of Object.values(copy.components.schemas ?? {})) {
    const { attributes, relationships } = (schema.properties ?? {}) as Record<string, Values | undefined>
    if (!attributes) continue
    delete attributes.required
    delete relationships?.required
    schema.required = ['type', 'id', 'attributes', 'links']
  }
  return copy
}

function isOfType(given: string, told: string): boolean {
  const [type = ''] = given.split(';')
  return told.endsWith('/*') ? type.startsWith(told.slice(0, -1)) : type === told
}

function lookUp(document: Document, pointer: string): unknown {
  const [, , section = '', name = ''] = pointer.split('/')
  return document.components[section]?.[name]
}
