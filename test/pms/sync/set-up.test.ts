import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { monday } from '../../appliance.ts'
import { refused } from '../../reservation/api/house.ts'
import { testClock } from '../../test-clock.ts'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { reported } from './played-pms.ts'

let house: LinkedHouse
let unitTypeId: string
before(async () => {
  // Moments are compared to the millisecond here.
  house = await openLinkedHouse({ clock: testClock({ wallMs: monday, always: false, wallStands: true }) })
  ;({ unitTypeId } = await house.rooms(20))
})
after(() => house.stop())

const nights = { startDate: '2026-07-01', endDate: '2026-07-03' }
const book = () => house.stay({ ...nights, units: [{ unitTypeId }] })
const reconfigure = async (body: object) => {
  const reply = await house.ask('PATCH', house.configuration, { body })
  assert.equal(reply.status, 204, reply.text)
}
const isSent = ({ reservation }: { reservation: string }) =>
  house.pms.offered.some(({ localId }) => reservation.endsWith(localId))

describe('A configuration', () => {
  it('that was changed is followed anew, from where it was', async () => {
    house.pms.report('A1', reported('A1'))
    await house.synchronise('pull')
    const { opened } = house.adapter
    const before = opened.length
    await reconfigure({ heartbeatSeconds: 1800 })
    await eventually('opened anew', () => opened.length > before && house.pms.isFollowed())
    const asked = house.pms.pulled.length
    await house.synchronise('pull')
    assert.equal(house.pms.pulled[asked], '1')
  })

  it('that names another PMS is fetched as a whole, whatever was fetched from the former one', async () => {
    house.pms.report('A2', reported('A2'))
    await house.synchronise('pull')
    const { opened } = house.adapter
    for (const changed of [{ broker: 'mqtts://one.example' }, { broker: 'mqtts://two.example' }]) {
      assert.notEqual((await house.state()).pullCursor, null)
      const [before, asked] = [opened.length, house.pms.pulled.length]
      await reconfigure({ connection: changed })
      await eventually('opened anew', () => opened.length > before && house.pms.isFollowed())
      await house.synchronise('pull')
      assert.equal(house.pms.pulled[asked], null)
    }
    assert.ok(await house.reservation('A2'))
    const asked = house.pms.pulled.length
    await reconfigure({ connection: { broker: 'mqtts://two.example', assignsUnits: true } })
    await house.synchronise('pull')
    assert.notEqual(house.pms.pulled[asked], null, 'the same PMS')
  })

  it('that takes nothing from its PMS does not ask it, and tells it', async () => {
    await reconfigure({ direction: 'ToPms' })
    await eventually('to the PMS', async () => (await house.state()).direction === 'ToPms')
    house.pms.report('B1', reported('B1'))
    const asked = house.pms.pulled.length
    const stay = await book()
    await eventually('sent', () => isSent(stay))
    await house.synchronise('pull')
    assert.equal(house.pms.pulled.length, asked)
    assert.equal(await house.reservation('B1'), undefined)
  })

  it('that tells its PMS nothing takes what it says', async () => {
    await reconfigure({ direction: 'FromPms' })
    const stay = await book()
    await eventually('the change', async () => {
      await house.synchronise('pull')
      return (await house.reservation('B1')) !== undefined
    })
    const events = house.pms.events.length
    await house.synchronise('push')
    assert.equal(isSent(stay), false)
    assert.equal(house.pms.events.length, events)
    assert.equal((await house.state()).outbox, 0)
  })

  it('that is switched off is left alone, and goes on where it was', async () => {
    await reconfigure({ direction: 'Both', enabled: false })
    await eventually('not followed', () => !house.pms.isFollowed())
    refused(await house.ask('POST', `${house.configuration}/actions/pull`), 409, 'configuration-disabled')
    house.pms.report('C1', reported('C1'))
    const stay = await book()
    assert.equal((await house.state()).isKeptInStep, false)
    await reconfigure({ enabled: true })
    await eventually('both', async () => isSent(stay) && (await house.reservation('C1')) !== undefined)
  })

  it('goes on where it was after a start', async () => {
    const stay = await book()
    await eventually('sent', () => isSent(stay))
    const { pullCursor } = await house.state()
    const asked = house.pms.pulled.length
    await house.restart()
    await eventually('asked', () => house.pms.pulled.length > asked)
    // What the PMS has made of our own reservations comes back to us, and is known.
    assert.ok(Number(house.pms.pulled[asked]) >= Number(pullCursor))
    assert.equal((await house.synchronise('push')).offered, 0)
  })

  it('among others takes what names no PMS only where it is the only one', async () => {
    const other = await house.make('/api/config/v1/pms-configurations', {
      name: 'Second',
      direction: 'ToPms',
      adapter: 'scripted',
      heartbeatSeconds: 3600,
    })
    const path = `/api/config/v1/pms-configurations/${other}`
    await eventually(
      'linked',
      async () => (await house.ask('GET', `${path}/sync`)).body.data.attributes.isKeptInStep,
    )
    const stay = await book()
    await house.synchronise('push')
    assert.equal(isSent(stay), false)
    assert.partialDeepStrictEqual(await house.attributes(stay.reservation), {
      integrationId: null,
      sync: { state: 'LocalOnly' },
    })
    assert.equal((await house.ask('PATCH', path, { body: { enabled: false } })).status, 204)
    assert.equal((await house.ask('DELETE', path)).status, 204)
    assert.equal(house.count('SELECT count(*) FROM sync_link'), 1)
  })

  it('of a house that is its own PMS has nothing to keep in step', async () => {
    const { body } = await house.ask('GET', '/api/config/v1/pms-configurations?filter[adapter]=standalone')
    const path = `/api/config/v1/pms-configurations/${body.data[0].id}`
    const reply = await house.ask('POST', `${path}/actions/pull`)
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual([reply.body.meta.counts.received, reply.body.data.attributes.isKeptInStep], [0, false])
  })
})

