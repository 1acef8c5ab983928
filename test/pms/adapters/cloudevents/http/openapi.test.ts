import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type MessageKind, messages } from '../../../../../src/pms/adapters/cloudevents/messages/messages.ts'
import { pmsOpenApi } from '../../../../../src/pms/adapters/cloudevents/openapi.ts'
import { startAppliance } from '../../../../appliance.ts'
import { anOffer, aReservation, calling } from '../../adapter-contract.ts'
import { changesOfEveryKind } from '../changes-of-every-kind.ts'
import { eventsOf } from '../mqtt/mqtt-peer.ts'
import { type HttpBench, httpBench } from './http-bench.ts'

interface Parameter {
  name: string
  in: 'query' | 'header' | 'path'
  required?: boolean
  schema: object
}
interface Body {
  content: Record<string, { schema: object; example?: unknown }>
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: Body
  responses: Record<string, Partial<Body> & { $ref?: string }>
}
/** Operations by their method, and the parameters of all of them. */
type PathItem = Record<string, Operation | Parameter[] | undefined>
interface OpenApi {
  paths: Record<string, PathItem>
  webhooks: Record<string, PathItem>
  components: { schemas: Record<string, object>; responses: Record<string, Partial<Body>> }
}

/** As it is served: without what JSON cannot say. */
const document = JSON.parse(JSON.stringify(pmsOpenApi('0.0.0'))) as OpenApi

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv, ['date', 'date-time', 'uuid', 'email'])
ajv.addSchema(document, 'document')

/** Throws what is wrong with a value. */
function expectAsDocumented(what: string, schema: object, value: unknown): void {
  const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'))
  const check = ajv.compile(local)
  assert.ok(check(value), `${what}: ${ajv.errorsText(check.errors)}\n${JSON.stringify(value)?.slice(0, 600)}`)
}

/** What went over one connection, in both directions. */
interface Exchange {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
  status: number
  type: string
  answer: string
}

/** Passes requests on to a server, and keeps what was exchanged. */
async function recording(to: string): Promise<{ url: string; exchanges: Exchange[]; server: Server }> {
  const exchanges: Exchange[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>
    const method = request.method ?? ''
    const answer = await fetch(to + request.url, { method, headers, ...(body !== '' && { body }) })
    const text = await answer.text()
    const type = answer.headers.get('content-type') ?? ''
    const url = new URL(request.url ?? '', to)
    exchanges.push({ method, url, headers: request.headers, body, status: answer.status, type, answer: text })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, exchanges, server }
}

function operationOf({ method, url }: Exchange): { path: string; item: PathItem; operation: Operation } {
  for (const [path, item] of Object.entries(document.paths)) {
    const pattern = path.replaceAll(/\{\w+\}/g, '[^/]+')
    const operation = item[method.toLowerCase()] as Operation | undefined
    if (operation && new RegExp(`^${pattern}$`).test(url.pathname)) return { path, item, operation }
  }
  assert.fail(`${method} ${url.pathname} is not documented`)
}

/** Fails unless a request and its answer are as the document says. Returns the operation and the status. */
function documented(exchange: Exchange): string {
  const { url, headers, body, status, type, answer } = exchange
  const { path, item, operation } = operationOf(exchange)
  const common = (item.parameters ?? []) as Parameter[]
  const parameters = [...common, ...(operation.parameters ?? [])]
  for (const { name, in: place, required, schema } of parameters) {
    const given =
      place === 'query'
        ? url.searchParams.get(name)
        : place === 'header'
          ? headers[name.toLowerCase()]
          : decodeURIComponent(url.pathname.split('/').at(-1)!)
    if (given === null || given === undefined) assert.ok(!required, `${operation.operationId}: ${name}`)
    else {
      const isNumber = (schema as { type?: string }).type === 'integer'
      expectAsDocumented(`${path} ${name}`, schema, isNumber ? Number(given) : given)
    }
  }
  const known = new Set(parameters.map(({ name }) => name))
  if (!path.includes('{')) for (const name of url.searchParams.keys()) assert.ok(known.has(name), name)
  if (body === '') assert.ok(!operation.requestBody || path.includes('{'), operation.operationId)
  else {
    const media = operation.requestBody?.content[headers['content-type'] ?? '']
    assert.ok(media, `${operation.operationId}: ${headers['content-type']}`)
    expectAsDocumented(`${path} request`, media.schema, JSON.parse(body))
  }
  const named = operation.responses[status] ?? operation.responses.default!
  const response = named.$ref ? document.components.responses[named.$ref.split('/').at(-1)!]! : named
  if (answer !== '') {
    const media = response.content?.[type]
    assert.ok(media, `${operation.operationId} ${status}: ${type}`)
    expectAsDocumented(`${path} ${status}`, media.schema, JSON.parse(answer))
  }
  return `${operation.operationId} ${status}`
}

