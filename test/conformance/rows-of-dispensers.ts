import assert from 'node:assert/strict'
import { idle, until } from '../access/house-with-doors.ts'
import { type AccessHouse, blank } from './access-house.ts'
import { nobody } from './facts.ts'
import type { Facts, Row } from './row.ts'

type AccessRow = Row<AccessHouse>

const one = '/access/dispensers/{dispenserId}'
const status = `GET ${one}/status`
const command = `PUT ${one}/status/{state}`
const place = `PUT ${one}/place-card/{cardPosition}`
const reset = `POST ${one}/reset-cache`
const resetAll = 'POST /access/dispensers/reset-all-cache'
const noDispenser = async () => ({ dispenserId: nobody })

/** The dispenser with nothing in its path and in service; then taken into a state, or a card laid into it. */
const ready =
  (facts: Facts, more: { state?: string; card?: boolean } = {}) =>
  async ({ ask, doors }: AccessHouse): Promise<Facts> => {
    const { dispenser } = doors.lobby
    dispenser.misbehaviours.length = 0
    dispenser.takenAfterMs = 0
    Object.assign(dispenser, { card: null, at: 'none' })
    const put = async (state: string) =>
      (await ask('PUT', `/api/v2/access/dispensers/${doors.dispenserId}/status/${state}`)).status
    await until(
      'service',
      () => put('active'),
      (answer) => answer === 204,
    )
    await idle(doors)
    if (more.state) assert.equal(await put(more.state), 204)
    if (more.card) Object.assign(dispenser, { card: blank(), at: 'encoder' })
    return facts
  }

const members = [
  'state',
  'commandedState',
  'online',
  'cardPosition',
  'stacker',
  'bin',
  'overall',
  'fault',
  'guestWaiting',
  'model',
  'firmware',
  'serialNumber',
  'driver',
  'counters',
  'capabilities',
  'observedAt',
  'handle',
]

