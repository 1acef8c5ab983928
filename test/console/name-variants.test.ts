import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { nameVariants } from '../../src/console/pages/desk/search/name-variants.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'

describe('a name that is searched', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
    for (const lastName of ['Müller', 'Mueller', 'Großmann', 'Böhm', 'Jørgensen', 'Samuel'])
      assert.equal(
        (await house.ask('POST', '/api/v2/profiles', { body: { firstName: 'Alex', lastName } })).status,
        201,
      )
  })
  after(() => house.stop())

  const cases: [typed: string, requests: number, found: string[]][] = [
    ['Mueller', 2, ['Mueller', 'Müller']],
    ['Müller', 2, ['Mueller', 'Müller']],
    ['MULLER', 1, ['Müller']],
    ['Muell', 2, ['Mueller', 'Müller']],
    ['Boehm', 2, ['Böhm']],
    ['Grossmann', 1, ['Großmann']],
    ['Großmann', 1, ['Großmann']],
    ['Samuel', 2, ['Samuel']],
    ['Jorgensen', 1, ['Jørgensen']],
  ]
  for (const [typed, requests, found] of cases)
    it(`${typed} finds ${found.join(' and ')} with ${requests} requests`, async () => {
      const variants = nameVariants(typed)
      assert.equal(variants.length, requests)
      const names = new Set<string>()
      for (const each of variants) {
        const filter = `filter[normalizedName][like]=${encodeURIComponent(each)}`
        const { body } = await house.ask('GET', `/api/v2/profiles?${filter}`)
        for (const { attributes } of body.data) names.add(attributes.lastName)
      }
      assert.deepEqual([...names].sort(), found)
    })
})
