import { another, booked, nobody } from './facts.ts'
import type { Row } from './row.ts'
import { createRows, listRows, readRows } from './rows-of-lists.ts'

const unitType = '/unit-types/{unitTypeId}'
const unit = '/units/{unitId}'

const aType = { code: '{fresh}', name: 'Loft', maxOccupancy: 3 }
const aUnit = { name: '{fresh}', unitTypeId: '{unitTypeId}' }
const xml = { 'Content-Type': 'text/xml' }

/** Two quantities in a batch of which the second is none. */
const wrongOf = (body: object) => [body, { ...body, name: 5 }]

/** Unit types and units, one by one and many at a time. */
export const unitRows: Row[] = [
  ...listRows('GET /unit-types'),
  ...createRows('POST /unit-types', aType, { maxOccupancy: 0 }),
  { of: 'POST /unit-types', status: 415, body: '<type/>', headers: xml, code: 'unsupported-media-type' },
  ...readRows(`GET ${unitType}`),
  { of: `GET ${unitType}`, status: 200, given: async () => ({ unitTypeId: 'DBL' }) },
  { of: `PUT ${unitType}`, status: 204, body: aType },
  { of: `PUT ${unitType}`, status: 400, body: '{', code: 'malformed-json' },
  {
    of: `PUT ${unitType}`,
    status: 404,
    body: aType,
    given: async () => ({ unitTypeId: nobody }),
    code: 'not-found',
  },
  { of: `PUT ${unitType}`, status: 415, body: '<type/>', headers: xml, code: 'unsupported-media-type' },
  { of: `PUT ${unitType}`, status: 422, body: { code: 'X' }, code: 'validation-failed' },
  { of: `PUT ${unitType}`, status: 500, in: 'ruins', body: aType, code: 'internal' },
  {
    of: `DELETE ${unitType}`,
    status: 204,
    given: async ({ rooms }) => ({ unitTypeId: (await rooms(0)).unitTypeId }),
  },
  { of: `DELETE ${unitType}`, status: 404, given: async () => ({ unitTypeId: nobody }), code: 'not-found' },
  { of: `DELETE ${unitType}`, status: 409, code: 'resource-referenced' },
  {
    of: `DELETE ${unitType}`,
    status: 409,
    given: async (house) => {
      const { unitTypeId } = await house.rooms(0)
      await booked(house, { unitTypeId })
      return { unitTypeId }
    },
    code: 'resource-referenced',
  },
  { of: `DELETE ${unitType}`, status: 500, in: 'ruins', code: 'internal' },

  { of: 'POST /batch/unit-types', status: 201, body: [aType] },
  { of: 'POST /batch/unit-types', status: 400, body: '[{', code: 'malformed-json' },
  { of: 'POST /batch/unit-types', status: 422, body: wrongOf(aType), code: 'validation-failed' },
  { of: 'POST /batch/unit-types', status: 500, in: 'ruins', body: [aType], code: 'internal' },
  { of: 'POST /batch/units', status: 201, body: [aUnit, { name: '{fresh} next' }] },
  { of: 'POST /batch/units', status: 400, body: '[{', code: 'malformed-json' },
  { of: 'POST /batch/units', status: 422, body: wrongOf(aUnit), code: 'validation-failed' },
  { of: 'POST /batch/units', status: 500, in: 'ruins', body: [aUnit], code: 'internal' },

  { of: `GET ${unitType}/units`, status: 200 },
  {
    of: `GET ${unitType}/units`,
    status: 404,
    given: async () => ({ unitTypeId: nobody }),
    code: 'not-found',
  },
  { of: `GET ${unitType}/units`, status: 500, in: 'ruins', code: 'internal' },

  ...listRows('GET /units'),
  ...createRows('POST /units', aUnit, { status: 'Tidy' }),
  { of: 'POST /units', status: 404, body: { ...aUnit, unitTypeId: nobody }, code: 'not-found' },
  { of: 'POST /units', status: 415, body: '<unit/>', headers: xml, code: 'unsupported-media-type' },
  ...readRows(`GET ${unit}`),
  { of: `PUT ${unit}`, status: 204, body: aUnit },
  { of: `PUT ${unit}`, status: 400, body: '{', code: 'malformed-json' },
  { of: `PUT ${unit}`, status: 404, body: aUnit, given: async () => ({ unitId: nobody }), code: 'not-found' },
  { of: `PUT ${unit}`, status: 415, body: '<unit/>', headers: xml, code: 'unsupported-media-type' },
  { of: `PUT ${unit}`, status: 422, body: { name: '' }, code: 'validation-failed' },
  { of: `PUT ${unit}`, status: 500, in: 'ruins', body: aUnit, code: 'internal' },
  { of: `PATCH ${unit}`, status: 204, body: { floor: '9' } },
  { of: `PATCH ${unit}`, status: 400, body: '{', code: 'malformed-json' },
  { of: `PATCH ${unit}`, status: 404, body: {}, given: async () => ({ unitId: nobody }), code: 'not-found' },
  {
    of: `PATCH ${unit}`,
    status: 409,
    body: { status: 'Cleaning' },
    given: async ({ make }) => ({
      unitId: await make('units', { name: another('Inspected '), status: 'Inspected' }),
    }),
    code: 'unit-status-transition',
  },
  { of: `PATCH ${unit}`, status: 412, body: {}, headers: { 'If-Match': '"99"' }, code: 'revision-mismatch' },
  { of: `PATCH ${unit}`, status: 415, body: '<unit/>', headers: xml, code: 'unsupported-media-type' },
  { of: `PATCH ${unit}`, status: 422, body: { status: 'Tidy' }, code: 'validation-failed' },
  { of: `PATCH ${unit}`, status: 500, in: 'ruins', body: { floor: '9' }, code: 'internal' },
]
