import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { accessPromised } from '../conformance/access-document.ts'
import { promised } from '../conformance/document.ts'

/** What no request provokes: the list is always there, and has no body that could be wrong. */
const impossible = ['GET /profiles 404', 'GET /profiles 422']

/** What every operation can be answered with, whatever its document lists. */
const everywhere = [401, 403, 406, 429, 500]

interface Operation {
  responses: Record<string, unknown>
  'x-interface-version': string
  'x-scope'?: string
}

describe('the OpenAPI document', () => {
  let house: TestAppliance
  let paths: Record<string, Record<string, Operation>>
  let interfaces: { name: string; version: string }[]
  before(async () => {
    house = await startAppliance({ sample: false })
    const { body } = await house.ask('GET', '/openapi.json')
    paths = body.paths
    interfaces = body.info['x-interfaces']
  })
  after(() => house.stop())

  const operationOf = (method: string, path: string) => paths[`/api/v2${path}`]?.[method.toLowerCase()]

  it('contains every operation and every code of the reservation interface', () => {
    for (const line of promised.filter((each) => !impossible.includes(each))) {
      const [method = '', path = '', code = ''] = line.split(' ')
      const operation = operationOf(method, path)
      assert.ok(operation, `${method} ${path} is not in it`)
      assert.ok(operation.responses[code], `${method} ${path} tells nothing of ${code}`)
      assert.equal(operation['x-interface-version'], '2.2.0-alpha.1')
    }
  })

  it('contains every operation and every code of the access interface, and no other operation', () => {
    const told = new Set<string>()
    for (const line of accessPromised) {
      const [method = '', path = '', code = ''] = line.split(' ')
      const operation = operationOf(method, path)
      assert.ok(operation, `${method} ${path} is not in it`)
      assert.ok(operation.responses[code], `${method} ${path} tells nothing of ${code}`)
      assert.equal(operation['x-interface-version'], '2.2.1-rc.1')
      told.add(`${method} /api/v2${path}`)
    }
    const there = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/v2/access/'))
      .flatMap(([path, verbs]) => Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`))
    assert.deepEqual(there.toSorted(), [...told].toSorted())
  })

  it('contains the refusals of every operation with a scope', () => {
    for (const [path, operations] of Object.entries(paths)) {
      for (const [verb, { responses, 'x-scope': scope }] of Object.entries(operations)) {
        if (scope === undefined) continue
        assert.deepEqual(
          everywhere.filter((code) => !responses[code]),
          [],
          `${verb} ${path}`,
        )
      }
    }
  })

  it('names the versions of the interfaces', () => {
    assert.deepEqual(interfaces, [
      { name: 'Reservations', version: '2.2.0-alpha.1' },
      { name: 'Access', version: '2.2.1-rc.1' },
      { name: 'Configuration', version: '1.0.11' },
    ])
    const versionOf = (path: string) => paths[path]?.get?.['x-interface-version']
    assert.equal(versionOf('/api/v2/units'), '2.2.0-alpha.1')
    assert.equal(versionOf('/api/v2/access/keys'), '2.2.1-rc.1')
    assert.equal(versionOf('/api/config/v1/settings'), '1.0.11')
  })
})
