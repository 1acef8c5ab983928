import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type HouseWithPms, openHouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { type Ground, groundOf, pathOf } from './every-route.ts'

let house: HouseWithPms
let ground: Ground
before(async () => {
  house = await openHouseWithPms()
  ground = await groundOf(house)
})
after(() => house.stop())

it('an invalid If-Match is answered as the OpenAPI document of each operation says', async () => {
  let refused = 0
  for (const { routes } of house.appliance.interfaces) {
    for (const route of routes) {
      if (route.method === 'GET' || route.scope === null) continue
      const path = pathOf(route, ground)
      const isWhole = route.method === 'PUT' || route.method === 'PATCH'
      const kept = isWhole ? (await house.ask('GET', path)).body?.data?.attributes : undefined
      // It fails by itself where an answer is not documented.
      const { status } = await house.ask(route.method, path, {
        headers: { 'If-Match': 'W/"none"' },
        ...(kept && { body: kept }),
      })
      if (status === 412) refused++
    }
  }
  assert.ok(refused > 25, `${refused} operations`)
})
