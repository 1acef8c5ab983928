import assert from 'node:assert/strict'
import type { Reply } from '../appliance.ts'
import { guestFound } from '../guest-found.ts'
import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'

export type Values = Record<string, unknown>
export type Facts = Record<string, string>

/** Who can be asked, as anybody. */
export type Asked = Pick<HouseWithPms, 'ask' | 'tokenOf'>

/**
 * One code of one operation, and the request that provokes it. `{name}` stands for a fact, anywhere in it; `{fresh}` is
 * another text each time.
 */
export interface Row<House extends Asked = HouseWithPms> {
  /** As the document writes it: `PUT /units/{unitId}`; whole where it is of another interface. */
  of: string
  status: number
  /** Of the first error. */
  code?: string
  /** Tells it from others of the same code. */
  when?: string
  /** Facts of its own, before those that all rows share. */
  given?: (house: House) => Promise<Facts>
  query?: string
  body?: unknown
  headers?: Record<string, string>
  /** A role; the administrator when absent, nobody when null. The guest of the stay has found it at a kiosk. */
  as?: string | null
  /** The house it is asked of, when any will not do: where one request is too many, held by another program, or in ruins. */
  in?: 'quotas' | 'held' | 'ruins'
  /** The answer is no JSON:API document: what a provider says is its own, and so is what is told of several cards. */
  isPlain?: true
  /** Why there is no request for it. */
  cannot?: string
  also?(reply: Reply, facts: Facts): void
}

/** What a row shows, as the document promises it. */
export function nameOf({ of, status }: Pick<Row, 'of' | 'status'>): string {
  return `${of} ${status}`
}

/** Asks for what the row is about; the answer is as it is to be. */
export async function play<House extends Asked>(house: House, row: Row<House>, facts: Facts): Promise<void> {
  const { method, path, body } = requestOf(row, facts)
  const token = row.as === undefined ? 'demo' : row.as === null ? null : await house.tokenOf(row.as)
  if (row.as === 'kiosk' && token && facts.stayId) await guestFound(house.ask, token, facts.stayId)
  const headers = fill(row.headers ?? {}, facts)
  const reply = await house.ask(method, path, { token, headers, ...(body !== undefined && { body }) })
  assert.equal(reply.status, row.status, `${method} ${path}\n${reply.text}`)
  if (row.status >= 400) expectErrors(reply, row)
  else expectDone(reply, row)
  row.also?.(reply, facts)
}

export function requestOf(
  row: Pick<Row, 'of' | 'query' | 'body'>,
  facts: Facts,
): { method: string; path: string; body: unknown } {
  const [method = '', path = ''] = row.of.split(' ')
  const query = row.query ? `?${row.query}` : ''
  const base = path.startsWith('/api/') ? '' : '/api/v2'
  const filled = fill(`${base}${path}${query}`, facts)
  assert.doesNotMatch(filled, /[{}]/)
  return { method, path: filled, body: fill(row.body, facts) }
}

function expectErrors({ body, headers, text }: Reply, { code, status }: Pick<Row, 'code' | 'status'>): void {
  assert.match(headers.get('content-type') ?? '', /^application\/vnd\.api\+json/)
  assert.equal('data' in body, false, 'errors and data')
  assert.ok(body.errors.length > 0)
  for (const error of body.errors) {
    assert.partialDeepStrictEqual(error, {
      status: String(status),
      links: { type: `/problems/${error.code}` },
    })
    for (const member of ['id', 'code', 'title', 'detail']) assert.equal(typeof error[member], 'string', text)
  }
  if (code) assert.equal(body.errors[0].code, code, text)
}

type Done = Pick<Row, 'of' | 'status' | 'isPlain'>

function expectDone(reply: Reply, row: Done): void {
  const { headers, text } = reply
  assert.ok(headers.get('x-request-id'))
  const version = / \/access\//.test(row.of) ? '2.2.1-rc.1' : '2.2.0-alpha.1'
  assert.equal(headers.get('x-api-version'), version)
  if (row.status === 204) {
    assert.equal(text, '')
    if (/^(PUT|PATCH) /.test(row.of)) assert.match(headers.get('etag') ?? '', /^"\d+"$/, row.of)
  } else if (!row.isPlain) expectDocument(reply, row)
}

/** What an adapter answers is its own; everything else is a resource, or a list of resources. */
function expectDocument({ body, headers, text }: Reply, { of, status }: Done): void {
  assert.match(headers.get('content-type') ?? '', /^application\/vnd\.api\+json/)
  assert.ok('data' in body)
  if (of.includes('/extensions/')) return
  for (const each of [body.data].flat()) {
    for (const member of ['type', 'id', 'attributes']) assert.ok(member in each, text)
  }
  if (Array.isArray(body.data)) {
    if (status === 200) assert.equal(typeof body.links.self, 'string')
  } else if (status === 201) {
    assert.ok(headers.get('location')?.endsWith(`/${body.data.id}`))
    assert.equal(headers.get('etag'), `"${body.data.attributes.revision}"`)
  }
}

/** The same with facts in the place of their names. */
function fill<T>(value: T, facts: Facts): T {
  if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (name, key) => facts[key] ?? name) as T
  if (Array.isArray(value)) return value.map((each) => fill(each, facts)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, facts)])) as T
}
