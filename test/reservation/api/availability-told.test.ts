import assert from 'node:assert/strict'
import { booked, july, unitTypeList as list } from './availability-samples.ts'
import { today } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'

const patch = (name: string, body: unknown, status: number, more: Partial<Scenario> = {}): Scenario => ({
  name,
  given: booked,
  request: ['PATCH', `${list}/{unitTypeId}`, body],
  status,
  ...more,
})

scenarios('What upstream tells of a unit type', [
  patch(
    '204, in any order, enveloped or not',
    { data: [july('10', '12', 1), { attributes: july('01', '03', 0) }] },
    204,
    {
      header: ['x-stability', /^beta$/],
    },
  ),
  {
    ...patch('by code', [july('01', '02', 1)], 204),
    request: ['PATCH', `${list}/{code}`, [july('01', '02', 1)]],
  },
  patch(
    'times of day are taken, and change nothing',
    [{ ...july('01', '02', 1), startTime: '15:00', endTime: '11:00:00' }],
    204,
  ),
  patch(
    'what was read may be sent back',
    [
      {
        id: 'x',
        type: 'unit-type-availability',
        attributes: july('01', '02', 1),
        relationships: { unitType: { data: { type: 'unit-type', id: unknown } } },
      },
    ],
    204,
  ),
  patch(
    'periods with the same quantity have a gap between them',
    [july('01', '02', 1), july('04', '05', 1)],
    204,
  ),
  patch(
    'two that follow one another with the same quantity: 422 (Availability rule 2)',
    [july('03', '05', 1), july('01', '02', 1)],
    422,
    {
      error: { code: 'availability-not-compact', at: '/data/0/attributes/quantity', meta: { item: 1 } },
    },
  ),
  patch('two that overlap: 422', [july('01', '03', 1), july('03', '05', 2)], 422, {
    error: { code: 'validation-failed', at: '/data/1/attributes/startDate' },
  }),
  patch('an end before the start: 422', [july('03', '01', 1)], 422, {
    error: { code: 'end-before-start', at: '/data/0/attributes/endDate' },
  }),
  patch('less than none: 422', [july('01', '02', 1), july('03', '04', -1)], 422, {
    error: { code: 'validation-failed', at: '/data/1/attributes/quantity' },
  }),
  patch('half a unit: 422', [july('01', '02', 0.5)], 422, {
    error: { code: 'validation-failed', at: '/data/0/attributes/quantity' },
  }),
  patch('no quantity: 422', [{ startDate: today }], 422, {
    error: { code: 'validation-failed', at: '/data/0/attributes/quantity' },
  }),
  patch('a time with seconds: 422', [{ ...july('01', '02', 1), startTime: '15:00:30' }], 422, {
    error: { code: 'seconds-not-zero', at: '/data/0/attributes/startTime' },
  }),
  patch('a time with an offset: 400', [{ ...july('01', '02', 1), endTime: '15:00Z' }], 400, {
    error: { code: 'time-with-offset', at: '/data/0/attributes/endTime' },
  }),
  patch('no array: 422', july('01', '02', 1), 422, { error: { code: 'validation-failed' } }),
  patch('nothing: 422', [], 422, { error: { code: 'validation-failed' } }),
  patch(
    'another type of resource: 422',
    [{ type: 'unit-availability', attributes: july('01', '02', 1) }],
    422,
    {
      error: { code: 'validation-failed', meta: { allowed: ['unit-type-availability'] } },
    },
  ),
  patch('more than ten years: 422', [{ startDate: today, endDate: '2099-01-01', quantity: 1 }], 422, {
    error: { code: 'validation-failed', meta: { limit: 3_660 } },
  }),
  patch(
    'more than a thousand periods: 413',
    Array.from({ length: 1_001 }, () => ({ quantity: 1 })),
    413,
    {
      error: { code: 'batch-too-large', meta: { limit: 1_000, count: 1_001, requests: 2 } },
    },
  ),
  {
    name: 'of a type that is not there: 404',
    request: ['PATCH', `${list}/${unknown}`, [july('01', '02', 1)]],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'needs availability.write, which the desk has not',
    given: async (house) => ({ ...(await booked(house)), desk: await house.tokenOf('frontdesk') }),
    as: 'desk',
    request: ['PATCH', `${list}/{unitTypeId}`, [july('01', '02', 1)]],
    status: 403,
    error: { code: 'scope-required', meta: { scope: 'availability.write' } },
  },
  {
    name: 'a trial changes nothing',
    given: async (house) => {
      const made = await booked(house)
      const path = `${list}/${made.unitTypeId}?dryRun=true`
      assert.equal((await house.ask('PATCH', path, { body: [july('01', '31', 9)] })).status, 204)
      return made
    },
    request: [
      'GET',
      `${list}?filter[unitTypeId]={unitTypeId}&filter[startDate]=2026-07-01&filter[endDate]=2026-07-02`,
    ],
    status: 200,
    lists: [july('01', '02', 3)],
  },
])

const wrong = (query: string, code: string, parameter: string, status = 400): Scenario => ({
  name: `${query}: ${code}`,
  given: async (house) => {
    const reply = await house.ask('GET', `${list}?${query}`)
    assert.equal(reply.body.errors?.[0].source.parameter, parameter, reply.text)
    return {}
  },
  request: ['GET', `${list}?${query}`],
  status,
  error: { code },
})

scenarios('What a list of unit types’ availability is not asked', [
  wrong('filter[startDate]=soon', 'invalid-filter-value', 'filter[startDate]'),
  wrong('filter[startDate]=2026-02-30', 'invalid-filter-value', 'filter[startDate]'),
  wrong('filter[endDate]=1', 'invalid-filter-value', 'filter[endDate]'),
  wrong('filter[startDate]=2026-07-02&filter[endDate]=2026-07-01', 'invalid-filter-value', 'filter[endDate]'),
  wrong('filter[startDate]=2026-07-01&filter[endDate]=2027-07-02', 'period-too-long', 'filter[endDate]'),
  wrong('filter[startDate][gte]=2026-07-01', 'invalid-filter-operator', 'filter[startDate][gte]'),
  wrong('filter[startDate][between]=2026-07-01', 'invalid-filter-operator', 'filter[startDate][between]'),
  wrong(
    'filter[startDate]=2026-07-01&filter[startDate]=2026-07-02',
    'malformed-request',
    'filter[startDate]',
  ),
  wrong('filter[quantity]=1', 'invalid-filter-field', 'filter[quantity]'),
  wrong('filter[unitType.code]=DBL', 'invalid-filter-field', 'filter[unitType.code]'),
  wrong('filter[x]=1', 'invalid-filter-field', 'filter[x]'),
  wrong('sort=createdAt', 'invalid-sort-field', 'sort'),
  wrong('sort=x', 'invalid-sort-field', 'sort'),
  wrong('include=units', 'invalid-include', 'include'),
  wrong('page[size]=0', 'invalid-page-size', 'page[size]'),
  wrong('page[size]=101', 'invalid-page-size', 'page[size]'),
  wrong('page[after]=x', 'page-cursor-unknown', 'page[after]'),
  wrong(`page[after]=${unknown}`, 'page-cursor-unknown', 'page[after]'),
  wrong(`page[before]=${unknown}:2026-07-01`, 'page-cursor-unknown', 'page[before]'),
  wrong(
    `page[after]=${unknown}:2026-07-01&page[before]=${unknown}:2026-07-01`,
    'range-pagination-unsupported',
    'page[before]',
  ),
  wrong('page[number]=2', 'unknown-parameter', 'page[number]'),
])
