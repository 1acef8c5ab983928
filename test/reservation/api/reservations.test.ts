import { type ReservationHouse, today, tomorrow } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { group, later, newStay } from './stay-samples.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'

const types = (house: ReservationHouse) => house.rooms(3)

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
    name: 'PUT with stays: a new one may have the unit of one that is left out',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      const units = [{ unitTypeId, unitId }]
      return { ...(await house.stay({ units, externalId: 'old' })), units }
    },
    request: ['PUT', '{reservation}', { stays: [newStay({ units: '{units}', externalId: 'new' })] }],
    status: 204,
    afterwards: '{reservation}',
    holds: { stays: [{ externalId: 'new' }] },
  },
  {
    name: 'PUT with stays: a guest in house is not left out: 409',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(1)
      return house.stay({ units: [{ unitTypeId, unitId }], status: 'InHouse' })
    },
    request: ['PUT', '{reservation}', { stays: [] }],
    status: 409,
    error: { code: 'stay-status-transition', at: '/stays' },
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
    name: 'PATCH of the status itself is refused: it follows from the stays',
    given: group,
    request: ['PATCH', '{path}', { status: 'Canceled' }],
    status: 422,
    error: { code: 'validation-failed', at: '/status', meta: { status: 'Confirmed' } },
  },
  {
    name: 'PUT with the status that was read, while its stays are canceled',
    given: group,
    request: [
      'PUT',
      '{path}',
      {
        status: 'Confirmed',
        stays: [
          newStay({ id: '{first}', externalId: 'one', status: 'Canceled' }),
          newStay({ ...later, id: '{second}', status: 'Canceled' }),
        ],
      },
    ],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'Canceled' },
  },
  {
    name: 'PUT with the status that follows from the stays as they become',
    given: (house) => house.stay(),
    request: ['PUT', '{reservation}', { status: 'Tentative', stays: [] }],
    status: 204,
    afterwards: '{reservation}',
    holds: { status: 'Tentative' },
  },
  {
    name: 'PUT with an old revision: 412',
    given: group,
    request: ['PUT', '{path}', {}],
    headers: { 'If-Match': '"0"' },
    status: 412,
    error: { code: 'revision-mismatch' },
  },
  {
    name: 'PUT with the revision of the creation',
    given: group,
    request: ['PUT', '{path}', {}],
    headers: { 'If-Match': '"1"' },
    status: 204,
  },
]

scenarios('Reservations', reservations)