describe('the OpenAPI document of a PMS', () => {
  let bench: HttpBench
  let line: Awaited<ReturnType<typeof recording>>
  before(async () => {
    bench = await httpBench()
    line = await recording(bench.server.baseUrl)
    bench.settings.baseUrl = line.url
    await bench.reopen()
  })
  after(async () => {
    await bench.close()
    line.server.close()
  })

  it('is served without a token, and once to a client that has it', async (t) => {
    const house = await startAppliance({ sample: false })
    t.after(() => house.stop())
    const served = await house.ask('GET', '/pms-openapi.json', { token: null })
    assert.equal(served.headers.get('content-type'), 'application/json')
    assert.match(served.body.info.version, /^\d+\.\d+\.\d+$/)
    assert.deepEqual(served.body.paths, document.paths)
    const headers = { 'If-None-Match': served.headers.get('etag') ?? '' }
    assert.equal((await house.ask('GET', '/pms-openapi.json', { token: null, headers })).status, 304)
  })

  it('is an OpenAPI document of version 3.1 without unused schemas', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document) as never)
    assert.ok(valid, JSON.stringify(errors, null, 1))
    assert.equal(validator.version, '3.1')
    const referred = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(?:schemas|responses)\/([^"]+)"/g)].map(
        ([, name]) => name,
      ),
    )
    const { schemas, responses } = document.components
    assert.deepEqual([...referred].sort(), [...Object.keys(schemas), ...Object.keys(responses)].sort())
  })

  it('describes each exchange of the appliance with a PMS, from the first page to a failure', async () => {
    const { carrier, pms } = bench
    const pull = async (cursor: string | null) => bench.side.pull(cursor, calling())
    // Only the last state of a reservation is in the first page.
    pms.book.make(aReservation('kept'))
    changesOfEveryKind(pms)
    const { cursor } = await pull(null)
    await pull(cursor)
    await pull(cursor)
    // The page after an unknown cursor is that without one.
    await pull('a cursor of another PMS').catch(() => {})
    pms.misbehaviour.faults.push({ at: 'pms.changes.requested', does: 'busy' })
    await assert.rejects(pull(cursor))
    const [kept] = await bench.side.push!([anOffer(aReservation('of the house'))], calling())
    assert.ok(kept?.is === 'accepted')
    await carrier.publish(eventsOf(3), calling())
    for (const type of [
      'pms.capabilities.requested',
      'pms.unit-assignment.requested',
      'pms.extension.invoked',
    ] as const)
      await carrier.request(type, messages[type].example.data as never, calling())
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      const body =
        method === 'GET' ? null : { callbackUrl: 'https://house.example/callback', secret: 'whsec_YQ==' }
      await carrier.request(
        'pms.extension.invoked',
        { name: 'webhooks', method, query: '', body } as never,
        calling(),
      )
    }
    const said = new Set(line.exchanges.map(documented))
    for (const expected of [
      'requestChanges 200',
      'requestChanges 304',
      'requestChanges 410',
      'requestChanges 503',
      'offerReservations 200',
      'receiveEvents 204',
      'requestCapabilities 200',
      'requestUnitAssignment 200',
      'postExtension 200',
    ])
      assert.ok(said.has(expected), `${expected} of ${[...said].join(', ')}`)
  })

  it('has examples, and changes, that are as its own schemas say, and refuses others', () => {
    const bodies = Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((operation): Partial<Body>[] => {
        if (!operation || Array.isArray(operation)) return []
        return [
          ...(operation.requestBody ? [operation.requestBody] : []),
          ...Object.values(operation.responses),
        ]
      }),
    )
    let count = 0
    for (const { content = {} } of bodies)
      for (const { schema, example } of Object.values(content)) {
        if (example === undefined) continue
        expectAsDocumented('example', schema, example)
        count++
      }
    assert.ok(count >= 6, `${count} examples`)
    const change = { $ref: '#/components/schemas/change' }
    for (const { is, example } of Object.values(messages) as MessageKind[])
      if (is === 'notification') expectAsDocumented('change', change, example)
    const { example } = messages['pms.reservation.changed']
    assert.throws(() => expectAsDocumented('change', change, { ...example, type: 'pms.unknown' }))
    assert.throws(() => expectAsDocumented('change', change, { ...example, data: {} }))
  })
})
