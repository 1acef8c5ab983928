import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { another, bodies, nobody, registered, registersGuests } from './facts.ts'
import type { Facts, Row } from './row.ts'
import { listRows, readRows } from './rows-of-lists.ts'

const register = 'PUT /stays/{stayId}/registrations/{profileId}'
const missing = 'GET /stays/{stayId}/missing-registrations'
const body = bodies.registration

/** A stay with a guest and a unit, in a house that registers its guests from now on. */
async function toRegister(house: HouseWithPms): Promise<Facts> {
  const profileId = await house.make('profiles', { ...bodies.profile, lastName: another('Conform ') })
  const { unitTypeId, unitId } = await house.rooms(2)
  const units = [{ unitTypeId, unitId }]
  const { id, reservation } = await house.stay({ ...bodies.stay, units, profiles: [{ id: profileId }] })
  await registersGuests(house)
  return { stayId: id, reservationId: reservation.split('/').at(-1)!, profileId }
}

async function inOpenHouse(house: HouseWithPms): Promise<Facts> {
  const facts = await toRegister(house)
  await registersGuests(house, [])
  return facts
}

/** A house that registers guests, then one that does not: other rows check guests in. */
export const requiredRows: Row[] = [
  {
    of: 'PATCH /reservations/{reservationId}/stays/{stayId}',
    status: 409,
    given: toRegister,
    body: { status: 'InHouse' },
    code: 'registration-required',
  },
  { of: register, status: 409, body, given: inOpenHouse, code: 'configuration-disabled' },
]

/** Registrations of guests. */
export const registrationRows: Row[] = [
  { of: register, status: 204, body, given: toRegister, as: 'kiosk' },
  { of: register, status: 204, when: 'by the desk', body, given: toRegister, as: 'frontdesk' },
  { of: register, status: 400, body: '{', code: 'malformed-json', given: toRegister },
  {
    of: register,
    status: 404,
    body,
    given: async (house) => ({ ...(await toRegister(house)), profileId: nobody }),
    code: 'not-found',
  },
  {
    of: register,
    status: 412,
    body,
    headers: { 'If-Match': '"999"' },
    given: toRegister,
    code: 'revision-mismatch',
  },
  {
    of: register,
    status: 422,
    body: { ...body, nationality: 'SU' },
    given: toRegister,
    code: 'validation-failed',
  },
  { of: register, status: 500, in: 'ruins', body, code: 'internal', given: async () => ({}) },
  { of: missing, status: 200, given: toRegister, as: 'kiosk' },
  { of: missing, status: 400, query: 'include=stay', given: toRegister, code: 'unknown-parameter' },
  { of: missing, status: 404, given: async () => ({ stayId: nobody }), code: 'not-found' },
  { of: missing, status: 500, in: 'ruins', code: 'internal', given: async () => ({}) },
  ...listRows('GET /registrations'),
  ...readRows('GET /registrations/{registrationId}').map((row) =>
    row.status === 200 ? { ...row, given: registered, as: 'frontdesk' } : row,
  ),
  { of: 'GET /registrations/by-arrival/{date}', status: 200, isPlain: true, as: 'frontdesk' },
  {
    of: 'GET /registrations/by-arrival/{date}',
    status: 400,
    given: async () => ({ date: '2026-02-30' }),
    code: 'malformed-request',
  },
  ...requiredRows,
]
