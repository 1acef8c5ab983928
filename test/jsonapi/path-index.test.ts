import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Route } from '../../src/jsonapi/route.ts'
import { pathIndex } from '../../src/jsonapi/server/path-index.ts'

const routes: [method: Route['method'], path: string][] = [
  ['GET', 'units'],
  ['POST', 'units'],
  ['GET', 'units/:id'],
  ['POST', 'units/check'],
  ['GET', 'units/check/:day/report'],
  ['GET', 'units/:unitId/beds/:bedId'],
]
const index = pathIndex(
  routes.map(([method, path]) => ({ route: { method, path, base: '/api/v2', scope: null } as Route })),
)

/** A request, and the path of its route with the parameters; else the methods of the path, or null. */
const found: [method: string, path: string, expected: [string, Record<string, string>] | string[] | null][] =
  [
    ['GET', '/api/v2/units', ['units', {}]],
    ['HEAD', '/api/v2/units/', ['units', {}]],
    ['GET', '/api/v2/units//', null],
    ['GET', '/api/v2/Units/7', ['units/:id', { id: '7' }]],
    ['GET', '/api/v2/units/Suite%20u%CC%88', ['units/:id', { id: 'Suite \u00fc' }]],
    ['GET', '/api/v2/units/%E0%A4%A', ['units/:id', { id: '%E0%A4%A' }]],
    ['DELETE', '/api/v2/units', ['HEAD', 'GET', 'POST']],
    ['GET', '/api/v2/units/check', ['POST']],
    ['GET', '/api/v2/units/check/beds/2', ['units/:unitId/beds/:bedId', { unitId: 'check', bedId: '2' }]],
    ['GET', '/api/v2/units//beds/2', null],
    ['GET', '/api/v2', null],
    ['GET', '/units', null],
  ]

describe('The index of paths', () => {
  for (const [method, path, expected] of found)
    it(`finds ${JSON.stringify(expected)} for ${method} ${path}`, () => {
      const place = index.find(path, method)
      const { operation, params, methods } = place ?? {}
      assert.deepEqual(operation ? [operation.route.path, params] : (methods ?? null), expected)
    })
})
