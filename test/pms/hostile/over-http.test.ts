import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { serveHttp } from '../../../src/simulators/cloudevents/http-server.ts'
import fc from '../../seed.ts'
import { passTime } from '../../test-clock.ts'
import { eventually } from '../sync/linked-house.ts'
import {
  type Answer,
  type Expected,
  expectHealing,
  type HostileHouse,
  type HostileWire,
  hostileWire,
  openHostileHouse,
} from './hostile-house.ts'

let house: HostileHouse
let wire: HostileWire
const closing: (() => Promise<void>)[] = []
before(async () => {
  house = await openHostileHouse(async (pms, { clock }) => {
    const server = await serveHttp(pms, { port: 0, clock })
    wire = await hostileWire(server.baseUrl)
    closing.push(wire.close, server.close)
    return { transport: 'http', connection: { baseUrl: wire.baseUrl } }
  }, 60)
})
after(async () => {
  await house.stop()
  for (const close of closing) await close()
})

const json = (response: ServerResponse, value: unknown) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(body)
const value =
  (page: unknown): Answer =>
  (response) =>
    json(response, page)
const beginning = '{"changes":[],"padding":"'
const megabyte = Buffer.alloc(1_048_576, 'x')

/** How often all of a body was taken that is too large. */
let wholeBodies = 0

function large(response: ServerResponse): void {
  response.writeHead(200).write(beginning)
  let left = 50
  const more = () => {
    while (left-- > 0 && !response.destroyed) if (!response.write(megabyte)) return
    wholeBodies += Number(left < 0)
    response.end()
  }
  response.on('drain', more)
  more()
}

function drip(response: ServerResponse): void {
  response.writeHead(200).write(beginning)
  const timer = house.clock.setInterval(() => response.write('x'), 500)
  response.on('close', () => timer.cancel())
}

function late(response: ServerResponse): void {
  house.clock.setTimeout(() => json(response, { changes: [], cursor: 'late', more: false }), 30_000)
}

let pages = 0
const unread = { quarantined: { kind: 'Page' } }

const answers: [what: string, answer: Answer, expected: Expected][] = [
  ['words', status(200, {}, 'Bonjour'), { says: /not JSON in UTF-8.*is requested again/, ...unread }],
  [
    'HTML with 200',
    status(200, { 'content-type': 'text/html' }, '<!doctype html><p>Log in'),
    { says: /not JSON/, ...unread },
  ],
  ['an empty body with 200', status(200), { says: /an empty body/, ...unread }],
  ['204', status(204), { says: /an empty body/, ...unread }],
  [
    'bytes that are not UTF-8',
    (response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d])),
    { says: /not JSON in UTF-8/, ...unread },
  ],
  [
    'a gzip bomb',
    (response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
    { says: /not JSON/, ...unread },
  ],
  ['301 elsewhere', status(301, { location: 'http://169.254.169.254/changes' }), { says: /redirects.*301/ }],
  ['302 to itself', status(302, { location: '/changes' }), { says: /redirects.*302/ }],
  ['401', status(401), { says: /refused our credentials: 401/ }],
  ['403', status(403), { says: /does not allow this: 403/ }],
  ['404', status(404), { says: /does not have this address: 404/ }],
  ['429', status(429), { says: /limits the rate of requests: 429/ }],
  ['429 with Retry-After', status(429, { 'retry-after': '40' }), { says: /429|no requests for another/ }],
  ['500', status(500, {}, '{"detail":"Boom"}'), { says: /500.*Boom/ }],
  ['502', status(502), { says: /behind its gateway: 502/ }],
  [
    '503 with a Retry-After that is none',
    status(503, { 'retry-after': 'soon' }),
    { says: /in maintenance: 503/ },
  ],
  ['a status that does not exist', status(799), { says: /799/ }],
  ['a body that never ends', drip, { says: /gave no answer|no answer in time/ }],
  ['a body of 50 MB', large, { says: /more than 8388608 bytes/, ...unread }],
  [
    'half a body and a cut',
    (response) =>
      void response.writeHead(200, { 'content-length': 999 }).write(beginning, () => response.destroy()),
    { says: /broke the connection off/ },
  ],
  ['no answer', () => {}, { says: /gave no answer|no answer in time/ }],
  ['an answer after 30 s', late, { says: /gave no answer|no answer in time/ }],
  ['a cut without an answer', (response) => void response.destroy(), { says: /broke the connection off/ }],
  [
    'an error with 200',
    value({ error: 'invalid_session', detail: 'Log in first' }),
    { says: /cursor is required/, ...unread },
  ],
  [
    'a revision that is not a number of JSON',
    (response) => void response.end('{"changes":[],"cursor":NaN,"more":false}'),
    { says: /not JSON in UTF-8/, ...unread },
  ],
  ['null', value(null), { says: /not an object/, ...unread }],
  ['a list', value([]), { says: /not an object/, ...unread }],
  ['no cursor', value({ changes: [], more: false }), { says: /cursor is required/, ...unread }],
  [
    'a number as cursor',
    value({ changes: [], cursor: 7, more: false }),
    { says: /cursor must be/, ...unread },
  ],
  [
    'nested lists without end',
    (response) => void response.end(`{"changes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    { says: /cannot be used/, ...unread },
  ],
  [
    'a page of no list',
    (response, { after }) => json(response, { changes: 'none', cursor: after, more: false }),
    { says: /changes must be/, ...unread },
  ],
  [
    'a page of too many changes',
    (response, { after }) => json(response, { changes: Array(1_001).fill(null), cursor: after, more: false }),
    { says: /changes must/, ...unread },
  ],
  [
    'a page of no list, and a new cursor each time',
    (response) => json(response, { changes: {}, cursor: `no-list-${++pages}`, more: true }),
    { says: /changes must be/, quarantined: { kind: 'Page', count: 21 } },
  ],
  [
    'the same page for ever',
    (response, { after }) => json(response, { changes: [], cursor: after, more: true }),
    { says: /its cursor does not move/, ...unread },
  ],
  [
    'a cursor that goes back',
    (response, { after }) =>
      json(response, { changes: [], cursor: { a: 'b', b: 'c', c: 'a' }[String(after)] ?? 'a', more: true }),
    { says: /leads back to an earlier page/, ...unread },
  ],
]

/** What `expectHealing` does to the wire. */
const answering = (answer: Answer) => ({
  begin() {
    wire.hostile = answer
  },
  end() {
    wire.hostile = null
  },
})

describe('A PMS over HTTP that answers to requests for changes with', () => {
  for (const [what, answer, expected] of answers) {
    it(`${what} stops nothing else, is named by the status, and heals`, async () => {
      await expectHealing(house, what, expected, answering(answer))
    })
  }

  it('more than a page may have is not read to its end', () => {
    assert.equal(wholeBodies, 0)
  })

  it('what cannot be read is asked more and more rarely', async () => {
    wire.hostile = value({})
    await passTime(300_000)
    const before = wire.asked
    await passTime(300_000)
    assert.ok(wire.asked - before <= 11, `${wire.asked - before} requests in five minutes`)
    wire.hostile = null
    await eventually('it heals', async () => (await house.quarantined()).length === 0)
  })

  it('any text or value at all does so', async () => {
    const body = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('{"cursor":"'))
    for (const [at, text] of fc.sample(body, 5).entries()) {
      await expectHealing(
        house,
        `any text ${at}`,
        { says: /PMS/, ...unread },
        answering(status(200, {}, text)),
      )
    }
  })
})
