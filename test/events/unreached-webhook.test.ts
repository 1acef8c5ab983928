import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { eventually } from '../eventually.ts'
import { passTime } from '../test-clock.ts'
import { type Receiver, receiver } from './receiver.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const base = '/api/config/v1/webhooks'

interface Delivery {
  id: string
  attributes: {
    sequence: number
    state: string
    attempts: number
    refusals: number
    lastError: string | null
  }
}

interface EventRow {
  attributes: { event: { data: { count: number } } }
}

/** A property that keeps its events for a week, and a webhook whose receiver has just died. */
async function houseWithDeadHost() {
  const house = await startAppliance()
  const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  await house.ask('PATCH', `/api/config/v1/settings/${id}`, { body: { retentionDays: 7 } })
  const hook = await receiver()
  const webhook = await subscribe(house, hook)
  await hook.close()
  return { house, hook, webhook }
}

async function subscribe(house: TestAppliance, { url }: Receiver, types = ['profile.*']): Promise<string> {
  const made = await house.ask('POST', base, { body: { url, types } })
  assert.equal(made.status, 201, made.text)
  return made.body.data.id
}

async function guest(house: TestAppliance): Promise<string> {
  const body = { firstName: 'Ida', lastName: 'Waiting' }
  const made = await house.ask('POST', '/api/v2/profiles', { body })
  assert.equal(made.status, 201, made.text)
  return made.body.data.id
}

/** Lets time go by in ten steps, with the work that is due after each. */
async function pass(house: TestAppliance, ms: number): Promise<void> {
  for (let steps = 0; steps < 10; steps++) {
    house.clock.advance(ms / 10)
    await passTime(300)
  }
}

const deliveries = async (house: TestAppliance): Promise<Delivery[]> =>
  (await house.ask('GET', '/api/config/v1/webhook-deliveries?sort=sequence&page[size]=100')).body.data
const inState = async (house: TestAppliance, state: string) =>
  (await deliveries(house)).filter(({ attributes }) => attributes.state === state)

async function check(house: TestAppliance, webhook: string) {
  const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
  const of = checks['webhook:deliveries'].find(
    (each: { componentId: string }) => each.componentId === webhook,
  )
  return {
    status: of.status,
    codes: of.messages.map(({ code }: { code: string }) => code),
    output: of.output,
  }
}

/** The sum of the counts of all events of a type, such as `webhook.events-expired`, and how many there are. */
async function reported(house: TestAppliance, type: string) {
  const { data } = (await house.ask('GET', `/api/v2/events?filter[type]=${type}&sort=-sequence`)).body
  const counts: number[] = data.map(({ attributes }: EventRow) => attributes.event.data.count)
  return { events: counts.length, count: counts.reduce((sum, each) => sum + each, 0) }
}

const guestsIn = ({ received }: Receiver) => received.map(({ event }) => event.data.id)

/** Until nothing waits; a receiver is tried again after five minutes at most. */
const allTaken = (house: TestAppliance) =>
  eventually(
    'nothing waits',
    async () => {
      house.clock.advance(5 * minute)
      return inState(house, 'waiting')
    },
    (waiting) => waiting.length === 0,
  )

