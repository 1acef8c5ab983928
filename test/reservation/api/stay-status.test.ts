import { type ReservationHouse, today, tomorrow, yesterday } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { inHouse, newStay, withUnit } from './stay-samples.ts'

const canceled = async (house: ReservationHouse) => {
  const made = await withUnit(house)
  await house.ask('PATCH', made.path, { body: { status: 'Canceled' } })
  return made
}

const theUnit = [{ unitTypeId: '{unitTypeId}', unitId: '{unitId}' }]

const rows: Scenario[] = [
  ...(['Tentative', 'Waitlisted', 'Confirmed'] as const).map(
    (status): Scenario => ({
      name: `(new) → ${status}`,
      given: (house) => house.stay({ status }),
      request: ['GET', '{path}'],
      status: 200,
      holds: { status },
      lacks: ['checkedInAt'],
    }),
  ),
  {
    name: '(new) → InHouse is a walk-in: checked in, its unit occupied',
    given: (house) => withUnit(house, { status: 'InHouse' }),
    request: ['GET', '/api/v2/units/{unitId}'],
    status: 200,
    holds: { occupied: true, status: 'Clean' },
  },
  {
    name: '(new) → InHouse without a unit: 422 unit-required',
    given: (house) => house.rooms(1),
    request: ['POST', '/api/v2/reservations', { stays: [newStay({ status: 'InHouse' })] }],
    status: 422,
    error: { code: 'unit-required', at: '/stays/0/status' },
  },
  {
    name: '(new) → InHouse before the first day: 409',
    given: (house) => house.rooms(1),
    request: [
      'POST',
      '/api/v2/reservations',
      { stays: [newStay({ status: 'InHouse', startDate: tomorrow, endDate: '2026-06-03', units: theUnit })] },
    ],
    status: 409,
    error: { code: 'stay-status-transition', at: '/stays/0/status' },
  },
  {
    name: '(new) → CheckedOut: 409, naming what a new stay can be',
    given: (house) => house.rooms(1),
    request: ['POST', '/api/v2/reservations', { stays: [newStay({ status: 'CheckedOut' })] }],
    status: 409,
    error: {
      code: 'stay-status-transition',
      at: '/stays/0/status',
      meta: { allowed: ['Tentative', 'Waitlisted', 'Confirmed'] },
    },
  },
  {
    name: 'Tentative → Confirmed while a unit of the type is free',
    given: (house) => withUnit(house, { status: 'Tentative' }),
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'Confirmed' },
  },
  {
    name: 'Waitlisted → Confirmed when all units of the type are booked: 422 names the dates',
    given: async (house) => {
      const { unitTypeId } = await withUnit(house)
      return house.stay({ status: 'Waitlisted', units: [{ unitTypeId }] })
    },
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 422,
    error: {
      code: 'no-eligible-unit',
      at: '/units/0/unitTypeId',
      meta: { reason: 'all-occupied', dates: [today] },
    },
  },
  {
    name: 'Tentative → InHouse: 409, naming Confirmed and Canceled',
    given: (house) => withUnit(house, { status: 'Tentative' }),
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: { code: 'stay-status-transition', at: '/status', meta: { allowed: ['Confirmed', 'Canceled'] } },
  },
  {
    name: 'Confirmed → Canceled: the unit can be given to another stay',
    given: async (house) => {
      const { path, units } = await withUnit(house)
      await house.ask('PATCH', path, { body: { status: 'Canceled' } })
      return house.stay({ units })
    },
    request: ['GET', '{path}'],
    status: 200,
    holds: { status: 'Confirmed' },
  },
  {
    name: 'Confirmed → InHouse: checkedInAt is now',
    given: inHouse,
    request: ['GET', '{path}'],
    status: 200,
    holds: { status: 'InHouse', checkedInAt: '2026-06-01T16:00:00.000Z' },
    lacks: ['checkedOutAt'],
  },
  {
    name: 'Confirmed → InHouse: the unit is occupied',
    given: inHouse,
    request: ['GET', '/api/v2/units/{unitId}'],
    status: 200,
    holds: { occupied: true },
  },
  {
    name: 'Confirmed → InHouse: so is the reservation',
    given: inHouse,
    request: ['GET', '{reservation}'],
    status: 200,
    holds: { status: 'InHouse' },
  },
  {
    name: 'Confirmed → InHouse without a unit: 422 unit-required',
    given: (house) => house.stay(),
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 422,
    error: { code: 'unit-required', at: '/status' },
  },
  {
    name: 'Confirmed → InHouse before the first day: 409',
    given: (house) => withUnit(house, { startDate: tomorrow, endDate: '2026-06-03' }),
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { guard: 'within-stay' } },
  },
  {
    name: 'Confirmed → InHouse after the last day: 409',
    given: (house) => withUnit(house, { startDate: '2026-05-20', endDate: yesterday }),
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { guard: 'within-stay' } },
  },
  {
    name: 'Confirmed → InHouse on a unit that is not ready: 409 names its status',
    given: async (house) => {
      const made = await withUnit(house)
      await house.ask('PATCH', `/api/v2/units/${made.unitId}`, { body: { status: 'Dirty' } })
      return made
    },
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { guard: 'unit-ready', unitStatus: 'Dirty' } },
  },
  {
    name: 'Confirmed → InHouse on a unit that is out of order: 409 names the room',
    given: async (house) => {
      const made = await withUnit(house)
      await house.ask('PATCH', `/api/v2/units/${made.unitId}`, {
        body: { status: 'OutOfOrder', outOfOrderUntil: '2027-03-04', outOfOrderReason: 'Pipe' },
      })
      return made
    },
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 409,
    error: {
      code: 'stay-status-transition',
      meta: {
        guard: 'unit-in-order',
        unitStatus: 'OutOfOrder',
        outOfOrder: { until: '2027-03-04', reason: 'Pipe' },
      },
    },
  },
  {
    name: 'InHouse moved into a unit that is out of order: 409',
    given: async (house) => {
      const { unitTypeId, unitIds } = await house.rooms(2)
      const [unitId, other] = unitIds
      await house.ask('PATCH', `/api/v2/units/${other}`, { body: { status: 'OutOfOrder' } })
      return {
        ...(await house.stay({ units: [{ unitTypeId, unitId }], status: 'InHouse' })),
        unitTypeId,
        other,
      }
    },
    request: ['PATCH', '{path}', { units: [{ unitTypeId: '{unitTypeId}', unitId: '{other}' }] }],
    status: 409,
    error: { code: 'unit-blocked', at: '/units/0/unitId' },
  },
  {
    name: 'InHouse stays longer in a unit that went out of order',
    given: async (house) => {
      const { unitTypeId, unitId } = await house.rooms(2)
      const made = await house.stay({ units: [{ unitTypeId, unitId }], status: 'InHouse' })
      await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status: 'OutOfOrder' } })
      return made
    },
    request: ['PATCH', '{path}', { endDate: '2026-06-04' }],
    status: 204,
  },
  {
    name: 'Confirmed → NoShow on the first day: 409',
    given: withUnit,
    request: ['PATCH', '{path}', { status: 'NoShow' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { guard: 'after-start' } },
  },
  {
    name: 'Confirmed → NoShow after the first day: the unit keeps its status and is free',
    given: (house) => withUnit(house, { startDate: yesterday, endDate: tomorrow }),
    request: ['PATCH', '{path}', { status: 'NoShow' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { occupied: false, status: 'Clean' },
  },
  {
    name: 'Canceled → Confirmed without the scope: 403 names it',
    given: async (house) => ({
      ...(await canceled(house)),
      writer: await house.tokenOf('auditor', ['reservations.write']),
    }),
    as: 'writer',
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 403,
    error: { code: 'scope-required', at: '/status', meta: { scope: 'reservations.reinstate' } },
  },
  {
    name: 'Canceled → Confirmed: the stay has its unit again',
    given: canceled,
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'Confirmed', units: [{ unitId: '{unitId}' }] },
    lacks: ['cancellationFee'],
  },
  {
    name: 'Canceled → Confirmed when the unit was given away: the stay is without one',
    given: async (house) => {
      const made = await canceled(house)
      await house.stay({ units: made.units })
      await house.make('units', { name: `Another ${made.unitTypeId}`, unitTypeId: made.unitTypeId })
      return made
    },
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 204,
    afterwards: '{path}',
    holds: { status: 'Confirmed', units: [{ unitTypeId: '{unitTypeId}', unitId: null }] },
  },
  ...(
    [
      ['blocked', 'availability/units', [{ startDate: today, endDate: today, quantity: 0 }]],
      ['given another type', 'units', { unitTypeId: null }],
    ] as const
  ).map(
    ([what, collection, body]): Scenario => ({
      name: `Canceled → Confirmed when the unit was ${what}: the stay is without one`,
      given: async (house) => {
        const made = await canceled(house)
        await house.make('units', { name: `Another ${made.unitTypeId}`, unitTypeId: made.unitTypeId })
        await house.ask('PATCH', `/api/v2/${collection}/${made.unitId}`, { body })
        return made
      },
      request: ['PATCH', '{path}', { status: 'Confirmed' }],
      status: 204,
      afterwards: '{path}',
      holds: { status: 'Confirmed', units: [{ unitTypeId: '{unitTypeId}', unitId: null }] },
    }),
  ),
  {
    name: 'InHouse → CheckedOut: the unit is dirty and free',
    given: inHouse,
    request: ['PATCH', '{path}', { status: 'CheckedOut' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { status: 'Dirty', occupied: false, idleSince: '2026-06-01T16:00:00.000Z' },
  },
  {
    name: 'InHouse → CheckedOut before the last day: the stay ends now',
    given: inHouse,
    request: ['PATCH', '{path}', { status: 'CheckedOut' }],
    status: 204,
    afterwards: '{path}',
    holds: { endDate: today, endTime: '17:00', nights: 0, checkedOutAt: '2026-06-01T16:00:00.000Z' },
  },
  {
    name: 'InHouse → CheckedOut of a unit that was taken out of order leaves it so',
    given: async (house) => {
      const made = await inHouse(house)
      await house.ask('PATCH', `/api/v2/units/${made.unitId}`, { body: { status: 'OutOfOrder' } })
      return made
    },
    request: ['PATCH', '{path}', { status: 'CheckedOut' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { status: 'OutOfOrder', occupied: false },
  },
  {
    name: 'InHouse → Confirmed on the same day: nobody is in the unit',
    given: inHouse,
    request: ['PATCH', '{path}', { status: 'Confirmed' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { occupied: false, status: 'Clean' },
  },
  {
    name: 'InHouse → Canceled: 409, naming what it can become',
    given: inHouse,
    request: ['PATCH', '{path}', { status: 'Canceled' }],
    status: 409,
    error: { code: 'stay-status-transition', meta: { allowed: ['Confirmed', 'CheckedOut'] } },
  },
  {
    name: 'CheckedOut → InHouse on the same day: the unit is occupied again',
    given: async (house) => {
      const made = await inHouse(house)
      await house.ask('PATCH', made.path, { body: { status: 'CheckedOut' } })
      return made
    },
    request: ['PATCH', '{path}', { status: 'InHouse' }],
    status: 204,
    afterwards: '/api/v2/units/{unitId}',
    holds: { occupied: true, status: 'Dirty' },
  },
  {
    name: 'InHouse stays with its first day: 409 names the field',
    given: inHouse,
    request: ['PATCH', '{path}', { startDate: yesterday }],
    status: 409,
    error: {
      code: 'stay-status-transition',
      at: '/startDate',
      meta: { field: 'startDate', status: 'InHouse' },
    },
  },
  {
    name: 'InHouse may stay longer',
    given: inHouse,
    request: ['PATCH', '{path}', { endDate: '2026-06-05' }],
    status: 204,
    afterwards: '{path}',
    holds: { nights: 4 },
  },
  {
    name: 'Canceled changes nothing but its comments: 409 names the field',
    given: canceled,
    request: ['PATCH', '{path}', { comment: 'called', personCount: { adults: 2 } }],
    status: 409,
    error: { code: 'stay-status-transition', at: '/personCount' },
  },
  {
    name: 'Canceled takes a comment',
    given: canceled,
    request: ['PATCH', '{path}', { comment: 'called' }],
    status: 204,
    afterwards: '{path}',
    holds: { comment: 'called', status: 'Canceled' },
  },
  {
    name: 'InHouse cannot be deleted: 409',
    given: async (house) => {
      const made = await inHouse(house)
      await house.ask('POST', `${made.reservation}/stays`, {
        body: newStay({
          units: [{ unitTypeId: made.unitTypeId }],
          startDate: '2027-01-01',
          endDate: '2027-01-02',
        }),
      })
      return made
    },
    request: ['DELETE', '{path}'],
    status: 409,
    error: { code: 'resource-referenced' },
  },
]

scenarios('A stay changes its status', rows)
