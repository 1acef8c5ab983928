import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { passTime } from '../test-clock.ts'
import { always, once } from './card-faults.ts'
import { type HouseWithDoors, houseWithDoors, idle, serve, until } from './house-with-doors.ts'

let house: HouseWithDoors
before(async () => {
  house = await houseWithDoors()
})
after(() => house.stop())

const put = (rest: string) => house.ask('PUT', `/api/v2/access/dispensers/${house.dispenserId}/${rest}`)
const post = (rest: string, body: object = {}) =>
  house.ask('POST', `/api/v2/access/dispensers/${house.dispenserId}/actions/${rest}`, { body })
const patch = async (body: object) =>
  assert.equal(
    (await house.ask('PATCH', `/api/config/v1/dispensers/${house.dispenserId}`, { body })).status,
    204,
  )

/** What was told of the dispenser or its controller, in order, without the counts. */
function told(): string[] {
  const subjects = [`dispensers/${house.dispenserId}`, `controllers/${house.controllerId}`]
  return house
    .journal()
    .filter(({ type, subject }) => subjects.includes(subject) && type !== 'dispenser.changed')
    .map(({ type, data: { state, from } }) => [type, state, from && `from ${from}`].filter(Boolean).join(' '))
}

/** The same since a number of lines; time goes by until it is what was expected, and then a little more. */
async function expectTold(before: number, ...lines: string[]): Promise<void> {
  await until(
    lines.join(', '),
    () => {
      house.clock.advance(5_000)
      return told().slice(before)
    },
    (seen) => seen.length >= lines.length,
  )
  for (let look = 0; look < 2; look++) {
    house.clock.advance(10_000)
    await passTime(600)
  }
  assert.deepEqual(told().slice(before), lines)
}

let aside: SimulatedCard[] = []
afterEach(async () => {
  const { dispenser, encoder } = house.lobby
  dispenser.misbehaviours.length = encoder.misbehaviours.length = 0
  dispenser.binCapacity = 1_000
  dispenser.stack.push(...aside.splice(0))
  await put('status/active')
  await idle(house)
})

describe('what happens while nobody asks is told once', () => {
  it('an empty stacker, over a restart, and that it was filled', async () => {
    const before = told().length
    aside = house.lobby.dispenser.stack.splice(0)
    await expectTold(before, 'dispenser.stacker-empty')
    assert.equal(((await house.dispenser()).stacker as { estimatedCards: number }).estimatedCards, 0)
    await house.restart()
    await expectTold(before, 'dispenser.stacker-empty')
    house.lobby.dispenser.stack.push(...aside.splice(0))
    const { body } = await post('refill', { cards: 50 })
    assert.deepEqual(body.meta, { dispenserId: house.dispenserId, estimatedCards: 50 })
    await expectTold(before, 'dispenser.stacker-empty', 'dispenser.recovered from stacker-low,stacker-empty')
  })

  it('a stacker that is low by count alone, at the very card', async () => {
    await patch({ estimatedCards: 21 })
    const before = told().length
    assert.equal((await house.dispenser()).overall, 'ok')
    await serve(house, '101')
    await expectTold(before, 'dispenser.stacker-low')
    assert.equal((await house.dispenser()).overall, 'nearEmpty')
    await patch({ estimatedCards: 100 })
    await expectTold(before, 'dispenser.stacker-low', 'dispenser.recovered from stacker-low')
  })

  it('a full bin, by its sensor and by count', async () => {
    const before = told().length
    house.lobby.dispenser.binCapacity = house.lobby.dispenser.bin.length
    await expectTold(before, 'dispenser.bin-full')
    house.lobby.dispenser.binCapacity = 1_000
    await expectTold(before, 'dispenser.bin-full', 'dispenser.recovered from bin-full')
    await patch({ binCapacity: 1 })
    await put('place-card/encoder')
    await put('place-card/capture')
    assert.equal((await house.dispenser()).overall, 'binFull')
    await expectTold(
      before,
      'dispenser.bin-full',
      'dispenser.recovered from bin-full',
      'card.captured',
      'dispenser.bin-full',
    )
    assert.equal((await post('empty-bin')).body.meta.binCount, 0)
    await patch({ binCapacity: 50 })
    await expectTold(
      before,
      'dispenser.bin-full',
      'dispenser.recovered from bin-full',
      'card.captured',
      'dispenser.bin-full',
      'dispenser.recovered from bin-full',
    )
  })

  it('a jam that the machine frees itself from', async () => {
    const before = told().length
    const { jams, retries } = (await house.dispenser()).counters as { jams: number; retries: number }
    await put('place-card/encoder')
    house.lobby.dispenser.misbehaviours.push(
      ...once('move-hold', 'refuse'),
      ...once('move-capture', 'refuse'),
    )
    const { status, body } = await put('place-card/capture')
    assert.deepEqual([status, body.meta], [502, { errorCode: 'dispenser-jam', outcomeUnknown: true }])
    await expectTold(before, 'dispenser.jammed', 'card.captured', 'dispenser.recovered from jammed')
    const { counters } = (await house.dispenser()) as { counters: { jams: number; retries: number } }
    assert.deepEqual([counters.jams, counters.retries], [jams + 1, retries + 1])
  })

  it('a jam that stays, and its end', async () => {
    const before = told().length
    const { misbehaviours } = house.lobby.dispenser
    await put('place-card/encoder')
    misbehaviours.push(...Array.from({ length: 200 }, () => once('initialise-leave', 'refuse')).flat())
    assert.equal((await put('status/initialize')).status, 502)
    await expectTold(before, 'dispenser.state-changed fault', 'dispenser.jammed')
    const { state, overall, fault } = await house.dispenser()
    assert.deepEqual([state, overall], ['fault', 'jam'])
    const { errorCode, vendorCode, recovery } = fault as Record<string, unknown[]>
    assert.deepEqual([errorCode, vendorCode, recovery!.length > 0], ['dispenser-jam', '10', true])
    misbehaviours.length = 0
    await put('status/active')
    await expectTold(
      before,
      'dispenser.state-changed fault',
      'dispenser.jammed',
      'card.captured',
      'dispenser.state-changed active',
      'dispenser.recovered from fault,jammed',
    )
  })

  it('a machine that is away for a while, and is back', async () => {
    const before = told().length
    const { misbehaviours } = house.lobby.dispenser
    misbehaviours.push(...always('status', 'silence'), ...always('initialise-leave', 'silence'))
    await expectTold(before, 'dispenser.state-changed offline')
    const { online, overall } = await house.dispenser()
    assert.deepEqual([online, overall], [false, null])
    misbehaviours.length = 0
    await expectTold(
      before,
      'dispenser.state-changed offline',
      'dispenser.state-changed active',
      'dispenser.recovered from offline',
    )
  })

  it('an encoder that is away for a while, and is back', async () => {
    const before = told().length
    const { misbehaviours } = house.lobby.encoder
    misbehaviours.push(...always('*', 'silence'))
    await house.ask('GET', `/api/v2/access/controllers/${house.controllerId}/key`)
    await expectTold(before, 'controller.offline')
    misbehaviours.length = 0
    await expectTold(before, 'controller.offline', 'controller.online')
  })
})

