import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { booked, nobody } from './facts.ts'
import type { Row } from './row.ts'

const days = 'filter[startDate]=2026-06-01&filter[endDate]=2026-06-08'
const tooLong = 'filter[startDate]=2026-06-01&filter[endDate]=2027-06-03'
const ofReservation = 'GET /availability/reservations/{reservationId}/units'
const ofStay = 'GET /availability/reservations/{reservationId}/stays/{stayId}/units'

/** A stay that has no unit yet. */
const own = async (house: HouseWithPms) => {
  const { reservationId, id } = await booked(house)
  return { reservationId, stayId: id }
}

/** What can be sold, and what can be given to whom. */
export const availabilityRows: Row[] = [
  { of: 'GET /availability/unit-types', status: 200, query: days },
  { of: 'GET /availability/unit-types', status: 400, query: tooLong, code: 'period-too-long' },
  {
    of: 'GET /availability/unit-types',
    status: 400,
    query: 'filter[startDate]=soon',
    code: 'invalid-filter-value',
  },
  { of: 'GET /availability/unit-types', status: 500, in: 'ruins', query: days, code: 'internal' },
  {
    of: 'PATCH /availability/unit-types/{unitTypeId}',
    status: 204,
    given: async ({ rooms }) => ({ unitTypeId: (await rooms(1)).unitTypeId }),
    body: [
      { startDate: '2026-07-01', endDate: '2026-07-02', quantity: 3 },
      { startDate: '2026-07-03', endDate: '2026-07-04', quantity: 2 },
    ],
  },
  { of: 'GET /availability/units', status: 200, query: days },
  { of: 'GET /availability/units', status: 400, query: 'filter[colour]=red', code: 'invalid-filter-field' },
  { of: 'GET /availability/units', status: 500, in: 'ruins', query: days, code: 'internal' },
  {
    of: 'PATCH /availability/units/{unitId}',
    status: 204,
    given: async ({ rooms }) => ({ unitId: (await rooms(1)).unitId }),
    body: [{ startDate: '2026-07-01', endDate: '2026-07-02', quantity: 0 }],
  },
  ...[ofReservation, ofStay].flatMap((of): Row[] => [
    { of, status: 200, given: own },
    { of, status: 400, query: 'filter[colour]=red', code: 'invalid-filter-field' },
    { of, status: 404, given: async () => ({ reservationId: nobody }), code: 'not-found' },
    { of, status: 500, in: 'ruins', code: 'internal' },
  ]),
  { of: ofStay, status: 404, given: async () => ({ stayId: nobody }), code: 'not-found' },
]
