import { type Scenario, scenarios } from './scenario.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'
const address = { line1: 'Rua 1', city: 'Porto', country: 'PT' }

const properties: Scenario[] = [
  {
    name: 'POST /properties: 201 with the property, where it is, and its revision',
    request: ['POST', '/api/v2/properties', { name: 'Hotel', enabled: true, address }],
    status: 201,
    holds: { name: 'Hotel', enabled: true, address: { type: 'Business', country: 'PT' } },
    header: ['location', /^\/api\/v2\/properties\/[0-9a-f-]{36}$/],
  },
  {
    name: 'POST /properties in the envelope of JSON:API',
    request: [
      'POST',
      '/api/v2/properties',
      { data: { type: 'property', attributes: { name: 'Hotel', enabled: false, address } } },
    ],
    status: 201,
    holds: { enabled: false },
  },
  {
    name: 'POST /properties without an address: 422 names it',
    request: ['POST', '/api/v2/properties', { name: 'Hotel', enabled: true }],
    status: 422,
    error: { code: 'validation-failed', at: '/address' },
  },
  {
    name: 'a country is two upper-case letters',
    request: [
      'POST',
      '/api/v2/properties',
      { name: 'H', enabled: true, address: { ...address, country: 'pt' } },
    ],
    status: 422,
    error: { code: 'validation-failed', at: '/address/country' },
  },
  {
    name: 'a region code starts with its country',
    request: [
      'POST',
      '/api/v2/properties',
      { name: 'H', enabled: true, address: { ...address, regionCode: 'ES-MD' } },
    ],
    status: 422,
    error: { code: 'validation-failed', at: '/address/regionCode' },
  },
  {
    name: 'PUT /properties/{id} overwrites: what the body does not say is gone',
    given: async ({ make }) => ({
      id: await make('properties', { name: 'A', enabled: true, address, description: 'old', code: 'X' }),
    }),
    request: ['PUT', '/api/v2/properties/{id}', { name: 'B', enabled: true, address }],
    status: 204,
    afterwards: '/api/v2/properties/{id}',
    holds: { name: 'B' },
    lacks: ['description', 'code'],
  },
  {
    name: 'DELETE /properties/{id}: 204',
    given: async ({ make }) => ({ id: await make('properties', { name: 'A', enabled: true, address }) }),
    request: ['DELETE', '/api/v2/properties/{id}'],
    status: 204,
  },
  {
    name: 'GET of a property that is not there: 404',
    request: ['GET', `/api/v2/properties/${unknown}`],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'PUT of a property that is not there: 404',
    request: ['PUT', `/api/v2/properties/${unknown}`, { name: 'B', enabled: true, address }],
    status: 404,
    error: { code: 'not-found' },
  },
]

const amenities: Scenario[] = [
  {
    name: 'POST /amenities: 201, for units and unit types unless it says otherwise',
    request: [
      'POST',
      '/api/v2/amenities',
      { code: 'SEA', name: 'Sea view', names: { pt: 'Vista' }, otaCode: 40 },
    ],
    status: 201,
    holds: { code: 'SEA', scope: 'Both', names: { pt: 'Vista' }, otaCode: 40 },
    lacks: ['category'],
  },
  {
    name: 'the code of an amenity is unique',
    given: async ({ make }) => ({ id: await make('amenities', { code: 'TWICE', name: 'Once' }) }),
    request: ['POST', '/api/v2/amenities', { code: 'TWICE', name: 'Again' }],
    status: 422,
    error: { code: 'validation-failed', at: '/code' },
  },
  {
    name: 'a scope is spelled exactly, and the refusal names what is allowed',
    request: ['POST', '/api/v2/amenities', { code: 'BED', name: 'Bed', scope: 'unit' }],
    status: 422,
    error: { code: 'validation-failed', at: '/scope', meta: { allowed: ['UnitType', 'Unit', 'Both'] } },
  },
  {
    name: 'an amenity of a unit type cannot be deleted',
    given: async ({ make }) => {
      const id = await make('amenities', { code: 'KEPT', name: 'Kept' })
      await make('unit-types', { code: 'AMN', name: 'With it', amenities: [id] })
      return { id }
    },
    request: ['DELETE', '/api/v2/amenities/{id}'],
    status: 409,
    error: { code: 'resource-referenced', meta: { by: 'unit-type', count: 1 } },
  },
]

const breakfast = {
  code: 'BRK',
  name: 'Breakfast',
  currencyCode: 'EUR',
  amountWithTax: 14.5,
  amountWithoutTax: 12.83,
  pricingType: 21,
  count: 1,
}

