import { type ReservationHouse, today } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { later, newStay } from './stay-samples.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'

const types = (house: ReservationHouse) => house.rooms(3)

const refusals: Scenario[] = (
  [
    ['a missing field', { endDate: undefined }, 'validation-failed', '/endDate'],
    ['a field that is none', { colour: 'red' }, 'validation-failed', '/colour'],
    ['a day that is none', { startDate: '2026-02-30' }, 'validation-failed', '/startDate'],
    ['a day of the year 0', { startDate: '0000-00-00' }, 'validation-failed', '/startDate'],
    ['a day of the year 9999', { endDate: '9999-12-31' }, 'validation-failed', '/endDate'],
    ['an end before the start', { endDate: '2026-05-31' }, 'end-before-start', '/endDate'],
    [
      'a day use that ends as it starts',
      { endDate: today, startTime: '10:00', endTime: '10:00' },
      'end-before-start',
      '/endTime',
    ],
    ['a time that is none', { startTime: '24:00' }, 'validation-failed', '/startTime'],
    ['seconds', { startTime: '10:00:30' }, 'seconds-not-zero', '/startTime'],
    ['an unknown status', { status: 'confirmed' }, 'validation-failed', '/status'],
    ['nobody', { personCount: { adults: 0 } }, 'person-count-exceeds-occupancy', '/personCount'],
    [
      'ages of other children',
      { personCount: { adults: 1, children: 2, childrenAges: [1] } },
      'validation-failed',
      '/personCount/childrenAges',
    ],
    ['half a person', { personCount: { adults: 0.5 } }, 'validation-failed', '/personCount/adults'],
    ['no units', { units: [] }, 'validation-failed', '/units'],
    ['a null among the units', { units: [null] }, 'validation-failed', '/units/0'],
    [
      'an unknown unit type',
      { units: [{ unitTypeId: unknown }] },
      'reference-unknown',
      '/units/0/unitTypeId',
    ],
    [
      'an unknown unit',
      { units: [{ unitTypeId: '{unitTypeId}', unitId: unknown }] },
      'reference-unknown',
      '/units/0/unitId',
    ],
    [
      'a unit of another type',
      { units: [{ unitTypeId: '{unitTypeId}', unitId: '{other}' }] },
      'validation-failed',
      '/units/0/unitId',
    ],
    [
      'a unit twice',
      {
        units: [
          { unitTypeId: '{unitTypeId}', unitId: '{unitId}' },
          { unitTypeId: '{unitTypeId}', unitId: '{unitId}' },
        ],
      },
      'validation-failed',
      '/units/1/unitId',
    ],
    [
      'two numbers of a type',
      {
        reservationIds: [
          { type: 'Master', value: 'a' },
          { type: 'Master', value: 'b' },
        ],
      },
      'reservation-id-duplicate-type',
      '/reservationIds/1/type',
    ],
    [
      'an unknown kind of number',
      { reservationIds: [{ type: 'master', value: 'a' }] },
      'validation-failed',
      '/reservationIds/0/type',
    ],
    [
      'an unknown service',
      { services: [{ serviceId: unknown }] },
      'reference-unknown',
      '/services/0/serviceId',
    ],
    ['an unknown profile', { profiles: [{ id: unknown }] }, 'reference-unknown', '/profiles/0/id'],
    [
      'an empty profile id',
      { profiles: [{ id: '', firstName: 'A', lastName: 'B' }] },
      'validation-failed',
      '/profiles/0/id',
    ],
    ['half a profile', { profiles: [{ firstName: 'A' }] }, 'validation-failed', '/profiles/0/lastName'],
    [
      'a profile that cannot be',
      { profiles: [{ firstName: 'A', lastName: 'B', birthDate: '2999-01-01' }] },
      'validation-failed',
      '/profiles/0/birthDate',
    ],
    ['an unknown rate plan', { ratePlanId: unknown }, 'reference-unknown', '/ratePlanId'],
    [
      'too many decimals',
      { amount: { currency: 'EUR', amountWithTax: 1.005 } },
      'validation-failed',
      '/amount/amountWithTax',
    ],
    [
      'an amount beyond all counting',
      { amount: { currency: 'EUR', amountWithTax: 1e308 } },
      'validation-failed',
      '/amount/amountWithTax',
    ],
    [
      'an unknown currency',
      { amount: { currency: 'XYZ', amountWithTax: 1 } },
      'validation-failed',
      '/amount/currency',
    ],
    [
      'taxes that are not the difference',
      { amount: { currency: 'EUR', amountWithTax: 10, taxes: [{ code: 'V', name: 'VAT', amount: 1 }] } },
      'validation-failed',
      '/amount/taxes',
    ],
    [
      'a night without a price',
      {
        ...later,
        amount: {
          currency: 'EUR',
          amountWithTax: 1,
          perNight: [{ date: later.startDate, amountWithTax: 1 }],
        },
      },
      'validation-failed',
      '/amount/perNight',
    ],
    ['a long comment', { comment: 'x'.repeat(2001) }, 'validation-failed', '/comment'],
  ] as [string, Record<string, unknown>, string, string][]
).map(([what, attributes, code, at]) => ({
  name: `a stay with ${what}: 422 ${code} at ${at}`,
  given: async (house) => ({ ...(await types(house)), other: (await house.rooms(1)).unitId }),
  request: ['POST', '/api/v2/reservations', { stays: [newStay(), newStay(attributes)] }],
  status: 422,
  error: { code, at: `/stays/1${at}` },
}))

const occupancy: Scenario[] = [
  {
    name: 'more persons than the unit type holds: 422 names how many fit',
    given: (house) => house.rooms(1, { maxOccupancy: 2 }),
    request: [
      'POST',
      '/api/v2/reservations',
      { stays: [newStay({ personCount: { adults: 2, children: 1 } })] },
    ],
    status: 422,
    error: { code: 'person-count-exceeds-occupancy', at: '/stays/0/personCount', meta: { max: 2 } },
  },
  {
    name: 'infants are not counted',
    given: (house) => house.rooms(1, { maxOccupancy: 2 }),
    request: [
      'POST',
      '/api/v2/reservations',
      { stays: [newStay({ personCount: { adults: 2, infants: 3 } })] },
    ],
    status: 201,
  },
  {
    name: 'two units hold twice as many',
    given: (house) => house.rooms(2, { maxOccupancy: 2 }),
    request: [
      'POST',
      '/api/v2/reservations',
      {
        stays: [
          newStay({
            personCount: { adults: 4 },
            units: [{ unitTypeId: '{unitTypeId}' }, { unitTypeId: '{unitTypeId}' }],
          }),
        ],
      },
    ],
    status: 201,
  },
  {
    name: 'a limit that was lowered since does not keep a guest from checking in',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1, { maxOccupancy: 3 })
      const made = await house.stay({ units: [{ unitTypeId, unitId }], personCount: { adults: 3 } })
      await house.ask('PUT', `/api/v2/unit-types/${unitTypeId}`, {
        body: { code: unitTypeId.slice(0, 30), name: 'smaller', maxOccupancy: 2 },
      })
      return made
    },
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 204,
  },
]

scenarios('What a stay cannot be', refusals)
scenarios('Who fits', occupancy)
