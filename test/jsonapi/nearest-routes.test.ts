import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'

/** A path that does not exist, and the first of the nearest, with its methods and the lists of its ids. */
const nearest: [path: string, path: string, methods: string[], lists?: string[]][] = [
  ['/reservations', '/api/v2/reservations', ['GET', 'POST']],
  ['/api/v2/reservation', '/api/v2/reservations', ['GET', 'POST']],
  ['/api/v1/units', '/api/v2/units', ['GET', 'POST']],
  ['/api/v2/Unit_Types', '/api/v2/unit-types', ['GET', 'POST']],
  ['/api/v2/rooms', '/api/v2/units', ['GET', 'POST']],
  ['/api/v2/guests', '/api/v2/profiles', ['GET', 'POST']],
  ['/api/v2/access-providers', '/api/config/v1/access-providers', ['GET', 'POST']],
  ['/api/v2/controllers', '/api/v2/access/controllers', ['GET']],
  [
    `/api/v2/access/controller/${unknown}/key`,
    '/api/v2/access/controllers/{controllerId}/key',
    ['POST', 'GET', 'DELETE'],
    ['/api/v2/access/controllers'],
  ],
  [
    '/api/v2/controllers/lobby/key',
    '/api/v2/access/controllers/{controllerId}/key',
    ['POST', 'GET', 'DELETE'],
    ['/api/v2/access/controllers'],
  ],
  [
    `/api/v2/reservations/${unknown}/stays/${unknown}/assign-unit`,
    '/api/v2/reservations/{reservationId}/stays/{stayId}/unit-assignment',
    ['POST'],
    ['/api/v2/reservations', '/api/v2/reservations/{reservationId}/stays'],
  ],
  ['/health', '/healthz', ['GET']],
]

/** Ids that do not exist, and where those that do are listed. */
const ids: [method: string, path: string, lists: string[]][] = [
  ['GET', `/api/v2/units/${unknown}`, ['/api/v2/units']],
  ['POST', `/api/v2/access/controllers/${unknown}/key`, ['/api/v2/access/controllers']],
  ['GET', `/api/v2/access/dispensers/${unknown}/status`, ['/api/v2/access/dispensers']],
  ['GET', `/api/v2/access/providers/${unknown}/capabilities`, ['/api/config/v1/access-providers']],
  ['GET', `/api/v2/pms/providers/${unknown}/capabilities`, ['/api/config/v1/pms-configurations']],
  [
    'GET',
    `/api/v2/availability/reservations/${unknown}/stays/${unknown}/units`,
    ['/api/v2/reservations', '/api/v2/stays'],
  ],
]

describe('A 404', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  for (const [asked, path, methods, lists = []] of nearest) {
    it(`of ${asked} names ${path}`, async () => {
      const { status, body } = await house.ask('GET', asked)
      const [{ code, detail, meta }] = body.errors
      assert.deepEqual([status, code], [404, 'not-found'])
      assert.deepEqual([meta.nearest[0], meta.lists], [{ path, methods }, lists])
      assert.ok(detail.includes(`The nearest: ${methods.join(', ')} ${path}`), detail)
      for (const list of lists) assert.ok(detail.includes(`GET ${list}`), detail)
    })
  }

  for (const asked of ['/wp-admin/setup.php', '/swagger', `/${'x/'.repeat(30)}`, `/${'y'.repeat(900)}`]) {
    it(`of ${asked.slice(0, 30)} names no path, but where they all are`, async () => {
      const [{ detail, meta }] = (await house.ask('GET', asked)).body.errors
      assert.deepEqual(meta, { nearest: [], lists: [] })
      assert.equal(detail, 'There is no resource at this path. GET /openapi.json lists all paths.')
    })
  }

  for (const [method, path, lists] of ids) {
    it(`of an id names the lists: ${method} ${path}`, async () => {
      const body = {
        type: 'keyCard',
        unitName: '101',
        original: true,
        startDate: '2026-06-01',
        endDate: '2026-06-02',
      }
      const reply = await house.ask(method, path, method === 'POST' ? { body } : {})
      assert.equal(reply.status, 404, reply.text)
      assert.deepEqual(reply.body.errors[0].meta.lists, lists)
    })
  }

  it('says the same of an id that exists and of one that does not, to a caller without a token', async () => {
    const { body } = await house.ask('GET', '/api/v2/units')
    const replies = [body.data[0].id, unknown].flatMap((id) =>
      [`/api/v2/units/${id}`, `/api/v2/unit/${id}`, `/api/v2/units/${id}/nothing`].map((path) =>
        house.ask('GET', path, { token: null }),
      ),
    )
    const said = (await Promise.all(replies)).map(({ status, body: { errors } }) => {
      const [{ id, ...rest }] = errors
      return JSON.stringify([status, rest])
    })
    assert.deepEqual(said.slice(0, 3), said.slice(3))
    assert.deepEqual([said[0]!.slice(1, 4), said[1]!.slice(1, 4)], ['401', '404'])
  })
})
