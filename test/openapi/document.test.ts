import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { formIn } from '../../src/jsonapi/schemas/form.ts'
import type { JsonSchema } from '../../src/resource/field.ts'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { apart } from '../documented.ts'

type Values = Record<string, unknown>

interface Operation {
  operationId: string
  deprecated?: boolean
  security: unknown[]
  tags: string[]
  parameters: { name?: string; in?: string; $ref?: string }[]
  requestBody?: { content: Record<string, { schema: object; examples: Record<string, { value: unknown }> }> }
}

describe('the OpenAPI document', () => {
  let house: TestAppliance
  let served: Reply
  let document: Values
  let operations: { path: string; verb: string; operation: Operation }[]
  before(async () => {
    house = await startAppliance({ sample: false })
    served = await house.ask('GET', '/openapi.json', { token: null })
    document = served.body
    operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
      ([path, byVerb]) => Object.entries(byVerb).map(([verb, operation]) => ({ path, verb, operation })),
    )
  })
  after(() => house.stop())

  it('says of each text with a pattern which form it has, for the error of another one', () => {
    const formless: string[] = []
    const look = (value: unknown, place: string) => {
      if (typeof value !== 'object' || value === null) return
      if ('type' in value && 'pattern' in value && !formIn(value as JsonSchema))
        formless.push(`${place}: ${value.pattern}`)
      for (const [name, each] of Object.entries(value))
        if (!['examples', 'parameters', 'responses', 'headers', 'propertyNames'].includes(name))
          look(each, `${place}/${name}`)
    }
    look(document, '')
    assert.deepEqual(formless, [])
  })

  it('is served without a token, and with a 304 when it is unchanged', async () => {
    assert.equal(served.status, 200)
    assert.equal(served.headers.get('content-type'), 'application/json')
    const headers = { 'If-None-Match': served.headers.get('etag') ?? '' }
    assert.equal((await house.ask('GET', '/openapi.json', { token: null, headers })).status, 304)
  })

  it('is an OpenAPI document of version 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    assert.ok(valid, JSON.stringify(errors, null, 1))
    assert.equal(validator.version, '3.1')
  })

  it('refers only to its own components, and contains no unused ones', () => {
    const text = JSON.stringify(document)
    const used = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, name]) => name))
    const all = Object.entries(document.components as Record<string, Values>)
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, named]) => Object.keys(named).map((name) => `${section}/${name}`))
    assert.deepEqual([...used].sort(), all.sort())
    assert.equal(text.match(/"\$ref":/g)?.length, text.match(/"\$ref":"#\/components\//g)?.length)
  })

  it('omits fields that are neither shown nor accepted', () => {
    const text = JSON.stringify(document)
    for (const name of ['digest', 'previousDigest', 'heldUnits']) assert.ok(!text.includes(`"${name}"`), name)
  })

  it("has schemas that are valid in Ajv's strict mode", () => {
    const ajv = schemasOf(document)
    const { schemas = {}, parameters, responses } = document.components as Record<string, Values>
    const bodies = operations.map(({ operation }) => operation.requestBody)
    const own = [document.paths, parameters, responses, bodies].flatMap(schemasIn)
    const shared = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }))
    const all = new Set([...own, ...shared].map((schema) => JSON.stringify(schema)))
    assert.ok(all.size > 200)
    for (const text of all) ajv.compile(apart(JSON.parse(text)))
  })

  it('has examples that match their schemas', () => {
    const ajv = schemasOf(document)
    for (const { path, verb, operation } of operations) {
      for (const { schema, examples } of Object.values(operation.requestBody?.content ?? {})) {
        const check = ajv.compile(apart(schema))
        for (const [form, { value }] of Object.entries(examples)) {
          assert.ok(check(value), `${verb} ${path}, ${form}: ${ajv.errorsText(check.errors)}`)
        }
      }
    }
  })

  it('lists exactly the routes of the appliance', () => {
    const routes = house.appliance.interfaces.flatMap((each) => each.routes)
    const blank = (path: string) => path.replaceAll(/:\w+|\{\w+\}/g, '{}')
    assert.deepEqual(
      operations.map(({ path, verb }) => `${verb.toUpperCase()} ${blank(path)}`).sort(),
      routes.map(({ method, base, path }) => `${method} ${base}/${blank(path)}`).sort(),
    )
  })

  it('names each operation once, and each parameter of its path', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    )
    for (const { path, operation } of operations) {
      assert.match(operation.operationId, /^[a-z][A-Za-z0-9]+$/)
      const named = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name)
      assert.deepEqual(
        named,
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        path,
      )
    }
  })

  it('requires a token where the route does, and marks deprecated operations', () => {
    const routes = house.appliance.interfaces.flatMap((each) => each.routes)
    const open = routes.filter(({ scope }) => scope === null).length
    assert.equal(operations.filter(({ operation }) => operation.security.length === 0).length, open)
    const deprecated = operations.filter(({ operation }) => operation.deprecated)
    assert.deepEqual(deprecated.map(({ path, verb }) => `${verb} ${path}`).sort(), [
      'patch /api/v2/profiles/{profileId}',
      'patch /api/v2/reservations/{reservationId}',
      'patch /api/v2/reservations/{reservationId}/stays/{stayId}',
      'put /api/v2/reservations/{reservationId}/stays/{stayId}/services',
      'put /api/v2/reservations/{reservationId}/stays/{stayId}/units',
    ])
  })

  it('is shown by a page that needs no internet', async () => {
    const page = await house.ask('GET', '/docs', { token: null })
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self';/)
    const asked = [...page.text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url)
    const files = asked.filter((url) => url !== 'data:,')
    assert.deepEqual(files, [
      '/docs/swagger-ui.css',
      '/docs/page.css',
      '/docs/swagger-ui-bundle.js',
      '/docs/start.js',
    ])
    for (const file of files) {
      const reply = await house.ask('GET', file, { token: null })
      assert.equal(reply.status, 200, file)
      assert.match(reply.headers.get('content-type') ?? '', file.endsWith('.css') ? /css/ : /javascript/)
      const headers = { 'If-None-Match': reply.headers.get('etag') ?? '' }
      assert.equal((await house.ask('GET', file, { token: null, headers })).status, 304)
    }
    assert.equal((await house.ask('GET', '/docs/package.json', { token: null })).status, 404)
    assert.equal((await house.ask('GET', '/docs/..%2Findex.html', { token: null })).status, 404)
  })
})

function schemasOf({ components }: Values): Ajv2020 {
  const options = { allowUnionTypes: true, strictTypes: false, strictRequired: false, inlineRefs: false }
  const ajv = new Ajv2020({ strict: true, ...options })
  formats.default(ajv)
  const { schemas: $defs } = components as Record<string, Values>
  ajv.addSchema(apart({ $id: 'components', $defs }))
  return ajv
}

/** Every schema that stands under the name `schema`, however deep. */
function schemasIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) =>
    name === 'schema' && typeof inside === 'object' && inside !== null ? [inside] : schemasIn(inside),
  )
}
