import { type ReservationHouse, today, tomorrow } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'

function newStay(attributes: Record<string, unknown> = {}) {
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

const later = { startDate: '2026-07-01', endDate: '2026-07-03' }

const types = (house: ReservationHouse) => house.rooms(3)

/** A reservation of two stays. */
async function group(house: ReservationHouse) {
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

const reservations: Scenario[] = [
  {
    name: 'POST /reservations: 201 with its stays inline, and its status, dates and money from them',
    given: types,
    request: [
      'POST',
      '/api/v2/reservations',
      {
        externalId: 'PMS-1',
        purpose: 'Leisure',
        stays: [
          newStay({ amount: { currency: 'EUR', amountWithTax: 80.5 } }),
          newStay({ ...later, status: 'Tentative', amount: { currency: 'EUR', amountWithTax: 19.5 } }),
        ],
      },
    ],
    status: 201,
    holds: {
      externalId: 'PMS-1',
      status: 'Confirmed',
      arrival: today,
      departure: '2026-07-03',
      due: 10_000,
      paid: 0,
      outstanding: 10_000,
      currency: 'EUR',
      source: 'Api',
      sync: { state: 'LocalOnly' },
      stays: [{ nights: 1, personCount: { adults: 1, children: 0, total: 1 } }, { nights: 2 }],
    },
    header: ['location', /^\/api\/v2\/reservations\/[0-9a-f-]{36}$/],
  },
  {
    name: 'a reservation without stays is Tentative, and nothing is known to be due',
    request: ['POST', '/api/v2/reservations', {}],
    status: 201,
    holds: { status: 'Tentative', stays: [], paid: 0 },
    lacks: ['arrival', 'departure', 'due', 'outstanding', 'currency'],
  },
  {
    name: 'a reservation that comes through the PMS says so',
    given: async (house) => ({ ...(await types(house)), pms: await house.tokenOf('integrator') }),
    as: 'pms',
    request: ['POST', '/api/v2/reservations', { stays: [newStay()] }],
    status: 201,
    holds: { source: 'Pms' },
  },
  {
    name: 'what is read-only in a body is ignored',
    given: types,
    request: [
      'POST',
      '/api/v2/reservations',
      { status: 'InHouse', due: 1, arrival: '1999-01-01', stays: [newStay()] },
    ],
    status: 201,
    holds: { status: 'Confirmed', arrival: today },
    lacks: ['due'],
  },
  {
    name: 'services are due by their pricing type',
    given: async (house) => {
      const service = { name: 'S', currencyCode: 'EUR', amountWithoutTax: 0, count: 1 }
      const make = (pricingType: number, amountWithTax: number, count = 1) =>
        house.make('services', { ...service, code: `S${pricingType}`, pricingType, amountWithTax, count })
      return {
        ...(await types(house)),
        once: await make(12, 1),
        night: await make(19, 10),
        person: await make(20, 100),
        both: await make(21, 1000),
        item: await make(24, 0.1),
      }
    },
    request: [
      'POST',
      '/api/v2/reservations',
      {
        stays: [
          newStay({
            ...later,
            personCount: { adults: 2, childrenAges: [4], infants: 1 },
            services: [
              { serviceId: '{once}' },
              { serviceId: '{night}' },
              { serviceId: '{person}' },
              { serviceId: '{both}', stayId: unknown },
              { serviceId: '{item}', count: 5 },
            ],
          }),
        ],
      },
    ],
    status: 201,
    holds: { due: 100 + 2_000 + 30_000 + 600_000 + 50, currency: 'EUR' },
  },
  {
    name: 'prices in two currencies come to nothing that is known',
    given: types,
    request: [
      'POST',
      '/api/v2/reservations',
      {
        stays: [
          newStay({ amount: { currency: 'EUR', amountWithTax: 1 } }),
          newStay({ ...later, amount: { currency: 'CHF', amountWithTax: 1 } }),
        ],
      },
    ],
    status: 201,
    lacks: ['due', 'outstanding', 'currency'],
  },
  {
    name: 'an externalId is taken once: 409 names it',
    given: group,
    request: ['POST', '/api/v2/reservations', { externalId: '{externalId}' }],
    status: 409,
    error: { code: 'external-id-conflict', at: '/externalId' },
  },
  {
    name: 'another integration may use the same externalId',
    given: group,
    request: ['POST', '/api/v2/reservations', { externalId: '{externalId}', integrationId: unknown }],
    status: 201,
    holds: { integrationId: unknown },
  },
  {
    name: 'GET /reservations?filter[externalId] is a list of one',
    given: group,
    request: ['GET', '/api/v2/reservations?filter[externalId]={externalId}'],
    status: 200,
    lists: [{ externalId: '{externalId}' }],
  },
  {
    name: 'PUT /reservations/{id} without stays leaves them as they are',
    given: group,
    request: ['PUT', '{path}', { channel: 'Web' }],
    status: 204,
    afterwards: '{path}',
    holds: { channel: 'Web', stays: [{ id: '{first}' }, { id: '{second}' }] },
    lacks: ['externalId'],
  },
  {
    name: 'PATCH /reservations/{id} sets some fields, and says that it is deprecated',
    given: group,
    request: ['PATCH', '{path}', { comment: 'VIP' }],
    status: 204,
    header: ['deprecation', /^@\d+$/],
    afterwards: '{path}',
    holds: { comment: 'VIP', externalId: '{externalId}' },
  },
  {
    name: 'PATCH of externalId alone minds the integration the reservation has',
    given: async (house) => {
      const { externalId } = await group(house)
      const body = { integrationId: unknown, externalId: 'other' }
      const made = await house.ask('POST', '/api/v2/reservations', { body })
      return { path: `/api/v2/reservations/${made.body.data.id}`, externalId }
    },
    request: ['PATCH', '{path}', { externalId: '{externalId}' }],
    status: 204,
  },
  {
    name: 'PUT with stays: the one without an id is known by its first day and type',
    given: group,
    request: [
      'PUT',
      '{path}',
      { stays: [newStay({ comment: 'a' }), newStay({ ...later, id: '{second}', comment: 'b' })] },
    ],
    status: 204,
    afterwards: '{path}',
    holds: {
      stays: [
        { id: '{first}', comment: 'a' },
        { id: '{second}', comment: 'b' },
      ],
    },
  },
  {
    name: 'PUT with stays: an id goes before everything else',
    given: group,
    request: [
      'PUT',
      '{path}',
      { stays: [newStay({ comment: 'new' }), newStay({ id: '{first}', comment: 'old' })] },
    ],
    status: 204,
    afterwards: '{path}',
    holds: { stays: [{ id: '{first}', comment: 'old' }, { comment: 'new' }] },
  },
  {
    name: 'PUT with stays: an externalId goes before the day',
    given: group,
    request: ['PUT', '{path}', { stays: [newStay({ ...later, externalId: 'one' })] }],
    status: 204,
    afterwards: '{path}',
    holds: { stays: [{ id: '{first}', startDate: later.startDate }], arrival: later.startDate },
  },
  {
    name: 'PUT with stays: a new booking of the day is not the canceled one',
    given: async (house) => {
      const made = await group(house)
      await house.ask('PATCH', `${made.path}/stays/${made.first}`, { body: { status: 'Canceled' } })
      return made
    },
    request: [
      'PUT',
      '{path}',
      {
        stays: [
          newStay({ id: '{first}', status: 'Canceled', externalId: 'one' }),
          newStay(),
          newStay({ ...later, id: '{second}' }),
        ],
      },
    ],
    status: 204,
    afterwards: '{path}',
    holds: {
      status: 'Confirmed',
      stays: [{ status: 'Canceled' }, { id: '{second}' }, { status: 'Confirmed' }],
    },
  },
  {
    name: 'PUT with stays: one that is left out and never had a key is gone',
    given: group,
    request: ['PUT', '{path}', { stays: [newStay({ id: '{first}' })] }],
    status: 204,
    afterwards: '{path}',
    holds: { departure: tomorrow, stays: [{ id: '{first}' }] },
  },
  {
    name: 'PUT with stays: a guest in house is not left out: 409',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      return house.stay({ units: [{ unitTypeId, unitId }], status: 'InHouse' })
    },
    request: ['PUT', '{reservation}', { stays: [] }],
    status: 409,
    error: { code: 'stay-status-transition', at: '/stays/status' },
  },
  {
    name: 'the reservation is canceled when the last of its stays is',
    given: async (house) => {
      const made = await house.stay({ amount: { currency: 'EUR', amountWithTax: 5 } })
      await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
      return made
    },
    request: ['GET', '{reservation}'],
    status: 200,
    holds: { status: 'Canceled', due: 0, arrival: today },
  },
  {
    name: 'DELETE /reservations/{id}: 204',
    given: group,
    request: ['DELETE', '{path}'],
    status: 204,
  },
  {
    name: 'DELETE of a reservation with a guest in house: 409',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      return house.stay({ units: [{ unitTypeId, unitId }], status: 'InHouse' })
    },
    request: ['DELETE', '{reservation}'],
    status: 409,
    error: { code: 'resource-referenced' },
  },
  {
    name: 'GET of a reservation that is not there: 404',
    request: ['GET', `/api/v2/reservations/${unknown}`],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'PUT with an old revision: 412',
    given: group,
    request: ['PUT', '{path}', {}],
    headers: { 'If-Match': '"1"' },
    status: 412,
    error: { code: 'revision-mismatch' },
  },
]