describe('The extension sync', () => {
  const invoke = (query = '') =>
    house.ask('POST', `/api/v2/pms/providers/${house.configurationId}/extensions/sync${query}`)

  it('fetches what is new where the adapter has none of its own, and answers with counts', async () => {
    house.pms.report('E1', reported('E1'))
    const reply = await invoke('?startDate=2026-07-01&endDate=2026-07-31')
    assert.equal(reply.status, 200, reply.text)
    assert.partialDeepStrictEqual(reply.body.data, {
      state: 'in step',
      startDate: '2026-07-01',
      endDate: '2026-07-31',
      quarantined: 0,
    })
    assert.ok(reply.body.data.received >= 1)
    assert.ok(await house.reservation('E1'))
  })

  it('refuses what is no date', async () => {
    refused(await invoke('?startDate=soon'), 400, 'malformed-request')
  })

  it('is the adapter’s where it has one', async () => {
    house.adapter.script.extension = () => ({ is: 'answered', payload: { own: true } })
    assert.deepEqual((await invoke()).body.data, { own: true })
    delete house.adapter.script.extension
  })
})

describe('The status', () => {
  it('says how far house and PMS are in step, and what somebody should do', async () => {
    await house.synchronise('pull')
    await eventually('an empty outbox', async () => (await house.state()).outbox === 0)
    const pms = async () => {
      const { body } = await house.ask('GET', '/api/v2/status')
      const { attributes } = body.data
      const own = ({ configurationId, componentId }: Record<string, string>) =>
        (configurationId ?? componentId) === house.configurationId
      return { numbers: attributes.pms.find(own), check: attributes.checks['pms:in-step'].find(own) }
    }
    const well = await pms()
    assert.partialDeepStrictEqual(well.numbers, {
      state: 'connected',
      outbox: 0,
      inboxLag: 0,
      conflicts: 0,
      quarantined: 0,
    })
    assert.partialDeepStrictEqual(well.check, { status: 'pass', output: null })

    house.pms.send({ is: 'folio' })
    await house.synchronise('pull')
    house.pms.cut()
    await eventually('disconnected', async () => (await house.state()).state === 'disconnected')
    await book()
    await eventually('in the outbox', async () => (await house.state()).outbox === 1)
    house.clock.advance(7_200_000)
    const away = await pms()
    assert.partialDeepStrictEqual(away.numbers, {
      state: 'disconnected',
      outbox: 1,
      inboxLag: 7_200,
      quarantined: 1,
    })
    assert.match(away.check.output, /Opera: Messages that could not be processed: 1\./)
    house.pms.mend()
    await eventually('in step', async () => (await house.state()).inboxLag === 0)
  })

  it('is in step as of the last answer of the PMS, whatever happens here after it has gone', async () => {
    await reconfigure({ direction: 'FromPms' })
    const inStepAt = new Date(house.clock.now()).toISOString()
    const fetched = async () => {
      await house.synchronise('pull')
      return (await house.state()).inStepAt === inStepAt
    }
    await eventually('set up anew and in step', fetched)
    house.pms.fallSilent()
    // By the wall clock alone: no timer of the house is due.
    house.clock.set(house.clock.now() + 3_600_000)
    const tailed = house.count('SELECT tailedTo FROM sync_link')
    await book()
    await eventually('a look', () => house.count('SELECT tailedTo FROM sync_link') > tailed)
    await house.synchronise('push')
    assert.partialDeepStrictEqual(await house.state(), { state: 'connected', inStepAt })
    const reply = await house.ask('POST', `${house.configuration}/actions/pull`)
    assert.equal(reply.status, 502, reply.text)
    assert.partialDeepStrictEqual(await house.state(), { state: 'disconnected', inStepAt, inboxLag: 3_600 })
    house.pms.mend()
    await house.synchronise('pull')
    assert.equal((await house.state()).inStepAt, new Date(house.clock.now()).toISOString())
  })
})
