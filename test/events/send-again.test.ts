import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { eventually } from '../eventually.ts'
import { testClock } from '../test-clock.ts'
import { type Receiver, receiver } from './receiver.ts'

const base = '/api/config/v1/webhooks'

describe('deliveries of one subject', () => {
  let house: TestAppliance
  let hook: Receiver
  let webhook: string
  let profile: string
  before(async () => {
    house = await startAppliance({ clock: testClock({ always: false, wallStands: true }) })
  })
  after(() => house.stop())
  beforeEach(async () => {
    hook = await receiver()
    const body = { url: hook.url, types: ['profile.changed'] }
    webhook = (await house.ask('POST', base, { body })).body.data.id
    const guest = { firstName: 'Ida', lastName: 'Again' }
    profile = (await house.ask('POST', '/api/v2/profiles', { body: guest })).body.data.id
  })
  afterEach(async () => {
    await house.ask('DELETE', `${base}/${webhook}`)
    await hook.close()
  })

  const deliveries = async () =>
    (await house.ask('GET', '/api/config/v1/webhook-deliveries?sort=sequence&page[size]=100')).body.data
  const kept = (count: number) => eventually(`${count} kept`, deliveries, (all) => all.length === count)
  const revisions = () => hook.received.map(({ event }) => event.data.revision)

  async function rename(names: readonly string[]): Promise<void> {
    for (const lastName of names)
      assert.equal(
        (await house.ask('PATCH', `/api/v2/profiles/${profile}`, { body: { lastName } })).status,
        204,
      )
  }

  /** Refuses everything until all that is kept is dead. */
  async function die(count: number): Promise<void> {
    await eventually(
      'dead letters',
      async () => {
        house.clock.set(house.clock.now() + 2 * 86_400_000)
        return deliveries()
      },
      (all) =>
        all.length === count &&
        all.every(({ attributes }: { attributes: { state: string } }) => attributes.state === 'dead'),
    )
    hook.received.length = 0
    hook.answer = () => 200
  }

  it('come again with a lower sequence than those that came meanwhile, and the oldest first', async () => {
    hook.answer = () => 500
    await rename(['A', 'B', 'C'])
    await kept(3)
    await die(3)
    await rename(['D'])
    await hook.has(1)
    assert.equal((await house.ask('POST', `${base}/${webhook}/actions/send-again`)).status, 200)
    await kept(0)
    assert.deepEqual(revisions(), [5, 2, 3, 4])
    const [newest, ...again] = hook.received.map(({ event }) => event.sequence)
    assert.ok(again.every((sequence) => sequence < newest))
    assert.deepEqual(again.toSorted(), again)
  })

  it('are in order when they are sent again before a later one that still waits', async () => {
    hook.answer = () => 500
    await rename(['A', 'B'])
    await kept(2)
    await die(2)
    hook.answer = () => 500
    await rename(['C'])
    await kept(3)
    hook.received.length = 0
    hook.answer = () => 200
    assert.equal((await house.ask('POST', `${base}/${webhook}/actions/send-again`)).status, 200)
    house.clock.set(house.clock.now() + 60_000)
    await kept(0)
    assert.deepEqual(revisions(), [2, 3, 4])
  })

  it('are read once, and not anew after each that is taken', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `Name ${at}`)
    hook.answer = () => 500
    await rename(names)
    await kept(names.length)
    hook.received.length = 0
    hook.answer = () => 200
    const lists = listsOfDeliveries()
    house.clock.set(house.clock.now() + 60_000)
    await hook.has(names.length)
    await kept(0)
    assert.ok(lists.end() < names.length / 2, 'a list for each')
  })
})

/** Counts the statements of this thread that list the waiting deliveries of a webhook, until its `end`. */
function listsOfDeliveries(): { end(): number } {
  const memory = new Database(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1')) as { all: Database.Statement['all'] }
  memory.close()
  const { all } = prototype
  let count = 0
  prototype.all = function (this: Database.Statement, ...values: unknown[]) {
    if (/webhook_delivery/.test(this.source) && values.includes('waiting')) count++
    return all.apply(this, values)
  }
  return {
    end() {
      prototype.all = all
      return count
    },
  }
}
