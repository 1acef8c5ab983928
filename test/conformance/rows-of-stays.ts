import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { tomorrow } from '../reservation/api/house.ts'
import { bodies, booked, nobody } from './facts.ts'
import type { Facts, Row } from './row.ts'
import { createRows, listRows, readRows } from './rows-of-lists.ts'

const reservation = '/reservations/{reservationId}'
const stay = `${reservation}/stays/{stayId}`
const assignment = `POST ${stay}/unit-assignment`
const assignments = `POST ${reservation}/unit-assignments`
const found = 'GET /found-stays'
const share = 'POST /stays/{stayId}/actions/share'

/** A reservation of its own with one stay. */
const own = async (house: HouseWithPms): Promise<Facts> => {
  const { reservationId, id, unitTypeId } = await booked(house)
  return { reservationId, stayId: id, unitTypeId }
}

/** With two stays, of which one may go. */
const ownTwo = async (house: HouseWithPms): Promise<Facts> => {
  const facts = await own(house)
  const { unitTypeId } = await house.rooms(1)
  const body = { ...bodies.stay, units: [{ unitTypeId }] }
  await house.ask('POST', `/api/v2/reservations/${facts.reservationId}/stays`, { body })
  return facts
}

/** A stay, and another one that has a unit. */
const withHost = async (house: HouseWithPms): Promise<Facts> => {
  const { unitTypeId, unitId } = await house.rooms(1)
  const host = await house.stay({ ...bodies.stay, units: [{ unitTypeId, unitId }] })
  return { ...(await own(house)), hostId: host.id }
}

const withCanceledHost = async (house: HouseWithPms): Promise<Facts> => {
  const { id, path } = await booked(house)
  await house.ask('PATCH', path, { body: { status: 'Canceled' } })
  return { ...(await own(house)), hostId: id }
}

/** No unit of its type at all. */
const withoutUnits = async (house: HouseWithPms): Promise<Facts> => {
  const { unitTypeId } = await house.rooms(0)
  const { reservationId, id } = await booked(house, { unitTypeId })
  return { reservationId, stayId: id }
}

/** A stay of the PMS, which does not want its unit to change. */
export const refusedByPms = async (house: HouseWithPms): Promise<Facts> => {
  const { unitTypeId } = await house.rooms(1)
  const stays = [{ ...bodies.stay, units: [{ unitTypeId }] }]
  const body = { integrationId: house.configurationId, stays }
  const { data } = (await house.ask('POST', '/api/v2/reservations', { body })).body
  house.pms.does({ assignUnit: () => ({ is: 'change-refused', reason: 'It is locked by the group.' }) })
  return { reservationId: data.id, stayId: data.attributes.stays[0].id }
}

const oneStay = { stays: [bodies.stay] }
const wrongStay = { stays: [{ ...bodies.stay, status: 'Booked' }] }

