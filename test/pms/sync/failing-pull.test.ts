import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DeviceFault } from '../../../src/devices/fault.ts'
import { openLinkedHouse } from './linked-house.ts'

it('what happens here is sent while a PMS answers but fails in each pull', async (t) => {
  const house = await openLinkedHouse()
  t.after(() => house.stop())
  const { unitTypeId } = await house.rooms(3)
  await house.during(house.clock.sleep(5_000))
  house.pms.next(
    'pull',
    ...Array.from({ length: 200 }, () => async () => {
      throw new DeviceFault('vendor-error', 'The PMS answered with 500.')
    }),
  )
  house.pms.news().poke()
  await house.during(house.clock.sleep(5_000))
  const { reservation } = await house.stay({ units: [{ unitTypeId }] })
  await house.during(house.clock.sleep(120_000))
  const id = reservation.split('/').at(-1)
  assert.ok(house.pms.offered.some(({ localId }) => localId === id))
  const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
  const found = [...checks['pms:state'], ...checks['pms:in-step']] as { status: string; output: string }[]
  assert.ok(
    found.some(({ status, output }) => status === 'warn' && /answered with 500/.test(output)),
    JSON.stringify(found),
  )
})
