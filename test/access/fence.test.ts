import assert from 'node:assert/strict'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { copyStore } from '../../src/store/disk/copy.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { folderFor } from '../backup/recovery.ts'
import { httpBench } from '../pms/adapters/cloudevents/http/http-bench.ts'
import { passTime } from '../test-clock.ts'
import { type HouseWithDoors, houseWithDoors, serve, until } from './house-with-doors.ts'

const path = '/api/config/v1/epoch'

async function doors(t: TestContext): Promise<HouseWithDoors> {
  const house = await houseWithDoors()
  t.after(() => house.stop())
  return house
}

const epochOf = async ({ ask }: TestAppliance) => (await ask('GET', path)).body.data.attributes

it('a box that hears of a newer one makes no keys until somebody says that it is the right one', async (t) => {
  const house = await doors(t)
  assert.deepEqual(await epochOf(house), { epoch: 1, seen: 0, isFenced: false })
  const see = (epoch: number) => house.ask('POST', `${path}/actions/see`, { body: { epoch } })
  assert.equal((await see(1)).body.data.attributes.isFenced, false, 'it is its own')
  await serve(house, '101')
  assert.equal((await see(9)).body.data.attributes.isFenced, true)
  const refused = await house.issue('102')
  assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'box-fenced'])
  assert.equal(refused.body.errors[0].meta.guest, 'desk')
  await passTime(3_000)
  const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
  assert.equal(checks['keys:fenced'][0].status, 'fail')
  assert.match(checks['keys:fenced'][0].output, /switch the other off/)
  const heard = await house.ask('GET', '/api/v2/events?filter[type]=system.fenced')
  assert.partialDeepStrictEqual(heard.body.data[0].attributes.event.data, { epoch: 1, seen: 9 })
  await house.restart()
  assert.equal((await house.issue('102')).status, 409, 'a restart changes nothing')
  const { isFenced, epoch } = (await house.ask('POST', `${path}/actions/claim`)).body.data.attributes
  assert.ok(!isFenced && epoch > 9)
  await serve(house, '102')
})

it('a restore raises the epoch, the PMS hears of it, and tells the old box, which makes no more keys', async (t) => {
  const bench = await httpBench()
  t.after(() => bench.close())
  const old = await doors(t)
  const body = {
    name: 'PMS',
    adapter: 'cloudevents',
    transport: 'http',
    direction: 'Both',
    connection: { baseUrl: bench.server.baseUrl },
  }
  const made = await old.ask('POST', '/api/config/v1/pms-configurations', { body })
  assert.equal(made.status, 201, made.text)
  const copy = join(folderFor(t), 'copy.db')
  copyStore(join(old.data, 'nightporter.db'), copy, old.clock.now())
  const epochs: number[] = []
  // The second box is restored from the same backup, a minute later.
  for (const minutes of [1, 2]) {
    const data = folderFor(t)
    copyFileSync(copy, join(data, 'nightporter.db'))
    copyFileSync(join(old.data, 'secret.key'), join(data, 'secret.key'))
    const restored = await startAppliance({ data, now: old.clock.now() + minutes * 60_000 })
    const events = await restored.ask('GET', '/api/v2/events?filter[type]=system.restored')
    const { event } = events.body.data[0].attributes
    assert.partialDeepStrictEqual(await epochOf(restored), { epoch: event.data.epoch, isFenced: false })
    epochs.push(event.data.epoch)
    await restored.stop()
    rmSync(data, { recursive: true })
    await bench.pms.take([event])
  }
  assert.ok(epochs[0]! > 1 && epochs[1]! > epochs[0]!)
  await until(
    'the fence',
    () => epochOf(old),
    ({ isFenced, seen }) => isFenced && seen === epochs[1],
  )
  assert.equal((await old.issue('102')).status, 409)
})