it('a controller that keeps somebody waiting until his time is over', async () => {
  const before = told().length
  const limit = (timeoutMs: number) =>
    house.ask('PATCH', `/api/config/v1/access-controllers/${house.controllerId}`, { body: { timeoutMs } })
  await limit(500)
  house.lobby.encoder.pace = 40
  const both = [house.issue('102'), house.issue('103')]
  const codes = (await Promise.all(both)).map(({ body }) => body.meta?.errorCode)
  assert.ok(codes.includes('encoder-busy'), String(codes))
  house.lobby.encoder.pace = 0
  await limit(18_000)
  assert.equal(
    told()
      .slice(before)
      .filter((line) => line === 'controller.busy-timeout').length,
    1,
  )
  const { body } = await until(
    'nobody in the queue',
    () => house.ask('GET', `/api/config/v1/access-controllers/${house.controllerId}`),
    ({ body }) => body.data.attributes.alarms.length === 0,
  )
  assert.equal(body.data.id, house.controllerId)
})

describe('maintenance', () => {
  it('mutes alarms, and what is still so afterwards is told then', async () => {
    const before = told().length
    await put('status/maintenance')
    aside = house.lobby.dispenser.stack.splice(0)
    house.lobby.dispenser.binCapacity = house.lobby.dispenser.bin.length
    await expectTold(before, 'dispenser.state-changed maintenance')
    house.lobby.dispenser.binCapacity = 1_000
    await put('status/active')
    await expectTold(
      before,
      'dispenser.state-changed maintenance',
      'dispenser.state-changed active',
      'dispenser.stacker-empty',
    )
  })
})

it('a machine that was set up just now is opened by itself', async () => {
  const body = { name: 'Second', device: { driver: 'crt571', path: 'simulated:dispenser', patience: 1 } }
  const { id } = (await house.ask('POST', '/api/config/v1/dispensers', { body })).body.data
  await until(
    'the second dispenser',
    async () => {
      house.clock.advance(10_000)
      const { body } = await house.ask('GET', '/api/v2/status')
      const all = body.data.attributes.checks['dispenser:state'] as {
        componentId: string
        observedValue: string
      }[]
      return all.find(({ componentId }) => componentId === id)?.observedValue
    },
    (state) => state === 'active',
  )
  assert.equal((await house.ask('DELETE', `/api/config/v1/dispensers/${id}`)).status, 204)
})
