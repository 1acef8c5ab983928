import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keySystem } from '../../drivers/fias/simulator/key-system-simulator.ts'
import { startAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { until } from './house-with-doors.ts'
import { sockets } from './sockets.ts'

it('a key that is made while the revocation of another in its room waits for an encoder is not ended by it', async (test) => {
  const house = await startAppliance()
  const plugs = sockets()
  test.after(async () => {
    await house.stop()
    plugs.close()
  })
  const { ask, clock } = house
  const kss = keySystem({ clock, rooms: ['101', '102'], leavesOut: ['G#'] })
  // Without G# in KD it cancels every key of a room.
  kss.wanted = [
    ['KR', 'KCKTRNG#GDWS'],
    ['KD', 'KCRNWS'],
    ['KA', 'ASKCWS$2'],
  ]
  const path = await plugs.plugIn((wire) => kss.play(wire))
  const create = async (kind: string, body: object) => {
    const made = await ask('POST', `/api/config/v1/${kind}`, { body })
    assert.equal(made.status, 201, made.text)
    return String(made.body.data.id)
  }
  const unitMapping = ['101', '102'].map((unitName) => ({ unitName, externalCode: unitName }))
  const connection = { direction: 'connect', path }
  const providerId = await create('access-providers', {
    name: 'KSS',
    driver: 'fias-key',
    connection,
    unitMapping,
  })
  const encoder = { providerId, kind: 'encoder', keyType: 'keyCard', timeoutMs: 18_000 }
  const first = await create('access-controllers', { ...encoder, name: 'Desk 1', externalCode: '1' })
  const second = await create('access-controllers', { ...encoder, name: 'Desk 2', externalCode: '2' })
  const keyFor = (unitName: string, controllerId: string) => {
    const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
    const body = { type: 'keyCard', unitName, original: true, ...dates }
    return ask('POST', `/api/v2/access/controllers/${controllerId}/key`, { body })
  }
  const left = await until(
    'the first key',
    () => keyFor('101', first),
    ({ status }) => status === 201,
  )
  const asked = (id: string) => kss.requests.filter((each) => each.id === id).length
  kss.deeds.push({ at: 'KR', does: 'hold' })
  const before = asked('KR')
  const busy = keyFor('102', first)
  await until(
    'the work of the encoder',
    async () => asked('KR'),
    (count) => count > before,
  )
  assert.ok((await ask('DELETE', `/api/v2/access/keys/${left.body.data.id}`)).status < 300)
  await passTime(3_000)
  assert.equal(asked('KD'), 0)
  const next = await keyFor('101', second)
  assert.equal(next.status, 201, next.text)
  kss.release()
  await house.during(busy)
  await passTime(10_000)
  assert.deepEqual(
    kss.book.opens('101').map(({ uid }) => uid),
    [next.body.data.attributes.uid],
  )
})
