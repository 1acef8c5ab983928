import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drivers } from '../../src/composition/drivers.ts'
import { openHouse } from '../reservation/api/house.ts'
import { idle, until, withDoors } from './house-with-doors.ts'

type Attributes = Record<string, unknown>

describe('the list of devices', () => {
  it('says of each whether it is ready, and why not', async () => {
    const house = await openHouse()
    try {
      const doors = await withDoors(house, house.data, house.clock.now)
      await idle(doors)
      const token = await house.tokenOf('kiosk')
      const of = async (list: string): Promise<Attributes> =>
        (await house.ask('GET', `/api/v2/access/${list}`, { token })).body.data[0].attributes
      const turns = (list: string, isReady: boolean) =>
        until(
          `${list} ${isReady}`,
          () => of(list),
          (seen) => seen.isReady === isReady,
        )
      await turns('controllers', true)
      assert.partialDeepStrictEqual(await turns('dispensers', true), { state: 'active', reason: null })

      const put = (state: string) =>
        house.ask('PUT', `/api/v2/access/dispensers/${doors.dispenserId}/status/${state}`, { token })
      assert.equal((await put('inactive')).status, 204)
      const { isReady, state, reason } = await of('dispensers')
      assert.deepEqual([isReady, state], [false, 'inactive'])
      assert.match(String(reason), /Set it to “in operation”/)
      assert.partialDeepStrictEqual(await of('controllers'), { state: 'online', isReady: false, reason })
      assert.equal((await put('active')).status, 204)
      await turns('dispensers', true)

      const device = { driver: 'twn4', path: 'simulated:nothing-there', patience: 1 }
      const path = `/api/config/v1/access-controllers/${doors.controllerId}`
      assert.equal((await house.ask('PATCH', path, { body: { device } })).status, 204)
      const away = await turns('controllers', false)
      assert.match(String(away.reason), /\w\.$/)
    } finally {
      await house.stop()
    }
  })

  it('names the kinds of card of every encoder', () => {
    const encoders = drivers.filter(({ capability }) => capability === 'encoder')
    for (const { name, cardFormats } of encoders) assert.ok(cardFormats?.includes('Mifare1K'), name)
  })
})
