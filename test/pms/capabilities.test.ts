import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import cloudevents from 'cloudevents'
import type { Capabilities } from '../../src/pms/contract.ts'
import type { Reply } from '../appliance.ts'
import { refused } from '../reservation/api/house.ts'
import {
  able,
  type HouseWithPms,
  openHouseWithPms,
  reconfigure,
  silence,
} from './adapters/scripted-adapter.ts'

let house: HouseWithPms
before(async () => {
  house = await openHouseWithPms()
})
after(() => house.stop())

let heartbeatSeconds = 100
/** What was known is known no longer: the configuration has changed. */
beforeEach(async () => {
  house.pms.does({})
  await reconfigure(house, { heartbeatSeconds: heartbeatSeconds++ })
})

const minute = 60_000
const ask = () => house.ask('GET', `${house.provider}/capabilities`)

/** Of an answer: since when it is known, and whether it may be out of date. */
const known = ({ status, body }: Reply) => {
  assert.equal(status, 200, JSON.stringify(body))
  return { checkedAt: body.data.attributes.checkedAt, stale: body.meta.stale }
}
const time = () => new Date(house.clock.now()).toISOString()

describe('Capabilities', () => {
  it('are the document of what the adapter declares', async () => {
    const reply = await ask()
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body, {
      data: {
        type: 'pms-capabilities',
        id: house.configurationId,
        attributes: {
          adapter: 'scripted',
          ...able,
          checkedAt: time(),
          expiresAt: new Date(house.clock.now() + 30 * minute).toISOString(),
        },
        links: { self: `${house.provider}/capabilities` },
      },
      meta: { stale: false },
    })
    assert.equal(reply.headers.get('cache-control'), 'no-store')
  })

  it('are asked for and replied to by CloudEvents, which are written down', async () => {
    await ask()
    // Whatever is written after them is written behind them.
    await house.make('amenities', { code: `A${heartbeatSeconds}`, name: 'Any' })
    const lines = house.journal(`pms/${house.configurationId}`).slice(-2)
    assert.deepEqual(
      lines.map(({ type }) => type),
      ['pms.capabilities.requested', 'pms.capabilities.replied'],
    )
    const requestId = lines[0]?.data.requestId
    assert.deepEqual(lines[0]?.data, {
      requestId,
      configurationId: house.configurationId,
      adapter: 'scripted',
      adapterVersion: '0.0.1',
      interfaceVersion: '2.2.0-alpha.1',
      replyTo: 'pms.capabilities.replied',
      deadline: new Date(house.clock.now() + 400).toISOString(),
    })
    assert.deepEqual(lines[1]?.data, { requestId, capabilities: able, ttlSeconds: 1800 })
    for (const { type, data } of lines) {
      const event = { type, source: 'urn:property:1', subject: `pms/${house.configurationId}`, data }
      assert.equal(new cloudevents.CloudEvent(event).validate(), true)
    }
  })

  it('are cached for 30 minutes', async () => {
    const first = known(await ask())
    house.clock.advance(30 * minute - 1)
    assert.deepEqual(known(await ask()), first)
    assert.equal(house.pms.capabilitiesAsked, 1)
    house.clock.advance(1)
    assert.deepEqual(known(await ask()), { checkedAt: time(), stale: false })
    assert.equal(house.pms.capabilitiesAsked, 2)
  })

  it('are cached for less where the adapter says so, and never for longer', async () => {
    house.pms.does({ capabilities: () => ({ ...able, ttlSeconds: 60 }) })
    known(await ask())
    house.clock.advance(minute)
    known(await ask())
    assert.equal(house.pms.capabilitiesAsked, 2)
    house.pms.does({ capabilities: () => ({ ...able, ttlSeconds: 86_400 }) })
    house.clock.advance(minute)
    known(await ask())
    house.clock.advance(30 * minute)
    known(await ask())
    assert.equal(house.pms.capabilitiesAsked, 2)
  })

  it('are asked for again when the clock was set back', async () => {
    known(await ask())
    house.clock.set(house.clock.now() - 2 * 60 * minute)
    assert.deepEqual(known(await ask()), { checkedAt: time(), stale: false })
    assert.equal(house.pms.capabilitiesAsked, 2)
  })

  it('make the first call after a cold start wait, and calls at the same time share one request', async () => {
    const reply = Promise.withResolvers<Capabilities>()
    const asked = Promise.withResolvers<void>()
    house.pms.does({
      capabilities: () => {
        asked.resolve()
        return reply.promise
      },
    })
    const calls = [ask(), ask(), ask(), ask()]
    await asked.promise
    assert.equal((await house.ask('GET', '/api/v2/unit-types')).status, 200)
    reply.resolve(able)
    const answers = (await Promise.all(calls)).map(known)
    assert.equal(new Set(answers.map(({ checkedAt }) => checkedAt)).size, 1)
    assert.equal(house.pms.capabilitiesAsked, 1)
  })

  it('are forgotten when the configuration changes', async () => {
    known(await ask())
    await reconfigure(house, { connection: { host: 'pms.example' } })
    house.pms.does({ capabilities: () => ({ ...able, flags: ['keys.push'] }) })
    assert.deepEqual((await ask()).body.data.attributes.flags, ['keys.push'])
  })

  it('of an adapter that says nothing are a 502 adapter-timeout', async () => {
    house.pms.does({ capabilities: silence })
    const reply = await ask()
    refused(reply, 502, 'adapter-timeout', undefined, { outcomeUnknown: false, retryAfterSeconds: 10 })
    assert.equal(reply.headers.get('retry-after'), '10')
  })

  it('are not asked for again within the ten seconds after which to retry', async () => {
    house.pms.does({ capabilities: () => Promise.reject(new Error('gone')) })
    refused(await ask(), 502, 'adapter-crashed')
    house.pms.does({})
    house.clock.advance(9_999)
    refused(await ask(), 502, 'adapter-crashed')
    assert.equal(house.pms.capabilitiesAsked, 0)
    house.clock.advance(1)
    assert.deepEqual(known(await ask()), { checkedAt: time(), stale: false })
  })

  it('are served stale while the adapter is unreachable, and fresh again after that', async () => {
    const first = known(await ask())
    house.clock.advance(30 * minute)
    for (const capabilities of [silence, () => Promise.reject(new Error('gone')), () => 'rubbish']) {
      house.pms.does({ capabilities })
      assert.deepEqual(known(await ask()), { ...first, stale: true })
      house.clock.advance(minute)
    }
    house.pms.does({})
    assert.deepEqual(known(await ask()), { checkedAt: time(), stale: false })
  })

  const rubbish: Record<string, unknown> = {
    nothing: undefined,
    'a text': 'all of them',
    'an unknown flag': { ...able, flags: ['teleport'] },
    'a missing member': { flags: [] },
    'an unknown member': { ...able, PIN: '1234' },
    'far too many extensions': {
      ...able,
      extensions: Array.from({ length: 101 }, () => able.extensions[0]),
    },
    'a circle': Object.assign([], { 0: rubbishCircle() }),
  }
  for (const [what, answer] of Object.entries(rubbish)) {
    it(`that are ${what} are a 502 vendor-error`, async () => {
      house.pms.does({ capabilities: () => answer })
      refused(await ask(), 502, 'vendor-error')
    })
  }

  it('may be read by who may not invoke extensions', async () => {
    const token = await house.tokenOf('frontdesk')
    assert.equal((await house.ask('GET', `${house.provider}/capabilities`, { token })).status, 200)
    refused(await house.ask('POST', `${house.provider}/extensions/sync`, { token }), 403, 'scope-required')
  })
})

function rubbishCircle(): unknown[] {
  const circle: unknown[] = []
  circle.push(circle)
  return circle
}
