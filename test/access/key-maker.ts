import assert from 'node:assert/strict'
import type { TestAppliance } from '../appliance.ts'

/** The request for a card for a unit, for two nights from 1 June 2026. */
export const cardOf = (unitName: string, more: object = {}) => ({
  body: {
    type: 'keyCard',
    original: true,
    startDate: '2026-06-01',
    endDate: '2026-06-03',
    unitName,
    ...more,
  },
})

/** Makes and reads keys at a controller. Both are asked for at each call, because a house is begun before its tests. */
export function keyMaker(house: () => Pick<TestAppliance, 'ask'>, controller: () => string) {
  const make = (unitName: string, more: object = {}) =>
    house().ask('POST', `/api/v2/access/controllers/${controller()}/key`, cardOf(unitName, more))
  return {
    make,
    /** Makes a key, and resolves with its id. */
    async made(unitName: string, more: object = {}): Promise<string> {
      const { status, body, text } = await make(unitName, more)
      assert.equal(status, 201, text)
      return String(body.data.id)
    },
    attributes: async (id: string) =>
      (await house().ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes,
    act: (id: string, name: string, body: object = {}) =>
      house().ask('POST', `/api/v2/access/keys/${id}/actions/${name}`, { body }),
  }
}
