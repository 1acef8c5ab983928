import { today, tomorrow } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'

const unitTypes: Scenario[] = [
  {
    name: 'POST /unit-types: 201, and the quantity of a body is ignored',
    request: ['POST', '/api/v2/unit-types', { code: 'NEW', name: 'New', maxOccupancy: 2, quantity: 99 }],
    status: 201,
    holds: { code: 'NEW', maxOccupancy: 2, quantity: 0, amenities: [] },
  },
  {
    name: 'GET /unit-types/{id}: by its code as well',
    request: ['GET', '/api/v2/unit-types/DBL'],
    status: 200,
    holds: { code: 'DBL', quantity: 16 },
  },
  {
    name: 'the quantity counts the units of the type',
    given: ({ rooms }) => rooms(3),
    request: ['GET', '/api/v2/unit-types/{unitTypeId}'],
    status: 200,
    holds: { quantity: 3 },
  },
  {
    name: 'PUT /unit-types/{code} overwrites: 204',
    given: async ({ make }) => ({ id: await make('unit-types', { code: 'PUTTY', name: 'A', maxAdults: 2 }) }),
    request: ['PUT', '/api/v2/unit-types/PUTTY', { code: 'PUTTY', name: 'B' }],
    status: 204,
    afterwards: '/api/v2/unit-types/{id}',
    holds: { name: 'B' },
    lacks: ['maxAdults'],
  },
  {
    name: 'a code is taken once',
    request: ['POST', '/api/v2/unit-types', { code: 'DBL', name: 'Again' }],
    status: 422,
    error: { code: 'validation-failed', at: '/code' },
  },
  {
    name: 'a unit type with units cannot be deleted',
    given: ({ rooms }) => rooms(1),
    request: ['DELETE', '/api/v2/unit-types/{unitTypeId}'],
    status: 409,
    error: { code: 'resource-referenced', meta: { by: 'unit', count: 1 } },
  },
  {
    name: 'a unit type that a stay has booked cannot be deleted',
    given: async ({ rooms, stay }) => {
      const { unitTypeId } = await rooms(0)
      await stay({ units: [{ unitTypeId }] })
      return { unitTypeId }
    },
    request: ['DELETE', '/api/v2/unit-types/{unitTypeId}'],
    status: 409,
    error: { code: 'resource-referenced', meta: { by: 'stay' } },
  },
  {
    name: 'DELETE of a unit type that nobody needs: 204',
    given: ({ rooms }) => rooms(0),
    request: ['DELETE', '/api/v2/unit-types/{unitTypeId}'],
    status: 204,
  },
  {
    name: 'DELETE of a unit type that is not there: 404',
    request: ['DELETE', `/api/v2/unit-types/${unknown}`],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'an amenity that is not there: 422 names it',
    request: ['POST', '/api/v2/unit-types', { code: 'AMX', name: 'X', amenities: [unknown] }],
    status: 422,
    error: { code: 'reference-unknown', at: '/amenities/0' },
  },
  {
    name: 'an amenity of single units is not one of a type: 422 names it',
    given: async ({ make }) => ({ id: await make('amenities', { code: 'ONE', name: 'One', scope: 'Unit' }) }),
    request: ['POST', '/api/v2/unit-types', { code: 'AMY', name: 'Y', amenities: ['{id}'] }],
    status: 422,
    error: { code: 'validation-failed', at: '/amenities/0', meta: { scope: 'Unit' } },
  },
  {
    name: 'another content type: 415',
    request: ['POST', '/api/v2/unit-types', 'code=A'],
    headers: { 'Content-Type': 'text/plain' },
    status: 415,
    error: { code: 'unsupported-media-type' },
  },
  {
    name: 'GET /unit-types/{code}/units lists the units of the type alone',
    given: ({ rooms }) => rooms(2),
    request: ['GET', '/api/v2/unit-types/{unitTypeId}/units'],
    status: 200,
    lists: [{ unitTypeId: '{unitTypeId}' }, { unitTypeId: '{unitTypeId}' }],
  },
  {
    name: 'GET /unit-types/{id}/units of a type that is not there: 404',
    request: ['GET', `/api/v2/unit-types/${unknown}/units`],
    status: 404,
    error: { code: 'not-found' },
  },
]