const stays: Scenario[] = [
  {
    name: 'GET /reservations/{id}/stays lists those of the reservation',
    given: group,
    request: ['GET', '{path}/stays'],
    status: 200,
    lists: [{ startDate: today }, { startDate: later.startDate }],
  },
  {
    name: 'GET /reservations/{id}/stays/{stayId}',
    given: group,
    request: ['GET', '{path}/stays/{first}'],
    status: 200,
    holds: {
      status: 'Confirmed',
      nights: 1,
      units: [{ unitId: null, unitName: null, locked: false }],
      keys: { live: 0, virtual: 0 },
    },
    lacks: ['checkedInAt', 'cancellationPolicy'],
  },
  {
    name: 'a stay is found where its link says',
    given: group,
    request: ['GET', '/api/v2/stays/{first}'],
    status: 200,
    holds: { startDate: today },
  },
  {
    name: 'GET of a stay under another reservation: 404',
    given: async (house) => ({ ...(await group(house)), other: (await house.stay()).reservation }),
    request: ['GET', '{other}/stays/{first}'],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'POST /reservations/{id}/stays: 201, and where it is',
    given: group,
    request: ['POST', '{path}/stays', newStay({ startDate: '2026-08-01', endDate: '2026-08-09' })],
    status: 201,
    holds: { nights: 8 },
    header: ['location', /^\/api\/v2\/reservations\/[0-9a-f-]{36}\/stays\/[0-9a-f-]{36}$/],
  },
  {
    name: 'PUT of a stay overwrites: what the body does not say is gone',
    given: async (house) => {
      const made = await group(house)
      await house.ask('PATCH', `${made.path}/stays/${made.first}`, {
        body: { comment: 'x', startTime: '14:00' },
      })
      return made
    },
    request: ['PUT', '{path}/stays/{first}', newStay()],
    status: 204,
    afterwards: '{path}/stays/{first}',
    lacks: ['comment', 'startTime', 'externalId'],
  },
  {
    name: 'PATCH of a stay sets some fields, and says that it is deprecated',
    given: group,
    request: ['PATCH', '{path}/stays/{first}', { startTime: '14:00', personCount: { adults: 2 } }],
    status: 204,
    header: [
      'link',
      /^<\/api\/v2\/reservations\/[0-9a-f-]{36}\/stays\/[0-9a-f-]{36}>; rel="successor-version"$/,
    ],
    afterwards: '{path}/stays/{first}',
    holds: { startTime: '14:00', personCount: { adults: 2 }, externalId: 'one' },
  },
  {
    name: 'PUT …/units sets the units alone, and says that it is deprecated',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      return { ...(await house.stay({ units: [{ unitTypeId }], comment: 'kept' })), unitTypeId, unitId }
    },
    request: ['PUT', '{path}/units', [{ unitTypeId: '{unitTypeId}', unitId: '{unitId}' }]],
    status: 204,
    header: ['deprecation', /^@\d+$/],
    afterwards: '{path}',
    holds: { comment: 'kept', units: [{ unitId: '{unitId}' }] },
  },
  {
    name: 'PUT …/services sets the services alone',
    given: async (house) => ({
      ...(await group(house)),
      service: (await house.ask('GET', '/api/v2/services')).body.data[0].id,
    }),
    request: [
      'PUT',
      '{path}/stays/{first}/services',
      { data: [{ attributes: { serviceId: '{service}', stayId: '{first}' } }] },
    ],
    status: 204,
    afterwards: '{path}/stays/{first}',
    holds: { externalId: 'one', services: [{ serviceId: '{service}', count: 1 }] },
  },
  {
    name: 'DELETE of one of two stays: 204',
    given: group,
    request: ['DELETE', '{path}/stays/{first}'],
    status: 204,
    afterwards: '{path}',
    holds: { arrival: later.startDate, stays: [{ id: '{second}' }] },
  },
  {
    name: 'DELETE of the last stay: 409',
    given: (house) => house.stay(),
    request: ['DELETE', '{path}'],
    status: 409,
    error: { code: 'last-stay' },
  },
  {
    name: 'profiles of a stay: one that is there by its id, and a whole one that is made',
    given: async (house) => ({
      ...(await types(house)),
      profileId: await house.make('profiles', { firstName: 'A', lastName: 'B' }),
    }),
    request: [
      'POST',
      '/api/v2/reservations',
      {
        stays: [
          newStay({
            profiles: [
              { type: 'profile', id: '{profileId}', role: 'Booker', firstName: 'ignored' },
              { firstName: 'C', lastName: 'D', type: 'Company', companyName: 'E', role: 'Company' },
            ],
          }),
        ],
      },
    ],
    status: 201,
    holds: { profiles: [{ type: 'profile', id: '{profileId}', role: 'Booker' }, { role: 'Company' }] },
  },
]

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
    given: (house) => house.rooms(1, { maxOccupancy: 2 }),
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

scenarios('Reservations', reservations)
scenarios('Stays', stays)
scenarios('What a stay cannot be', refusals)
scenarios('Who fits', occupancy)