const services: Scenario[] = [
  {
    name: 'POST /services: 201 with its prices as they were sent',
    request: ['POST', '/api/v2/services', breakfast],
    status: 201,
    holds: { amountWithTax: 14.5, amountWithoutTax: 12.83, pricingType: 21 },
  },
  {
    name: 'a pricing type is one of the five codes',
    request: ['POST', '/api/v2/services', { ...breakfast, pricingType: 13 }],
    status: 422,
    error: { code: 'validation-failed', at: '/pricingType', meta: { allowed: [12, 19, 20, 21, 24] } },
  },
  {
    name: 'only a service by the item has a count other than 1',
    request: ['POST', '/api/v2/services', { ...breakfast, count: 2 }],
    status: 422,
    error: { code: 'validation-failed', at: '/count', meta: { expected: 1 } },
  },
  {
    name: 'an amount has no more decimals than its currency',
    request: ['POST', '/api/v2/services', { ...breakfast, currencyCode: 'JPY' }],
    status: 422,
    error: { code: 'validation-failed', at: '/amountWithTax' },
  },
  {
    name: 'a currency is one of ISO 4217',
    request: ['POST', '/api/v2/services', { ...breakfast, currencyCode: 'ABC' }],
    status: 422,
    error: { code: 'validation-failed', at: '/currencyCode' },
  },
  {
    name: 'a service that a stay has booked cannot be deleted',
    given: async ({ make, stay }) => {
      const id = await make('services', breakfast)
      await stay({ services: [{ serviceId: id }] })
      return { id }
    },
    request: ['DELETE', '/api/v2/services/{id}'],
    status: 409,
    error: { code: 'resource-referenced', meta: { by: 'stay', count: 1 } },
  },
]

const plan = { code: 'BAR', name: 'Best available', startDate: '2026-01-01', endDate: '2026-12-31' }

const ratePlans: Scenario[] = [
  {
    name: 'POST /rate-plans: 201, active, and said to be beta',
    request: ['POST', '/api/v2/rate-plans', { ...plan, mealPlan: 'HalfBoard', guaranteeType: 'CcRequired' }],
    status: 201,
    holds: { active: true, mealPlan: 'HalfBoard', guaranteeType: 'CcRequired' },
    header: ['x-stability', /^beta$/],
  },
  {
    name: 'a plan does not end before it starts',
    request: ['POST', '/api/v2/rate-plans', { ...plan, endDate: '2025-12-31' }],
    status: 422,
    error: { code: 'end-before-start', at: '/endDate' },
  },
  {
    name: 'a plan may have a parent without being adjusted',
    given: async ({ make }) => ({ parentId: await make('rate-plans', plan) }),
    request: ['POST', '/api/v2/rate-plans', { ...plan, parentId: '{parentId}' }],
    status: 201,
    lacks: ['derivedAdjustment'],
  },
  {
    name: 'an adjustment needs a parent',
    request: [
      'POST',
      '/api/v2/rate-plans',
      { ...plan, currency: 'EUR', derivedAdjustment: { type: 'Percent', value: -10 } },
    ],
    status: 422,
    error: { code: 'validation-failed', at: '/derivedAdjustment' },
  },
  {
    name: 'a parent that is not there: 422 names it',
    request: ['POST', '/api/v2/rate-plans', { ...plan, parentId: unknown }],
    status: 422,
    error: { code: 'reference-unknown', at: '/parentId' },
  },
  {
    name: 'a cancellation policy that is not there: 422 names it',
    request: ['POST', '/api/v2/rate-plans', { ...plan, cancellationPolicyId: unknown }],
    status: 422,
    error: { code: 'reference-unknown', at: '/cancellationPolicyId' },
  },
  {
    name: 'a plan is never derived from itself',
    given: async ({ make }) => {
      const top = await make('rate-plans', plan)
      return { top, below: await make('rate-plans', { ...plan, parentId: top }) }
    },
    request: ['PUT', '/api/v2/rate-plans/{top}', { ...plan, parentId: '{below}' }],
    status: 422,
    error: { code: 'rate-plan-derivation', at: '/parentId' },
  },
  {
    name: 'a plan has at most three above it',
    given: async ({ make }) => {
      let parentId: string | undefined
      for (let depth = 0; depth < 4; depth++) {
        parentId = await make('rate-plans', { ...plan, ...(parentId && { parentId }) })
      }
      return { parentId }
    },
    request: ['POST', '/api/v2/rate-plans', { ...plan, parentId: '{parentId}' }],
    status: 422,
    error: { code: 'rate-plan-derivation', at: '/parentId' },
  },
  {
    name: 'a plan that another is derived from cannot be deleted',
    given: async ({ make }) => {
      const id = await make('rate-plans', plan)
      await make('rate-plans', { ...plan, parentId: id })
      return { id }
    },
    request: ['DELETE', '/api/v2/rate-plans/{id}'],
    status: 409,
    error: { code: 'resource-referenced' },
  },
]

const tiers = [
  { offset: 'P7D', fee: { nights: 1 } },
  { offset: 'P1D', fee: { percent: 100, of: 'Stay' } },
]