const units: Scenario[] = [
  {
    name: 'POST /units: 201, and Dirty unless it says otherwise',
    request: ['POST', '/api/v2/units', { name: 'U-1' }],
    status: 201,
    holds: { name: 'U-1', status: 'Dirty', occupied: false },
    lacks: ['unitTypeId', 'idleSince', 'priority'],
  },
  {
    name: 'POST /units with a status of null is Dirty as well',
    request: ['POST', '/api/v2/units', { name: 'U-2', status: null }],
    status: 201,
    holds: { status: 'Dirty' },
  },
  {
    name: 'whether a unit is occupied is not the body’s to say',
    request: ['POST', '/api/v2/units', { name: 'U-3', occupied: true, idleSince: '2020-01-01T00:00:00Z' }],
    status: 201,
    holds: { occupied: false },
    lacks: ['idleSince'],
  },
  {
    name: 'POST /units of a type that is not there: 404 names it',
    request: ['POST', '/api/v2/units', { name: 'U-4', unitTypeId: unknown }],
    status: 404,
    error: { code: 'not-found', at: '/unitTypeId' },
  },
  {
    name: 'PUT /units/{id} to a type that is not there: 404 names it',
    given: async ({ make }) => ({ id: await make('units', { name: 'U-4a' }) }),
    request: ['PUT', '/api/v2/units/{id}', { name: 'U-4a', unitTypeId: unknown }],
    status: 404,
    error: { code: 'not-found', at: '/unitTypeId' },
  },
  {
    name: 'PATCH /units/{id} to a type that is not there: 404 names it',
    given: async ({ make }) => ({ id: await make('units', { name: 'U-4b' }) }),
    request: ['PATCH', '/api/v2/units/{id}', { unitTypeId: unknown }],
    status: 404,
    error: { code: 'not-found', at: '/unitTypeId' },
  },
  {
    name: 'PUT of a unit that is not there: 404',
    request: ['PUT', `/api/v2/units/${unknown}`, { name: 'U-4c' }],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'an amenity that is not there: 422 names it',
    request: ['POST', '/api/v2/units', { name: 'U-4d', amenities: [unknown] }],
    status: 422,
    error: { code: 'reference-unknown', at: '/amenities/0' },
  },
  {
    name: 'a unit type that is no id: 422 names it',
    request: ['POST', '/api/v2/units', { name: 'U-5', unitTypeId: 'DBL' }],
    status: 422,
    error: { code: 'validation-failed', at: '/unitTypeId' },
  },
  {
    name: 'a unit’s name is taken once',
    request: ['POST', '/api/v2/units', { name: '201' }],
    status: 422,
    error: { code: 'validation-failed', at: '/name' },
  },
  {
    name: 'PUT /units/{id} without a status leaves the unit as clean as it is',
    given: async ({ make }) => ({ id: await make('units', { name: 'U-6', status: 'Clean', floor: '1' }) }),
    request: ['PUT', '/api/v2/units/{id}', { name: 'U-6a' }],
    status: 204,
    afterwards: '/api/v2/units/{id}',
    holds: { name: 'U-6a', status: 'Clean' },
    lacks: ['floor'],
  },
  {
    name: 'PATCH /units/{id}: what is absent is unchanged, null is cleared',
    given: async ({ make }) => ({ id: await make('units', { name: 'U-7', status: 'Clean', floor: '1' }) }),
    request: ['PATCH', '/api/v2/units/{id}', { data: { type: 'unit', attributes: { floor: null } } }],
    status: 204,
    afterwards: '/api/v2/units/{id}',
    holds: { name: 'U-7', status: 'Clean' },
    lacks: ['floor'],
  },
  {
    name: 'PATCH of a status the table does not lead to: 409 names those it leads to',
    given: async ({ make }) => ({ id: await make('units', { name: 'U-8', status: 'Cleaning' }) }),
    request: ['PATCH', '/api/v2/units/{id}', { status: 'Inspected' }],
    status: 409,
    error: {
      code: 'unit-status-transition',
      at: '/status',
      meta: { allowed: ['Dirty', 'Clean', 'OutOfService', 'OutOfOrder'] },
    },
  },
  {
    name: 'PATCH of the status it has: 204 and no new revision',
    given: async ({ make }) => ({ id: await make('units', { name: 'U-9', status: 'Cleaning' }) }),
    request: ['PATCH', '/api/v2/units/{id}', { status: 'Cleaning' }],
    status: 204,
    header: ['etag', /^"1"$/],
  },
  {
    name: 'PATCH with an unknown status: 422 names what is allowed',
    given: async ({ make }) => ({ id: await make('units', { name: 'U-10' }) }),
    request: ['PATCH', '/api/v2/units/{id}', { status: 'dirty' }],
    status: 422,
    error: { code: 'validation-failed', at: '/status' },
  },
  {
    name: 'PATCH with an old revision: 412',
    given: async ({ make }) => ({ id: await make('units', { name: 'U-11' }) }),
    request: ['PATCH', '/api/v2/units/{id}', { floor: '9' }],
    headers: { 'If-Match': '"7"' },
    status: 412,
    error: { code: 'revision-mismatch', meta: { revision: 1 } },
  },
  {
    name: 'PATCH of a unit that is not there: 404',
    request: ['PATCH', `/api/v2/units/${unknown}`, { floor: '9' }],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'housekeeping sets a status',
    given: async ({ make, tokenOf }) => ({
      id: await make('units', { name: 'U-12' }),
      maid: await tokenOf('housekeeping'),
    }),
    as: 'maid',
    request: ['PATCH', '/api/v2/units/{id}', { status: 'Clean' }],
    status: 204,
    afterwards: '/api/v2/units/{id}',
    holds: { status: 'Clean' },
  },
  {
    name: 'housekeeping says until when and why a unit is out of order',
    given: async ({ make, tokenOf }) => ({
      id: await make('units', { name: 'U-121' }),
      maid: await tokenOf('housekeeping'),
    }),
    as: 'maid',
    request: [
      'PATCH',
      '/api/v2/units/{id}',
      { status: 'OutOfOrder', outOfOrderUntil: '2027-03-04', outOfOrderReason: 'Pipe' },
    ],
    status: 204,
    afterwards: '/api/v2/units/{id}',
    holds: { outOfOrderUntil: '2027-03-04', maintenance: [{ from: null, until: null, reason: 'Pipe' }] },
  },
  {
    name: 'a unit in order has no reason to be out of order',
    given: async ({ make, tokenOf }) => ({
      id: await make('units', { name: 'U-122', status: 'OutOfOrder', outOfOrderReason: 'Pipe' }),
      maid: await tokenOf('housekeeping'),
    }),
    as: 'maid',
    request: ['PATCH', '/api/v2/units/{id}', { status: 'Clean', outOfOrderUntil: '2027-03-04' }],
    status: 204,
    afterwards: '/api/v2/units/{id}',
    holds: { outOfOrderUntil: null, outOfOrderReason: null },
  },
  {
    name: 'housekeeping sets nothing but the status',
    given: async ({ make, tokenOf }) => ({
      id: await make('units', { name: 'U-13' }),
      maid: await tokenOf('housekeeping'),
    }),
    as: 'maid',
    request: ['PATCH', '/api/v2/units/{id}', { status: 'Clean', name: 'Mine' }],
    status: 403,
    error: { code: 'scope-required', at: '/name', meta: { scope: 'units.write' } },
  },
  {
    name: 'only an inspector takes a dirty unit to Inspected',
    given: async ({ make, tokenOf }) => ({
      id: await make('units', { name: 'U-14' }),
      maid: await tokenOf('housekeeping'),
    }),
    as: 'maid',
    request: ['PATCH', '/api/v2/units/{id}', { status: 'Inspected' }],
    status: 403,
    error: { code: 'scope-required', at: '/status', meta: { scope: 'units.inspect' } },
  },
  {
    name: 'a unit keeps its type while a coming stay needs it',
    given: async ({ rooms, stay }) => {
      const { unitTypeId, unitIds } = await rooms(1)
      await stay({
        startDate: '2027-01-01',
        endDate: '2027-01-02',
        units: [{ unitTypeId, unitId: unitIds[0] }],
      })
      return { id: unitIds[0] }
    },
    request: ['PATCH', '/api/v2/units/{id}', { unitTypeId: null }],
    status: 409,
    error: { code: 'unit-change-refused', at: '/unitTypeId' },
  },
  {
    name: 'a unit that a stay has cannot be deleted',
    given: async ({ rooms, stay }) => {
      const { unitTypeId, unitIds } = await rooms(1)
      await stay({ units: [{ unitTypeId, unitId: unitIds[0] }] })
      return { id: unitIds[0] }
    },
    request: ['DELETE', '/api/v2/units/{id}'],
    status: 409,
    error: { code: 'resource-referenced', meta: { by: 'stay' } },
  },
  {
    name: 'a stay shows the new name of its unit',
    given: async ({ rooms, stay, ask }) => {
      const { unitTypeId, unitIds } = await rooms(1)
      const made = await stay({
        startDate: today,
        endDate: tomorrow,
        units: [{ unitTypeId, unitId: unitIds[0] }],
      })
      await ask('PATCH', `/api/v2/units/${unitIds[0]}`, { body: { name: 'Renamed' } })
      return { ...made }
    },
    request: ['GET', '{path}'],
    status: 200,
    holds: { units: [{ unitName: 'Renamed', locked: false }] },
  },
]