/** Reservations, their stays, and the units that these are given. */
export const stayRows: Row[] = [
  { of: found, status: 200, query: 'filter[text]=NP-1001&include=profiles', as: 'frontdesk' },
  { of: found, status: 400, code: 'invalid-filter-value' },
  { of: found, status: 400, query: 'filter[text]=a&sort=startDate', code: 'unknown-parameter' },
  { of: found, status: 400, query: 'filter[text]=a&include=colour', code: 'invalid-include' },
  { of: found, status: 403, query: 'filter[text]=a', as: 'kiosk', code: 'scope-required' },
  { of: found, status: 500, query: 'filter[text]=a', in: 'ruins', code: 'internal' },
  { of: share, status: 200, given: withHost, body: { withStayId: '{hostId}' }, as: 'frontdesk' },
  { of: share, status: 400, body: '{', code: 'malformed-json' },
  {
    of: share,
    status: 404,
    given: async () => ({ stayId: nobody }),
    body: { withStayId: nobody },
    code: 'not-found',
  },
  {
    of: share,
    status: 409,
    given: withCanceledHost,
    body: { withStayId: '{hostId}' },
    code: 'stay-status-transition',
  },
  { of: share, status: 422, given: own, body: { withStayId: nobody }, code: 'reference-unknown' },
  {
    of: share,
    status: 500,
    in: 'ruins',
    body: { withStayId: nobody },
    code: 'internal',
    given: async () => ({}),
  },
  ...listRows('GET /reservations'),
  ...createRows('POST /reservations', oneStay, wrongStay),
  {
    of: 'POST /reservations',
    status: 422,
    body: { stays: [{ ...bodies.stay, personCount: { adults: 9 } }] },
    given: async ({ rooms }) => ({ unitTypeId: (await rooms(1, { maxOccupancy: 2 })).unitTypeId }),
    code: 'person-count-exceeds-occupancy',
  },
  ...readRows(`GET ${reservation}`),
  { of: `PUT ${reservation}`, status: 204, given: own, body: { externalId: '{fresh}', ...oneStay } },
  { of: `PATCH ${reservation}`, status: 204, body: { purpose: 'Leisure' } },
  { of: `DELETE ${reservation}`, status: 204, given: own },

  { of: `GET ${reservation}/stays`, status: 200 },
  {
    of: `GET ${reservation}/stays`,
    status: 404,
    given: async () => ({ reservationId: nobody }),
    code: 'not-found',
  },
  ...readRows(`GET ${stay}`),
  ...createRows(`POST ${reservation}/stays`, bodies.stay, { startDate: 'soon' }),
  {
    of: `POST ${reservation}/stays`,
    status: 422,
    body: { ...bodies.stay, endDate: '2026-05-31' },
    code: 'end-before-start',
  },
  { of: `PUT ${stay}`, status: 204, given: own, body: { ...bodies.stay, endDate: '2026-06-04' } },
  { of: `PATCH ${stay}`, status: 204, given: own, body: { startTime: '16:00', personCount: { adults: 2 } } },
  { of: `DELETE ${stay}`, status: 204, given: ownTwo },
  { of: `PUT ${stay}/units`, status: 204, given: own, body: [{ unitTypeId: '{unitTypeId}' }] },
  { of: `PUT ${stay}/services`, status: 204, body: [{ serviceId: '{serviceId}', stayId: '{stayId}' }] },

  { of: assignments, status: 200, given: own },
  { of: assignments, status: 400, body: '{"stays": [', code: 'malformed-json' },
  { of: assignments, status: 404, given: async () => ({ reservationId: nobody }), code: 'not-found' },
  { of: assignments, status: 422, body: { stays: [{ notes: 'which?' }] }, code: 'validation-failed' },
  { of: assignments, status: 500, in: 'ruins', code: 'internal' },
  { of: assignment, status: 200, given: own, body: { preferredUnitId: '{unitId}', notes: 'Quiet' } },
  { of: assignment, status: 400, body: '{"notes"', code: 'malformed-json' },
  { of: assignment, status: 404, given: async () => ({ stayId: nobody }), code: 'not-found' },
  { of: assignment, status: 409, given: refusedByPms, code: 'unit-change-refused' },
  { of: assignment, status: 422, given: withoutUnits, code: 'no-eligible-unit' },
  { of: assignment, status: 422, body: { preferredUnitId: 'the blue one' }, code: 'validation-failed' },
  { of: assignment, status: 500, in: 'ruins', code: 'internal' },
  {
    of: assignment,
    status: 200,
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      const { path } = await house.stay({ units: [{ unitTypeId, unitId }], endDate: tomorrow })
      const [, reservationId = '', stayId = ''] = /reservations\/(.*)\/stays\/(.*)/.exec(path) ?? []
      return { reservationId, stayId, unitId }
    },
    also: ({ body }, { unitId }) => {
      if (body.data.attributes.units[0].unitId !== unitId) throw new Error('the unit has changed')
    },
  },
]