/** Machines that give out cards. */
export const dispenserRows: AccessRow[] = [
  {
    of: status,
    status: 200,
    given: ready({}),
    also({ body }, { dispenserId }) {
      assert.deepEqual([body.data.type, body.data.id], ['dispenser-status', dispenserId])
      const { attributes } = body.data
      assert.deepEqual(Object.keys(attributes).sort(), [...members].sort())
      assert.partialDeepStrictEqual(attributes, {
        state: 'active',
        commandedState: 'active',
        online: true,
        cardPosition: 'none',
        overall: 'ok',
        fault: null,
        guestWaiting: null,
        driver: 'crt571',
      })
      assert.deepEqual(Object.keys(attributes.stacker), [
        'level',
        'estimatedCards',
        'capacity',
        'lowThreshold',
      ])
      assert.deepEqual(Object.keys(attributes.bin), ['level', 'count', 'capacity'])
      assert.deepEqual(Object.keys(attributes.counters), [
        'dispensed',
        'captured',
        'returned',
        'jams',
        'retries',
        'sinceService',
      ])
      assert.deepEqual(Object.keys(attributes.handle), ['openedAt', 'cached'])
    },
  },
  { of: status, status: 404, given: noDispenser, code: 'not-found' },
  {
    of: status,
    status: 404,
    when: 'a controller',
    given: async ({ doors }) => ({ dispenserId: doors.controllerId }),
    code: 'not-found',
  },
  { of: status, status: 500, in: 'ruins', code: 'internal' },

  ...(['active', 'inactive', 'maintenance', 'initialize', 'accepting'] as const).map(
    (state): AccessRow => ({
      of: command,
      status: 204,
      when: state,
      given: ready({ state }),
      also: ({ headers }) => assert.match(headers.get('etag') ?? '', /^"\d+"$/),
    }),
  ),
  { of: command, status: 204, when: 'as it is', given: ready({ state: 'inactive' }, { state: 'inactive' }) },
  {
    of: command,
    status: 400,
    given: ready({ state: 'asleep' }),
    code: 'unknown-state',
    also: ({ body }) => assert.ok(body.errors[0].meta.allowed.includes('active')),
  },
  { of: command, status: 400, when: 'in capitals', given: ready({ state: 'Active' }), code: 'unknown-state' },
  {
    of: command,
    status: 400,
    when: 'on trial',
    given: ready({ state: 'inactive' }),
    query: 'dryRun=true',
    code: 'unknown-parameter',
  },
  { of: command, status: 404, given: noDispenser, code: 'not-found' },
  {
    of: command,
    status: 409,
    given: ready({ state: 'accepting' }, { state: 'inactive' }),
    code: 'dispenser-state',
  },
  {
    of: command,
    status: 409,
    when: 'a card waits at the gate',
    given: async (house) => {
      const facts = await ready({ state: 'inactive' }, { card: true })(house)
      const { ask, doors } = house
      doors.lobby.dispenser.takenAfterMs = null
      const placed = await ask('PUT', `/api/v2/access/dispensers/${doors.dispenserId}/place-card/front`)
      assert.equal(placed.status, 204, placed.text)
      return facts
    },
    code: 'dispenser-busy-with-guest',
    also: ({ headers }) => assert.equal(headers.get('retry-after'), '5'),
  },
  {
    of: command,
    status: 412,
    given: ready({ state: 'inactive' }),
    headers: { 'If-Match': '"9999"' },
    code: 'revision-mismatch',
  },
  {
    of: command,
    status: 502,
    given: async (house) => {
      const facts = await ready({ state: 'initialize' })(house)
      house.doors.lobby.dispenser.misbehaviours.push(
        ...Array.from({ length: 20 }, () => ({
          at: 'initialise-leave',
          does: 'refuse' as const,
          code: '51',
        })),
      )
      return facts
    },
    code: 'dispenser-motor',
    also: ({ body }) => assert.deepEqual(body.meta, { errorCode: 'dispenser-motor', outcomeUnknown: false }),
  },

  { of: place, status: 204, when: 'from the stacker', given: ready({ cardPosition: 'encoder' }) },
  ...(['hold', 'front', 'eject', 'capture'] as const).map(
    (cardPosition): AccessRow => ({
      of: place,
      status: 204,
      when: cardPosition,
      given: ready({ cardPosition }, { card: true }),
    }),
  ),
  {
    of: place,
    status: 400,
    given: ready({ cardPosition: 'moon' }),
    code: 'unknown-position',
    also: ({ body }) =>
      assert.deepEqual(body.errors[0].meta.allowed.toSorted(), [
        'capture',
        'chip',
        'eject',
        'encoder',
        'front',
        'hold',
        'stacker',
      ]),
  },
  { of: place, status: 404, given: noDispenser, code: 'not-found' },
  { of: place, status: 409, given: ready({ cardPosition: 'front' }), code: 'no-card-in-path' },
  {
    of: place,
    status: 409,
    when: 'a blank card to a guest',
    as: 'frontdesk',
    given: ready({ cardPosition: 'front' }, { card: true }),
    code: 'key-not-live',
  },
  {
    of: place,
    status: 422,
    given: ready({ cardPosition: 'stacker' }, { card: true }),
    code: 'position-not-supported',
    also: ({ body }) => assert.ok(body.errors[0].meta.supported.includes('front')),
  },
  {
    of: place,
    status: 502,
    given: ready({ cardPosition: 'encoder' }, { state: 'inactive' }),
    code: 'dispenser-inactive',
  },
  {
    of: place,
    status: 502,
    when: 'not confirmed',
    given: async (house) => {
      const facts = await ready({ cardPosition: 'encoder' })(house)
      house.doors.lobby.dispenser.misbehaviours.push({ at: 'move-encoder', does: 'late' })
      return facts
    },
    code: 'dispenser-timeout',
    also({ body, headers }) {
      assert.deepEqual(body.meta, { errorCode: 'dispenser-timeout', outcomeUnknown: true })
      assert.equal(headers.get('retry-after'), '5')
    },
  },

  {
    of: reset,
    status: 200,
    isPlain: true,
    given: opened,
    also: ({ body }, { dispenserId }) => assert.deepEqual(body, { meta: { dispenserId, cleared: 1 } }),
  },
  {
    of: reset,
    status: 404,
    when: 'a second time',
    given: async (house) => {
      const facts = await opened(house)
      await house.ask('POST', `/api/v2/access/dispensers/${house.doors.dispenserId}/reset-cache`)
      return facts
    },
    code: 'dispenser-cache-empty',
  },
  { of: reset, status: 404, when: 'an unknown dispenser', given: noDispenser, code: 'not-found' },
  {
    of: resetAll,
    status: 200,
    isPlain: true,
    given: opened,
    also({ body }) {
      assert.equal(body.meta.cleared, 1)
      assert.match(body.meta.message, /^1 /)
    },
  },
  {
    of: resetAll,
    status: 200,
    when: 'none is a success',
    isPlain: true,
    given: async ({ ask }) => {
      await ask('POST', '/api/v2/access/dispensers/reset-all-cache')
      return {}
    },
    also({ body }) {
      assert.equal(body.meta.cleared, 0)
      assert.match(body.meta.message, /^0 /)
    },
  },

  {
    of: `POST ${one}/actions/refill`,
    status: 200,
    isPlain: true,
    body: { cards: 5 },
    also: ({ body }) => assert.equal(typeof body.meta.estimatedCards, 'number'),
  },
  {
    of: `POST ${one}/actions/refill`,
    status: 404,
    given: noDispenser,
    body: { cards: 5 },
    code: 'not-found',
  },
  { of: `POST ${one}/actions/refill`, status: 422, body: { cards: 0 }, code: 'validation-failed' },
  {
    of: `POST ${one}/actions/empty-bin`,
    status: 200,
    isPlain: true,
    also: ({ body }) => assert.equal(body.meta.binCount, 0),
  },
  { of: `POST ${one}/actions/empty-bin`, status: 404, given: noDispenser, code: 'not-found' },
  {
    of: `PATCH ${one}/counters`,
    status: 204,
    given: ready({}, { state: 'maintenance' }),
    body: { sinceService: 0 },
  },
  {
    of: `PATCH ${one}/counters`,
    status: 404,
    given: noDispenser,
    body: { sinceService: 0 },
    code: 'not-found',
  },
  {
    of: `PATCH ${one}/counters`,
    status: 409,
    given: ready({}),
    body: { sinceService: 0 },
    code: 'dispenser-state',
  },
  {
    of: `PATCH ${one}/counters`,
    status: 422,
    given: ready({}, { state: 'maintenance' }),
    body: { sinceService: -1 },
    code: 'validation-failed',
  },
]

/** The dispenser with an open handle. */
async function opened(house: AccessHouse): Promise<Facts> {
  const facts = await ready({})(house)
  const { ask, doors } = house
  assert.equal((await ask('GET', `/api/v2/access/dispensers/${doors.dispenserId}/status`)).status, 200)
  return facts
}