const batches: Scenario[] = [
  {
    name: 'POST /batch/unit-types: 201 with all of them, in their order',
    request: [
      'POST',
      '/api/v2/batch/unit-types',
      [
        { code: 'B1', name: '1' },
        { code: 'B2', name: '2' },
      ],
    ],
    status: 201,
    lists: [{ code: 'B1' }, { code: 'B2' }],
  },
  {
    name: 'POST /batch/units under data, its items bare or as JSON:API has them',
    request: [
      'POST',
      '/api/v2/batch/units',
      { data: [{ name: 'B-0' }, { type: 'unit', attributes: { name: 'B-1', status: 'Clean' } }] },
    ],
    status: 201,
    lists: [
      { name: 'B-0', status: 'Dirty' },
      { name: 'B-1', status: 'Clean' },
    ],
  },
  {
    name: 'a batch is all or nothing, and the first error says which item',
    request: ['POST', '/api/v2/batch/units', [{ name: 'B-2' }, { name: 'B-2' }]],
    status: 422,
    error: { code: 'validation-failed', at: '/data/1/attributes/name' },
  },
  {
    name: 'what a refused batch began is not there',
    request: ['GET', '/api/v2/units?filter[name]=B-2'],
    status: 200,
    lists: [],
  },
  {
    name: 'amenities are not part of the batch form',
    request: ['POST', '/api/v2/batch/units', [{ name: 'B-3', amenities: [] }]],
    status: 422,
    error: { code: 'validation-failed', at: '/data/0/attributes/amenities' },
  },
  {
    name: 'the eighth item of a batch is named as the eighth',
    request: [
      'POST',
      '/api/v2/batch/unit-types',
      Array.from({ length: 10 }, (_, at) => ({ code: `E${at}`, ...(at !== 7 && { name: 'E' }) })),
    ],
    status: 422,
    error: { code: 'validation-failed', at: '/data/7/attributes/name' },
  },
  {
    name: 'a unit of a batch is of a type that is there: 422 names it, and none is made',
    request: ['POST', '/api/v2/batch/units', [{ name: 'B-4' }, { name: 'B-5', unitTypeId: unknown }]],
    status: 422,
    error: { code: 'reference-unknown', at: '/data/1/attributes/unitTypeId' },
  },
  {
    name: 'a batch takes 100 items',
    request: ['POST', '/api/v2/batch/units', Array.from({ length: 100 }, (_, at) => ({ name: `H-${at}` }))],
    status: 201,
    lists: Array.from({ length: 100 }, (_, at) => ({ name: `H-${at}` })),
  },
  {
    name: 'a batch of nothing is refused',
    request: ['POST', '/api/v2/batch/unit-types', []],
    status: 422,
    error: { code: 'validation-failed' },
  },
  {
    name: 'a batch is a list: 422',
    request: ['POST', '/api/v2/batch/units', { name: 'B-6' }],
    status: 422,
    error: { code: 'validation-failed' },
  },
  {
    name: 'a batch has at most 100 items',
    request: ['POST', '/api/v2/batch/units', Array.from({ length: 101 }, (_, at) => ({ name: `B-${at}` }))],
    status: 413,
    error: { code: 'batch-too-large', meta: { limit: 100, count: 101, requests: 2 } },
  },
]

scenarios('Unit types', unitTypes)
scenarios('Units', units)
scenarios('Batches', batches)
