import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { play, type Scenario } from './scenario.ts'

const bare = { name: 'Attic', code: 'ATT' }
const envelope = { data: { type: 'unit-type', attributes: { name: 'Cellar', code: 'CEL' } } }
const stay = {
  startDate: '2026-06-02',
  endDate: '2026-06-03',
  status: 'Confirmed',
  personCount: { adults: 1 },
  units: [{ unitTypeId: ':single' }],
  reservationIds: [],
}
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Many ${index}`, code: `M${count}-${index}` }))

const accepted: Scenario[] = [
  {
    name: 'a bare body',
    ask: 'POST /api/v2/unit-types',
    body: bare,
    status: 201,
    holds: { data: { type: 'unit-type', attributes: { ...bare, quantity: 0, revision: 1 } } },
    says: {
      'content-type': 'application/vnd.api+json',
      etag: '"1"',
      location: /^\/api\/v2\/unit-types\/[0-9a-f-]{36}$/,
    },
  },
  { name: 'an enveloped body', ask: 'POST /api/v2/unit-types', body: envelope, status: 201 },
  {
    name: 'plain JSON as media type, and any charset',
    ask: 'POST /api/v2/unit-types',
    body: { name: 'Tower', code: 'TOW' },
    headers: { 'Content-Type': 'application/json; charset=iso-8859-1' },
    status: 201,
  },
  {
    name: 'what was read, sent back whole',
    ask: 'PUT /api/v2/unit-types/:single',
    body: {
      data: {
        type: 'unit-type',
        id: ':single',
        attributes: {
          name: 'Single',
          code: 'SGL',
          maxOccupancy: 1,
          quantity: 10,
          amenities: [':balcony'],
          createdAt: '2026-06-01T16:00:00.000Z',
          updatedAt: '2026-06-01T16:00:00.000Z',
          revision: 12,
        },
        relationships: { amenities: { data: [{ type: 'amenity', id: ':balcony' }] } },
        links: { self: '/api/v2/unit-types/:single' },
      },
    },
    status: 204,
    says: { etag: /^"\d+"$/ },
    also: ({ text }) => assert.equal(text, ''),
  },
  {
    name: 'a relationship instead of an id',
    ask: 'POST /api/v2/units',
    body: {
      data: {
        type: 'unit',
        attributes: { name: '901' },
        relationships: {
          unitType: { data: { type: 'unit-type', id: ':double' } },
          amenities: { data: [{ type: 'amenity', id: ':balcony' }] },
        },
      },
    },
    status: 201,
    holds: { data: { attributes: { unitTypeId: ':double', amenities: [':balcony'], status: 'Dirty' } } },
  },
  {
    name: 'an attribute before a relationship that says otherwise',
    ask: 'POST /api/v2/units',
    body: {
      data: {
        attributes: { name: '902', unitTypeId: ':single' },
        relationships: { unitType: { data: { type: 'unit-type', id: ':double' } } },
      },
    },
    status: 201,
    holds: { data: { attributes: { unitTypeId: ':single' } } },
  },
  {
    name: 'a relationship to nothing',
    ask: 'PATCH /api/v2/units/:unit',
    body: { data: { type: 'unit', relationships: { unitType: { data: null } } } },
    status: 204,
  },
  {
    name: 'so that it is gone',
    ask: 'GET /api/v2/units/:unit',
    status: 200,
    holds: { data: { attributes: { unitTypeId: null }, relationships: { unitType: { data: null } } } },
  },
  {
    name: 'a batch, bare, in its order',
    ask: 'POST /api/v2/batch/unit-types',
    body: many(3),
    status: 201,
    also: ({ body }) =>
      assert.deepEqual(
        body.data.map((each: { attributes: { code: string } }) => each.attributes.code),
        ['M3-0', 'M3-1', 'M3-2'],
      ),
  },
  {
    name: 'a batch, enveloped',
    ask: 'POST /api/v2/batch/units',
    body: { data: [{ type: 'unit', attributes: { name: '903' } }, { name: '904' }] },
    status: 201,
    holds: { data: [{ attributes: { name: '903' } }, { attributes: { name: '904' } }] },
  },
  { name: 'a batch of a hundred', ask: 'POST /api/v2/batch/unit-types', body: many(100), status: 201 },
  {
    name: 'a trial, of which nothing is kept',
    ask: 'POST /api/v2/unit-types?dryRun=true',
    body: { name: 'Trial', code: 'TRY' },
    status: 201,
    holds: { data: { attributes: { code: 'TRY' } } },
  },
  { name: 'and nothing is', ask: 'GET /api/v2/unit-types/TRY', status: 404, code: 'not-found' },
]

const refused: Scenario[] = [
  {
    name: 'another media type',
    ask: 'POST /api/v2/unit-types',
    body: '<unit-type/>',
    headers: { 'Content-Type': 'text/xml' },
    status: 415,
    code: 'unsupported-media-type',
    source: { header: 'Content-Type' },
  },
  {
    name: 'another media type for what is no unit',
    ask: 'PUT /api/v2/profiles/:guest',
    body: 'firstName=Ines',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'unsupported-media-type',
  },
  {
    name: 'text that is no JSON',
    ask: 'POST /api/v2/unit-types',
    body: '{"name": ',
    status: 400,
    code: 'malformed-json',
    source: { pointer: '' },
  },
  {
    name: 'JSON nested without end',
    ask: 'POST /api/v2/unit-types',
    body: '['.repeat(60_000) + ']'.repeat(60_000),
    status: 400,
    code: 'malformed-json',
  },
  {
    name: 'more than what one thing needs',
    ask: 'POST /api/v2/unit-types',
    body: JSON.stringify({ name: 'x'.repeat(131_072) }),
    status: 413,
    code: 'body-too-large',
    holds: { errors: [{ meta: { limit: 131_072 } }] },
  },
  {
    name: 'more than a mebibyte of many things',
    ask: 'POST /api/v2/batch/unit-types',
    body: JSON.stringify([{ name: 'x'.repeat(1_048_577) }]),
    status: 413,
    code: 'body-too-large',
    holds: { errors: [{ meta: { limit: 1_048_576 } }] },
  },
  {
    name: 'a batch of more than a hundred',
    ask: 'POST /api/v2/batch/unit-types',
    body: many(101),
    status: 413,
    code: 'batch-too-large',
    holds: {
      errors: [
        {
          meta: { limit: 100, count: 101, requests: 2 },
          detail:
            'One request takes at most 100 unit types, and this one has 101. Nothing was written. Send them in 2 requests of at most 100.',
        },
      ],
    },
  },
  {
    name: 'an empty batch',
    ask: 'POST /api/v2/batch/unit-types',
    body: [],
    status: 422,
    code: 'validation-failed',
  },
  {
    name: 'no body where one is needed',
    ask: 'POST /api/v2/unit-types',
    status: 422,
    code: 'validation-failed',
    source: { pointer: '' },
  },
  {
    name: 'a list where one thing is needed',
    ask: 'POST /api/v2/unit-types',
    body: [bare],
    status: 422,
    code: 'validation-failed',
  },
  {
    name: 'the envelope of something else',
    ask: 'POST /api/v2/unit-types',
    body: { data: { type: 'unit', attributes: bare } },
    status: 422,
    code: 'validation-failed',
    source: { pointer: '/data/type' },
    holds: { errors: [{ meta: { allowed: ['unit-type'] } }] },
  },
  {
    name: 'the envelope of something else in a batch',
    ask: 'POST /api/v2/batch/unit-types',
    body: [
      { name: 'First', code: 'FST' },
      { type: 'unit', attributes: bare },
    ],
    status: 422,
    code: 'validation-failed',
    source: { pointer: '/data/1/type' },
  },
  {
    name: 'an envelope that holds no object',
    ask: 'POST /api/v2/unit-types',
    body: { data: 'Attic' },
    status: 422,
    code: 'validation-failed',
    source: { pointer: '/data' },
  },
  {
    name: 'an envelope whose attributes are a list',
    ask: 'POST /api/v2/unit-types',
    body: { data: { type: 'unit-type', attributes: [bare] } },
    status: 422,
    code: 'validation-failed',
    source: { pointer: '/data/attributes' },
  },
  {
    name: 'a field that is missing',
    ask: 'POST /api/v2/unit-types',
    body: { code: 'X' },
    status: 422,
    code: 'validation-failed',
    source: { pointer: '/data/attributes/name' },
  },
  {
    name: 'a field there is not',
    ask: 'POST /api/v2/unit-types',
    body: { ...bare, stars: 5 },
    status: 422,
    source: { pointer: '/data/attributes/stars' },
  },
  {
    name: 'a value of another type',
    ask: 'POST /api/v2/unit-types',
    body: { name: 5, code: 'X' },
    status: 422,
    source: { pointer: '/data/attributes/name' },
  },
  {
    name: 'everything that is wrong at once',
    ask: 'POST /api/v2/unit-types',
    body: { name: '', maxOccupancy: 0, stars: 5 },
    status: 422,
    also: ({ body }) =>
      assert.deepEqual(
        body.errors.map(({ source }: { source: { pointer: string } }) => source.pointer).sort(),
        ['code', 'maxOccupancy', 'name', 'stars'].map((field) => `/data/attributes/${field}`),
      ),
  },
  {
    name: 'a word that is not in the list, with the list',
    ask: 'POST /api/v2/units',
    body: { name: '905', status: 'clean' },
    status: 422,
    source: { pointer: '/data/attributes/status' },
    holds: {
      errors: [
        { meta: { allowed: ['Dirty', 'Cleaning', 'Clean', 'Inspected', 'OutOfService', 'OutOfOrder'] } },
      ],
    },
  },
  {
    name: 'an id of nothing',
    ask: 'POST /api/v2/units',
    body: { name: '906', amenities: [':nobody'] },
    status: 422,
    code: 'reference-unknown',
    source: { pointer: '/data/attributes/amenities/0' },
  },
  {
    name: 'an id of nothing deep in a reservation',
    ask: 'POST /api/v2/reservations',
    body: { stays: [{ ...stay, units: [{ unitTypeId: ':nobody' }] }] },
    status: 422,
    code: 'reference-unknown',
    source: { pointer: '/data/attributes/stays/0/units/0/unitTypeId' },
  },
  {
    name: 'a wrong value deep in a reservation',
    ask: 'POST /api/v2/reservations',
    body: {
      data: { type: 'reservation', attributes: { stays: [stay, { ...stay, units: [{ unitTypeId: 7 }] }] } },
    },
    status: 422,
    code: 'validation-failed',
    source: { pointer: '/data/attributes/stays/1/units/0/unitTypeId' },
  },
  {
    name: 'a rule broken deep in a reservation',
    ask: 'POST /api/v2/reservations',
    body: { stays: [{ ...stay, personCount: { adults: 2 } }] },
    status: 422,
    code: 'person-count-exceeds-occupancy',
    source: { pointer: '/data/attributes/stays/0/personCount' },
    holds: { errors: [{ meta: { max: 1 } }] },
  },
  {
    name: 'a stay that ends before it starts',
    ask: 'POST /api/v2/reservations/:reservation/stays',
    body: { ...stay, endDate: '2026-06-01' },
    status: 422,
    code: 'end-before-start',
    source: { pointer: '/data/attributes/endDate' },
  },
  {
    name: 'a code that is taken',
    ask: 'POST /api/v2/unit-types',
    body: { name: 'Again', code: 'SGL' },
    status: 422,
    source: { pointer: '/data/attributes/code' },
  },
  {
    name: 'one item of a batch by its place, and then all of them',
    ask: 'POST /api/v2/batch/unit-types',
    body: many(9).map((each, index) => (index === 7 ? { ...each, name: '' } : each)),
    status: 422,
    code: 'validation-failed',
    source: { pointer: '/data/7/attributes/name' },
  },
  { name: 'so that none of them is kept', ask: 'GET /api/v2/unit-types/M9-0', status: 404 },
  {
    name: 'an item of a batch that another item contradicts',
    ask: 'POST /api/v2/batch/unit-types',
    body: [...many(2), { name: 'Twice', code: 'M2-0' }],
    status: 422,
    source: { pointer: '/data/2/attributes/code' },
  },
  { name: 'so that none of these is kept', ask: 'GET /api/v2/unit-types/M2-0', status: 404 },
  {
    name: 'a field that the batch form does not have',
    ask: 'POST /api/v2/batch/units',
    body: [{ name: '907', amenities: [':balcony'] }],
    status: 422,
    source: { pointer: '/data/0/attributes/amenities' },
  },
  {
    name: 'a trial that is neither true nor false',
    ask: 'POST /api/v2/unit-types?dryRun=maybe',
    body: { name: 'Trial', code: 'TRY' },
    status: 400,
    code: 'malformed-request',
    source: { parameter: 'dryRun' },
  },
  {
    name: 'a misspelled trial',
    ask: 'POST /api/v2/unit-types?dryrun=true',
    body: { name: 'Trial', code: 'TRY' },
    status: 400,
    code: 'unknown-parameter',
    source: { parameter: 'dryrun' },
  },
]

describe('a body may be', () => play(accepted))
describe('a body is refused for', () => play(refused))
