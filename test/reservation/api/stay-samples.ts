import assert from 'node:assert/strict'
import { type ReservationHouse, today, tomorrow } from './house.ts'

/** A stay as a body says it, of the unit type that a scenario is given. */
export function newStay(attributes: Record<string, unknown> = {}) {
  return {
    startDate: today,
    endDate: tomorrow,
    status: 'Confirmed',
    personCount: { adults: 1 },
    units: [{ unitTypeId: '{unitTypeId}' }],
    reservationIds: [],
    ...attributes,
  }
}

/** Days that no other stay of a test is on. */
export const later = { startDate: '2026-07-01', endDate: '2026-07-03' }

/** A reservation of two stays. */
export async function group(house: ReservationHouse) {
  const { unitTypeId } = await house.rooms(3)
  const units = [{ unitTypeId }]
  const body = {
    externalId: `G-${unitTypeId}`,
    stays: [{ ...newStay({ units }), externalId: 'one' }, newStay({ units, ...later })],
  }
  const made = await house.ask('POST', '/api/v2/reservations', { body })
  const { id, attributes } = made.body.data
  const [first, second] = attributes.stays
  return {
    unitTypeId,
    path: `/api/v2/reservations/${id}`,
    externalId: body.externalId,
    first: first.id,
    second: second.id,
  }
}

/** A stay with a unit of a type that no other test uses. */
export async function withUnit(house: ReservationHouse, attributes: Record<string, unknown> = {}) {
  const { unitTypeId, unitIds } = await house.rooms(1)
  const units = [{ unitTypeId, unitId: unitIds[0] }]
  return { ...(await house.stay({ units, ...attributes })), unitTypeId, unitId: unitIds[0], units }
}

/** The same, in house. */
export async function inHouse(house: ReservationHouse, attributes: Record<string, unknown> = {}) {
  const made = await withUnit(house, attributes)
  const checkIn = await house.ask('PATCH', made.path, { body: { status: 'InHouse' } })
  assert.equal(checkIn.status, 204, checkIn.text)
  return made
}