const policies: Scenario[] = [
  {
    name: 'POST /cancellation-policies: 201, counted from arrival, the no-show as the last tier',
    request: ['POST', '/api/v2/cancellation-policies', { code: 'FLEX', name: 'Flexible', tiers }],
    status: 201,
    holds: { reference: 'Arrival', tiers, noShowFee: { percent: 100, of: 'Stay' }, nonRefundable: false },
  },
  {
    name: 'what is not refundable costs everything from its creation on',
    request: ['POST', '/api/v2/cancellation-policies', { code: 'NR', name: 'Saver', nonRefundable: true }],
    status: 201,
    holds: { reference: 'Creation', tiers: [{ offset: 'PT0S', fee: { percent: 100, of: 'Stay' } }] },
  },
  ...(
    [
      [
        'a fee above the whole',
        { tiers: [{ offset: 'P1D', fee: { percent: 101, of: 'Stay' } }] },
        '/tiers/0/fee/percent',
      ],
      [
        'a share of nothing',
        { tiers: [{ offset: 'P1D', fee: { percent: 10, of: 'Week' } }] },
        '/tiers/0/fee/of',
      ],
      ['no nights at all', { tiers: [{ offset: 'P1D', fee: { nights: 0 } }] }, '/tiers/0/fee/nights'],
      [
        'two fees in one',
        { tiers: [{ offset: 'P1D', fee: { nights: 1, percent: 10 } }] },
        '/tiers/0/fee/percent',
      ],
      [
        'half a yen',
        { tiers: [{ offset: 'P1D', fee: { amount: 0.5, currency: 'JPY' } }] },
        '/tiers/0/fee/amount',
      ],
      [
        'a fee in no currency',
        { tiers: [{ offset: 'P1D', fee: { amount: 5, currency: 'XYZ' } }] },
        '/tiers/0/fee/currency',
      ],
      ['an offset in words', { tiers: [{ offset: '1 day', fee: { nights: 1 } }] }, '/tiers/0/offset'],
      ['an offset after arrival', { tiers: [{ offset: '-P1D', fee: { nights: 1 } }] }, '/tiers/0/offset'],
      ['an offset of nothing', { tiers: [{ offset: 'PTD', fee: { nights: 1 } }] }, '/tiers/0/offset'],
      [
        'eleven tiers',
        { tiers: Array.from({ length: 11 }, (_, at) => ({ offset: `P${20 - at}D`, fee: { nights: 1 } })) },
        '/tiers',
      ],
      ['a wrong fee for a no-show', { tiers, noShowFee: { amount: 1 } }, '/noShowFee/currency'],
      ['tiers of its own, and no refund', { tiers, nonRefundable: true }, '/tiers'],
      ['an unknown reference', { tiers, reference: 'arrival' }, '/reference'],
      ['a description in no language', { tiers, descriptions: { english: 'x' } }, '/descriptions'],
    ] as const
  ).map(
    ([what, terms, at]): Scenario => ({
      name: `a policy with ${what}: 422 at ${at}`,
      request: ['POST', '/api/v2/cancellation-policies', { code: 'BAD', name: 'Bad', ...terms }],
      status: 422,
      error: { code: 'validation-failed', at },
    }),
  ),
  {
    name: 'a policy is told in the languages it has, and null is as good as nothing',
    request: [
      'POST',
      '/api/v2/cancellation-policies',
      {
        code: 'LANG',
        name: 'L',
        tiers,
        noShowFee: null,
        reference: null,
        descriptions: { en: 'One night', 'pt-BR': 'Uma noite' },
      },
    ],
    status: 201,
    holds: {
      reference: 'Arrival',
      noShowFee: { percent: 100, of: 'Stay' },
      descriptions: { en: 'One night', 'pt-BR': 'Uma noite' },
    },
  },
  {
    name: 'a policy counted from creation has its shortest offset first',
    request: [
      'POST',
      '/api/v2/cancellation-policies',
      {
        code: 'CRE',
        name: 'C',
        reference: 'Creation',
        tiers: [
          { offset: 'PT24H', fee: { percent: 50, of: 'FirstNight' } },
          { offset: 'P1W', fee: { amount: 20, currency: 'EUR' } },
        ],
      },
    ],
    status: 201,
    holds: { noShowFee: { amount: 20, currency: 'EUR' } },
  },
  {
    name: 'PUT of a policy overwrites its terms',
    given: async ({ make }) => ({
      id: await make('cancellation-policies', { code: 'OV', name: 'O', tiers, description: 'x' }),
    }),
    request: ['PUT', '/api/v2/cancellation-policies/{id}', { code: 'OV', name: 'O', nonRefundable: true }],
    status: 204,
    afterwards: '/api/v2/cancellation-policies/{id}',
    holds: { nonRefundable: true, reference: 'Creation' },
    lacks: ['description'],
  },
  {
    name: 'a policy has at least one tier',
    request: ['POST', '/api/v2/cancellation-policies', { code: 'NONE', name: 'None' }],
    status: 422,
    error: { code: 'validation-failed', at: '/tiers' },
  },
  {
    name: 'tiers are in the order in which they are reached',
    request: ['POST', '/api/v2/cancellation-policies', { code: 'X', name: 'X', tiers: tiers.toReversed() }],
    status: 422,
    error: { code: 'validation-failed', at: '/tiers/1/offset' },
  },
]

scenarios('Properties', properties)
scenarios('Amenities', amenities)
scenarios('Services', services)
scenarios('Rate plans', ratePlans)
scenarios('Cancellation policies', policies)
