import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { today } from '../reservation/api/house.ts'
import { another, bodies, nobody } from './facts.ts'
import type { Facts, Row } from './row.ts'
import { sessionRows } from './rows-of-sessions.ts'
import { refusedByPms } from './rows-of-stays.ts'

const stays = 'POST /reservations/{reservationId}/stays'
const stay = '/reservations/{reservationId}/stays/{stayId}'
const pay = 'POST /stays/{stayId}/actions/pay-at-terminal'
const onStay = `POST ${stay}/actions/record-payment`
const types = 'POST /unit-types'
const aType = { code: '{fresh}', name: 'Loft' }

/** A stay of its own, with a unit that nobody else has. */
const withUnit = async (house: HouseWithPms, more: object = {}): Promise<Facts> => {
  const { unitTypeId, unitId } = await house.rooms(2)
  const { path, id, reservation } = await house.stay({
    ...bodies.stay,
    units: [{ unitTypeId, unitId }],
    ...more,
  })
  return { unitTypeId, unitId, path, stayId: id, reservationId: reservation.split('/').at(-1)! }
}

const asked = (query: string, code: string): Row => ({ of: 'GET /units', status: 400, query, code })
const newStay = (more: object) => ({ ...bodies.stay, ...more })

/** Requests that cannot be read, may not be made, or meet something that is in their way: 400 to 413. */
export const refusalRows: Row[] = [
  { of: types, status: 400, body: '{', code: 'malformed-json' },
  { of: types, status: 400, query: 'dryRun=maybe', body: aType, code: 'malformed-request' },
  asked('limit=10', 'unknown-parameter'),
  asked('filter[colour]=red', 'invalid-filter-field'),
  asked('filter[name][about]=1', 'invalid-filter-operator'),
  asked('filter[createdAt][gt]=noon', 'invalid-filter-value'),
  asked('sort=colour', 'invalid-sort-field'),
  asked('include=colour', 'invalid-include'),
  asked('fields[unit]=colour', 'invalid-fields'),
  asked('page[size]=101', 'invalid-page-size'),
  asked(`page[after]=${nobody}`, 'page-cursor-unknown'),
  asked('page[after]={unitId}&page[before]={unitId}', 'range-pagination-unsupported'),
  {
    of: 'GET /availability/unit-types',
    status: 400,
    query: 'filter[startDate]=2026-06-01&filter[endDate]=2027-06-03',
    code: 'period-too-long',
  },
  { of: stays, status: 400, body: newStay({ startTime: '15:00+02:00' }), code: 'time-with-offset' },
  {
    of: types,
    status: 400,
    code: 'idempotency-key-missing',
    cannot: 'A key is honoured, and never demanded.',
  },
  { of: 'GET /units', status: 401, as: null, code: 'unauthenticated' },
  { of: types, status: 403, as: 'kiosk', body: aType, code: 'scope-required' },
  { of: 'GET /units', status: 403, headers: { 'X-Tenant-ID': nobody }, code: 'tenant-mismatch' },
  { of: 'GET /reservations', status: 403, as: 'kiosk', code: 'kiosk-scope' },
  ...sessionRows,
  { of: 'GET /units/{nobody}', status: 404, code: 'not-found' },
  {
    of: 'GET /pms/providers/{configurationId}/extensions/teapots',
    status: 404,
    code: 'extension-not-implemented',
  },
  { of: 'DELETE /units', status: 405, code: 'method-not-allowed' },
  { of: 'GET /units', status: 406, headers: { Accept: 'text/html' }, code: 'not-acceptable' },
  { of: 'DELETE /unit-types/{unitTypeId}', status: 409, code: 'resource-referenced' },
  {
    of: `DELETE ${stay}`,
    status: 409,
    given: (house) => withUnit(house),
    code: 'last-stay',
  },
  {
    of: 'POST /pms/providers/{configurationId}/extensions/sync',
    status: 409,
    given: async ({ make }) => ({
      configurationId: await make('/api/config/v1/pms-configurations', {
        name: another('Off '),
        adapter: 'standalone',
        enabled: false,
      }),
    }),
    code: 'configuration-disabled',
  },
  {
    of: `POST ${stay}/unit-assignment`,
    status: 409,
    given: refusedByPms,
    code: 'unit-change-refused',
  },
  {
    of: 'PATCH /units/{unitId}',
    status: 409,
    given: async ({ make }) => ({ unitId: await make('units', { name: another('I'), status: 'Inspected' }) }),
    body: { status: 'Cleaning' },
    code: 'unit-status-transition',
  },
  {
    of: `PATCH ${stay}`,
    status: 409,
    given: (house) => withUnit(house),
    body: { status: 'CheckedOut' },
    code: 'stay-status-transition',
  },
  {
    of: 'POST /reservations',
    status: 409,
    given: (house) => withUnit(house),
    body: { stays: [newStay({ units: [{ unitTypeId: '{unitTypeId}', unitId: '{unitId}' }] })] },
    code: 'unit-occupied',
  },
  {
    of: 'POST /reservations',
    status: 409,
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(2)
      const body = [{ startDate: today, endDate: today, quantity: 0 }]
      await house.ask('PATCH', `/api/v2/availability/units/${unitId}`, { body })
      return { unitTypeId, unitId }
    },
    body: { stays: [newStay({ units: [{ unitTypeId: '{unitTypeId}', unitId: '{unitId}' }] })] },
    code: 'unit-blocked',
  },
  {
    of: 'POST /reservations',
    status: 409,
    given: async ({ make }) => {
      const externalId = another('E')
      await make('reservations', { externalId })
      return { externalId }
    },
    body: { externalId: '{externalId}' },
    code: 'external-id-conflict',
  },
  {
    of: onStay,
    status: 409,
    given: async (house) => {
      const { path, ...facts } = await withUnit(house)
      const body = { ...bodies.payment, terminalTransactionId: 'T1' }
      await house.ask('POST', `${path}/actions/record-payment`, { body })
      return facts
    },
    body: { ...bodies.payment, terminalTransactionId: 'T1' },
    code: 'payment-duplicate',
  },
  {
    of: onStay,
    status: 409,
    cannot: 'the guest pays at once; test/terminal/by-hand.test.ts has a guest who waits',
    code: 'payment-under-way',
  },
  {
    of: pay,
    status: 409,
    given: withUnit,
    body: { terminalId: nobody },
    code: 'terminal-missing',
  },
  {
    of: pay,
    status: 409,
    cannot:
      'the guest pays at once; test/terminal/pay-at-terminal.real.test.ts has two guests at one terminal',
    code: 'terminal-busy',
  },
  {
    of: pay,
    status: 422,
    given: async (house) => {
      house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'refuse' })
      return withUnit(house)
    },
    code: 'payment-refused',
  },
  {
    of: 'POST /stays/{stayId}/actions/settle-terminal-payment',
    status: 409,
    given: async (house) => {
      const { stayId = '' } = await withUnit(house)
      await house.ask('POST', `/api/v2/stays/${stayId}/actions/pay-at-terminal`)
      const last = await house.ask('GET', `/api/v2/stays/${stayId}/terminal-payment`)
      return { stayId, terminalPaymentId: last.body.data.id }
    },
    body: { terminalPaymentId: '{terminalPaymentId}', charged: false, reason: 'The receipt says so.' },
    code: 'payment-settled',
  },
  {
    of: 'POST /profiles',
    status: 409,
    given: async ({ make }) => {
      const externalId = another('Twice')
      await make('profiles', { ...bodies.profile, externalId })
      return { externalId }
    },
    body: { ...bodies.profile, externalId: '{externalId}' },
    code: 'person-known',
  },
  {
    of: 'PATCH /units/{unitId}',
    status: 412,
    body: {},
    headers: { 'If-Match': '"99"' },
    code: 'revision-mismatch',
  },
  { of: 'GET /events', status: 410, query: 'filter[sequence][gt]=999999999', code: 'events-gone' },
  {
    of: types,
    status: 413,
    body: JSON.stringify({ name: 'x'.repeat(1_048_577) }),
    code: 'body-too-large',
  },
  {
    of: 'POST /batch/units',
    status: 413,
    body: Array.from({ length: 101 }, (_, index) => ({ name: `Many ${index}` })),
    code: 'batch-too-large',
  },
]
