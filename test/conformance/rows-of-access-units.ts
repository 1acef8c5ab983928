import assert from 'node:assert/strict'
import { type AccessHouse, pinOf } from './access-house.ts'
import { another } from './facts.ts'
import type { Row } from './row.ts'

type AccessRow = Row<AccessHouse>

const all = 'POST /access/units'
const one = '/access/units/{unitId}'
const unit = { name: '{fresh}', providerId: '{configurationId}' }
const missing = { unitId: '0197c0de-0000-7000-8000-000000000001' }

/** An access unit of its own, with its revision as an entity tag. */
const own = async ({ make, pins }: AccessHouse) => ({
  unitId: await make('access/units', { name: another('Gate '), code: '7', providerId: pins.providerId }),
})

const listed = (when: string, query: string, code: string): AccessRow => ({
  of: 'GET /access/units',
  status: 400,
  query,
  code,
  when,
})

/** The units of lock systems: what is a unit, and what is asked of them. */
export const accessUnitRows: AccessRow[] = [
  {
    of: 'GET /access/units',
    status: 200,
    when: 'those of one provider',
    given: own,
    query: 'filter[providerId]={configurationId}',
    also({ body }, { configurationId }) {
      assert.ok(body.data.length > 0)
      for (const { attributes } of body.data) assert.equal(attributes.providerId, configurationId)
    },
  },
  {
    of: 'GET /access/units',
    status: 200,
    when: 'by a part of a name, in pages',
    given: own,
    query: 'filter[name][like]=Gate&sort=-name&page[size]=1',
    also({ body }) {
      assert.equal(body.data.length, 1)
      assert.equal(typeof body.links.next, 'string')
    },
  },
  { of: 'GET /access/units', status: 200, when: 'without a code', query: 'filter[code][isnull]=true' },
  listed('an unknown field', 'filter[colour]=red', 'invalid-filter-field'),
  listed('no id', 'filter[providerId]=all', 'invalid-filter-value'),
  listed('an unknown operator', 'filter[name][is]=x', 'invalid-filter-operator'),
  listed('a page of nothing', 'page[size]=0', 'invalid-page-size'),
  { of: 'GET /access/units', status: 500, in: 'ruins', code: 'internal' },

  {
    of: all,
    status: 201,
    when: 'a bare body with all it has',
    body: { ...unit, code: '12', config: { pulseMs: 500, locks: ['a', 'b'] } },
    also({ body }, { fresh, configurationId }) {
      assert.equal(body.data.type, 'access-unit')
      assert.partialDeepStrictEqual(body.data.attributes, {
        name: fresh,
        code: '12',
        config: { pulseMs: 500, locks: ['a', 'b'] },
        providerId: configurationId,
      })
    },
  },
  {
    of: all,
    status: 201,
    when: 'an envelope',
    body: { data: { type: 'access-unit', attributes: unit } },
  },
  {
    of: all,
    status: 201,
    when: 'its provider as a relationship',
    body: {
      data: {
        type: 'units',
        attributes: { name: '{fresh}' },
        relationships: { provider: { data: { type: 'access-provider', id: '{configurationId}' } } },
      },
    },
  },
  {
    of: all,
    status: 201,
    when: 'and it has a lock from then on',
    // Its code in the cloud is that of door 303.
    body: { ...unit, code: '1003' },
    given: async () => ({ fresh: 'Sauna' }),
  },
  { of: all, status: 400, body: '{"name":', code: 'malformed-json' },
  { of: all, status: 400, query: 'dryrun=true', body: unit, code: 'unknown-parameter' },
  {
    of: all,
    status: 422,
    when: 'no name',
    body: { providerId: '{configurationId}' },
    code: 'validation-failed',
  },
  { of: all, status: 422, when: 'no provider', body: { name: '{fresh}' }, code: 'validation-failed' },
  {
    of: all,
    status: 422,
    when: 'an unknown provider',
    body: { ...unit, providerId: '{nobody}' },
    code: 'reference-unknown',
  },
  {
    of: all,
    status: 422,
    when: 'an unknown field',
    body: { ...unit, colour: 'red' },
    code: 'validation-failed',
  },
  {
    of: all,
    status: 422,
    when: 'a config that is no object',
    body: { ...unit, config: [] },
    code: 'validation-failed',
  },
  {
    of: all,
    status: 422,
    when: 'a name that its provider knows already',
    given: async ({ make, pins }) => {
      const fresh = another('Twice ')
      await make('access/units', { name: fresh, providerId: pins.providerId })
      return { fresh }
    },
    body: unit,
    code: 'validation-failed',
  },
  { of: all, status: 500, in: 'ruins', body: unit, code: 'internal' },

  {
    of: `GET ${one}`,
    status: 200,
    given: own,
    also: ({ headers, body }) => assert.equal(headers.get('etag'), `"${body.data.attributes.revision}"`),
  },
  { of: `GET ${one}`, status: 404, given: async () => missing, code: 'not-found' },
  {
    of: `GET ${one}`,
    status: 404,
    when: 'no UUID',
    given: async () => ({ unitId: 'gate' }),
    code: 'not-found',
  },
  { of: `GET ${one}`, status: 404, when: 'deleted', given: gone, code: 'not-found' },
  { of: `GET ${one}`, status: 500, in: 'ruins', code: 'internal' },

  {
    of: `PUT ${one}`,
    status: 204,
    given: own,
    body: { ...unit, code: '8' },
    also: ({ headers }) => assert.equal(headers.get('etag'), '"2"'),
  },
  {
    of: `PUT ${one}`,
    status: 204,
    when: 'as it was seen',
    given: own,
    body: unit,
    headers: { 'If-Match': '"1"' },
  },
  {
    of: `PUT ${one}`,
    status: 412,
    given: own,
    body: unit,
    headers: { 'If-Match': '"9"' },
    code: 'revision-mismatch',
  },
  { of: `PUT ${one}`, status: 400, given: own, body: '[', code: 'malformed-json' },
  { of: `PUT ${one}`, status: 404, given: async () => missing, body: unit, code: 'not-found' },
  { of: `PUT ${one}`, status: 422, given: own, body: { code: '8' }, code: 'validation-failed' },

  { of: `DELETE ${one}`, status: 204, given: own },
  {
    of: `DELETE ${one}`,
    status: 204,
    when: 'though a key was made for it',
    given: async (house) => {
      const name = another('Pool ')
      const { providerId } = house.pins
      const unitId = await house.make('access/units', { name, code: '1003', providerId })
      await pinOf(house, { unitName: name })
      return { unitId }
    },
  },
  { of: `DELETE ${one}`, status: 404, given: async () => missing, code: 'not-found' },
  { of: `DELETE ${one}`, status: 404, when: 'deleted before', given: gone, code: 'not-found' },
  { of: `DELETE ${one}`, status: 412, given: own, headers: { 'If-Match': '"9"' }, code: 'revision-mismatch' },
]

async function gone(house: AccessHouse) {
  const { unitId } = await own(house)
  const { status, text } = await house.ask('DELETE', `/api/v2/access/units/${unitId}`)
  assert.equal(status, 204, text)
  return { unitId }
}