describe('a webhook whose host is dead', () => {
  for (const hasOther of [false, true]) {
    it(`loses no event in 35 days, ${hasOther ? 'beside a webhook that is well' : 'as the only webhook'}`, async () => {
      const { house, hook, webhook } = await houseWithDeadHost()
      const well = await receiver()
      if (hasOther) await subscribe(house, well)
      const guests: string[] = []
      for (let weeks = 0; weeks < 5; weeks++) {
        guests.push(await guest(house), await guest(house))
        await pass(house, 7 * day)
        await house.restart()
        await passTime(1_000)
      }
      const dead = await inState(house, 'dead')
      const waiting = await inState(house, 'waiting')
      assert.ok(dead.length >= 2 && waiting.length >= 1)
      assert.match(String(dead[0]!.attributes.lastError), /30 days: ECONNREFUSED/)
      assert.ok(dead[0]!.attributes.attempts > 1)
      assert.equal((await reported(house, 'webhook.events-expired')).count, dead.length)
      assert.deepEqual((await check(house, webhook)).codes, ['webhook-behind', 'webhook-dead-letters'])
      const again = await receiver(hook.port)
      await allTaken(house)
      assert.deepEqual(guestsIn(again), guests.slice(dead.length))
      assert.equal((await house.ask('POST', `${base}/${webhook}/actions/send-again`)).status, 200)
      await allTaken(house)
      assert.deepEqual(guestsIn(again), [...guests.slice(dead.length), ...guests.slice(0, dead.length)])
      assert.equal((await check(house, webhook)).status, 'pass')
      if (hasOther) assert.deepEqual(guestsIn(well), guests)
      await house.stop()
      await Promise.all([again.close(), well.close()])
    })
  }

  it('is in the status after an hour, also of a box that starts again and again', async () => {
    const { house, webhook } = await houseWithDeadHost()
    await guest(house)
    await eventually(
      'an attempt',
      () => deliveries(house),
      (all) => all[0]?.attributes.attempts === 1,
    )
    await pass(house, 30 * minute)
    await house.restart()
    assert.equal((await check(house, webhook)).status, 'pass')
    await pass(house, 20 * minute)
    assert.equal((await check(house, webhook)).status, 'pass')
    await house.restart()
    await pass(house, 20 * minute)
    const { status, codes, output } = await check(house, webhook)
    assert.deepEqual([status, codes], ['warn', ['webhook-behind']])
    assert.match(output, /2026-06-01 16:00 UTC \(last error: ECONNREFUSED\)/)
    await house.stop()
  })

  it('loses no event to a box that is off for 40 days', async () => {
    const { house, hook, webhook } = await houseWithDeadHost()
    const guests = [await guest(house), await guest(house), await guest(house)]
    await house.restart(() => house.clock.advance(40 * day))
    await eventually(
      'dead letters',
      () => inState(house, 'dead'),
      (all) => all.length === guests.length,
    )
    const count = () => reported(house, 'webhook.events-expired').then((all) => all.count)
    await eventually('a report', count, (seen) => seen === guests.length)
    // The next purge has the choice of every line that nothing holds.
    await house.restart()
    await passTime(1_000)
    const again = await receiver(hook.port)
    await house.ask('POST', `${base}/${webhook}/actions/send-again`)
    await allTaken(house)
    assert.deepEqual(guestsIn(again), guests)
    await house.stop()
    await again.close()
  })

  it('has its dead letters for 30 days, and one event says how many were dropped', async () => {
    const { house, webhook } = await houseWithDeadHost()
    const dead = async () => (await house.ask('GET', `${base}/${webhook}`)).body.data.attributes.dead
    for (let guests = 0; guests < 450; guests++) await guest(house)
    await house.restart(() => house.clock.advance(31 * day))
    await eventually('dead letters', dead, (count) => count === 450)
    const expired = await reported(house, 'webhook.events-expired')
    assert.equal(expired.count, 450)
    // One for the deliveries that were tried, and one for the events that waited behind them.
    assert.ok(expired.events <= 2, String(expired.events))
    await house.restart(() => house.clock.advance(29 * day))
    await passTime(1_000)
    assert.equal(await dead(), 450)
    await house.restart(() => house.clock.advance(2 * day))
    await eventually(
      'none',
      () => deliveries(house),
      (all) => all.length === 0,
    )
    const dropped = () => reported(house, 'webhook.events-dropped')
    assert.deepEqual(await eventually('a report', dropped, ({ events }) => events > 0), {
      events: 1,
      count: 450,
    })
    await house.stop()
  })

  it('holds no event back for a webhook that is disabled', async () => {
    const { house, webhook } = await houseWithDeadHost()
    await guest(house)
    const [kept] = await eventually(
      'an attempt',
      () => deliveries(house),
      (all) => all.length === 1,
    )
    assert.equal((await house.ask('PATCH', `${base}/${webhook}`, { body: { enabled: false } })).status, 204)
    await house.restart(() => house.clock.advance(31 * day))
    await eventually(
      'a dead letter',
      () => inState(house, 'dead'),
      (all) => all.length === 1,
    )
    await house.restart(() => house.clock.advance(31 * day))
    await eventually(
      'no delivery',
      () => deliveries(house),
      (all) => all.length === 0,
    )
    await house.restart(() => house.clock.advance(8 * day))
    const events = () => house.ask('GET', `/api/v2/events?filter[sequence][gt]=${kept!.attributes.sequence}`)
    await eventually('events that are gone', events, ({ status }) => status === 410)
    await house.stop()
  })

  it('has all its attempts left when its host is back and refuses', async () => {
    const { house, hook } = await houseWithDeadHost()
    await guest(house)
    const first = async () => (await deliveries(house))[0]?.attributes
    await eventually(
      '15 attempts',
      async () => {
        house.clock.advance(5 * minute)
        return first()
      },
      (seen) => (seen?.attempts ?? 0) >= 15,
    )
    const again = await receiver(hook.port)
    again.answer = () => 503
    house.clock.advance(5 * minute)
    const seen = await eventually('a refusal', first, (row) => row?.refusals === 1)
    assert.equal(seen!.state, 'waiting')
    await house.stop()
    await again.close()
  })
})
