import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { roles } from '../../src/auth/roles.ts'
import { until } from '../access/house-with-doors.ts'
import { pinLocks } from '../access/pin-locks.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { type Listener, listenTo } from './listener.ts'
import { receiver } from './receiver.ts'

const batch = 'application/cloudevents-batch+json'

describe('an event', () => {
  let house: TestAppliance
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const events = async (query: string, how = {}) =>
    (await house.ask('GET', `/api/v2/events?${query}`, how)).body
  const stream = (query = '', how = {}): Promise<Listener> =>
    listenTo(`${house.appliance.url}/api/v2/events/stream${query}`, how)
  const hears = (listener: Listener, count: number) =>
    until(
      `${count} events`,
      () => listener.heard,
      ({ length }) => length >= count,
    )
  let made = 0
  const guest = async (): Promise<string> => {
    const body = { firstName: 'Ida', lastName: `Heard ${++made}` }
    return (await house.ask('POST', '/api/v2/profiles', { body })).body.data.id
  }
  const newest = async () =>
    (await house.ask('GET', `/api/v2/events?filter[sequence][gt]=${10 ** 12}`)).body.errors[0].meta.newest

  it('is listed, page by page', async () => {
    for (let more = 0; more < 40; more++) await guest()
    const all = (await events('page[size]=1000')).data
    assert.ok(all.length > 100)
    const paged = []
    let path: string | undefined = '/api/v2/events?page[size]=37'
    while (path) {
      const { body } = await house.ask('GET', path)
      paged.push(...body.data)
      path = body.links.next
    }
    assert.deepEqual(paged, all)
  })

  it('is listed with the newest first, page by page, and by several subjects', async () => {
    const [one, other] = [await guest(), await guest()]
    const all = (await events('page[size]=1000')).data
    const paged = []
    let path: string | undefined = '/api/v2/events?sort=-sequence&page[size]=37'
    while (path) {
      const { body } = await house.ask('GET', path)
      paged.push(...body.data)
      path = body.links.next
    }
    assert.deepEqual(paged, all.toReversed())
    const subjects = `filter[subject]=profiles/${one},profiles/${other}`
    const found = (await events(`sort=-sequence&${subjects}`)).data
    assert.deepEqual(
      found.map(({ attributes }: { attributes: { event: { subject: string } } }) => attributes.event.subject),
      [`profiles/${other}`, `profiles/${one}`],
    )
    const refused = await house.ask('GET', '/api/v2/events?sort=sequence')
    assert.equal(refused.body.errors[0].code, 'invalid-sort-field')
  })

  describe('listed with the newest first', () => {
    interface Listed {
      attributes: { sequence: string; event: { time: string; data: { by: { id: string } } } }
    }
    const newestFirst = async (query: string): Promise<Listed[]> =>
      (await events(`sort=-sequence&page[size]=1000${query}`)).data
    const dayOf = ({ attributes }: Listed) =>
      Temporal.Instant.from(attributes.event.time)
        .toZonedDateTimeISO('Europe/Lisbon')
        .toPlainDate()
        .toString()

    it('is found by who caused it', async () => {
      await guest()
      const all = await newestFirst('')
      const actors = [...new Set(all.map(({ attributes }) => attributes.event.data.by.id))]
      assert.ok(actors.length > 1, actors.join())
      for (const by of [...actors, 'nobody']) {
        const own = all.filter(({ attributes }) => attributes.event.data.by.id === by)
        assert.deepEqual(await newestFirst(`&filter[by]=${encodeURIComponent(by)}`), own, by)
      }
    })

    it('is found by the day of the property, page by page', async () => {
      for (const days of [1, 1, 2]) {
        house.clock.set(house.clock.now() + days * 86_400_000)
        await guest()
      }
      const all = await newestFirst('')
      const days = [...new Set(all.map(dayOf))]
      assert.ok(days.length >= 4, days.join())
      for (const day of [...days, '2020-01-01', '2040-02-29']) {
        const own = all.filter((each) => dayOf(each) === day)
        assert.deepEqual(await newestFirst(`&filter[date]=${day}`), own, day)
        const paged = []
        let path: string | undefined = `/api/v2/events?sort=-sequence&page[size]=3&filter[date]=${day}`
        while (path) {
          const { body } = await house.ask('GET', path)
          paged.push(...body.data)
          path = body.links.next
        }
        assert.deepEqual(paged, own, day)
      }
    })

    for (const date of ['2026-02-30', '2026-6-1', 'today', '', '2026-06-01T00:00Z', '20260601'])
      it(`is not found by the date ${date}`, async () => {
        const reply = await house.ask('GET', `/api/v2/events?sort=-sequence&filter[date]=${date}`)
        assert.equal(reply.status, 400)
        assert.equal(reply.body.errors[0].code, 'invalid-filter-value')
        assert.equal(reply.body.errors[0].source.parameter, 'filter[date]')
      })

    it('has no filter by the day where the oldest come first', async () => {
      const reply = await house.ask('GET', '/api/v2/events?filter[date]=2026-06-01')
      assert.equal(reply.body.errors[0].code, 'unknown-parameter')
    })
  })

  it('is listed as a plain batch on request', async () => {
    const reply = await house.ask('GET', '/api/v2/events?page[size]=3', { headers: { Accept: batch } })
    assert.equal(reply.headers.get('content-type'), batch)
    const { data } = await events('page[size]=3')
    assert.deepEqual(
      reply.body,
      data.map(({ attributes }: { attributes: { event: object } }) => attributes.event),
    )
    assert.match(String(reply.headers.get('link')), /gt%5D=0{19}\d>; rel="next"/)
  })

  it('is listed by type or by subject', async () => {
    const typesOf = ({ data }: { data: { attributes: { event: { type: string } } }[] }) => [
      ...new Set(data.map(({ attributes }) => attributes.event.type)),
    ]
    assert.deepEqual(typesOf(await events('page[size]=1000&filter[type]=unit.created,property.*')).sort(), [
      'property.created',
      'unit.created',
    ])
    const id = await guest()
    const about = await events(`filter[subject]=profiles/${id}`)
    assert.deepEqual(typesOf(about), ['profile.created'])
  })

  for (const [query, parameter] of [
    ['filter[type]=Stay', 'filter[type]'],
    ['filter[sequence][gt]=soon', 'filter[sequence][gt]'],
    ['page[size]=1001', 'page[size]'],
    ['sort=time', 'sort'],
  ]) {
    it(`is not listed with ${query}, and the answer says why`, async () => {
      const reply = await house.ask('GET', `/api/v2/events?${query}`)
      assert.equal(reply.status, 400)
      assert.deepEqual(reply.body.errors[0].source, { parameter })
    })
  }

  it('is streamed as it happens', async () => {
    const listener = await stream()
    const id = await guest()
    await hears(listener, 1)
    const [{ id: place, event }] = listener.heard as [(typeof listener.heard)[0]]
    assert.deepEqual([event.type, event.data.id, event.sequence], ['profile.created', id, place])
    listener.hangUp()
  })

  it('is streamed once to a client that reconnects after a restart', async () => {
    const first = await stream()
    const ids = [await guest(), await guest()]
    await hears(first, 2)
    await house.restart()
    await first.ended
    ids.push(await guest())
    const second = await stream('?filter[type]=profile.*', { last: first.last() })
    ids.push(await guest())
    await hears(second, 2)
    assert.deepEqual(
      [...first.heard, ...second.heard].map(({ event }) => event.data.id),
      ids,
    )
    second.hangUp()
  })

  it('is streamed from a cursor in the query', async () => {
    const from = await newest()
    const id = await guest()
    const listener = await stream(`?after=${from}`)
    await hears(listener, 1)
    assert.equal(listener.heard[0]?.event.data.id, id)
    listener.hangUp()
  })

  it('is streamed from the first line on', async () => {
    const count = await newest()
    const listener = await stream('?after=0')
    await until(
      'all of it',
      () => Number(listener.last()),
      (last) => last >= count,
    )
    const pulled = (await events('page[size]=1000')).data.map(({ id }: { id: string }) => id)
    assert.deepEqual(
      listener.heard.map(({ event }) => event.id),
      pulled,
    )
    listener.hangUp()
  })

  it('is not streamed from a cursor that never existed', async () => {
    assert.equal((await stream('', { last: '999999999' })).status, 410)
  })

  it('is not streamed any more to a revoked token', async () => {
    const { data, meta } = (
      await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Desk', role: 'frontdesk' } })
    ).body
    const listener = await stream('', { token: meta.token })
    await guest()
    await hears(listener, 1)
    assert.equal((await house.ask('DELETE', `/api/config/v1/tokens/${data.id}`)).status, 204)
    await house.during(listener.ended)
    assert.equal(listener.heard.length, 1)
  })
})

/** What each role hears: families of events, of those that happen here. */
const hearing: Record<(typeof roles)[number], readonly string[] | null> = {
  kiosk: null,
  frontdesk: ['amenity', 'profile', 'unit-type', 'availability', 'key', 'system', 'settings'],
  housekeeping: ['amenity', 'unit-type', 'system'],
  integrator: ['amenity', 'profile', 'unit-type', 'availability', 'system', 'settings'],
  installer: ['amenity', 'unit-type', 'system', 'settings', 'access-provider'],
  auditor: [
    'amenity',
    'profile',
    'unit-type',
    'availability',
    'key',
    'system',
    'token',
    'settings',
    'access-provider',
  ],
  monitor: null,
  admin: [
    'amenity',
    'profile',
    'unit-type',
    'availability',
    'key',
    'system',
    'token',
    'settings',
    'access-provider',
  ],
}

describe('the scopes of events', () => {
  let house: TestAppliance
  let pin: string
  let leave: () => void
  let heardByHook: () => string
  before(async () => {
    house = await startAppliance()
    const hook = await receiver()
    const body = { url: hook.url, payload: 'full' }
    assert.equal((await house.ask('POST', '/api/config/v1/webhooks', { body })).status, 201)
    const pins = await pinLocks(house, ['201'])
    const key = {
      type: 'key',
      unitName: '201',
      original: true,
      startDate: '2026-06-01',
      endDate: '2026-06-03',
    }
    const made = await house.ask('POST', `/api/v2/access/controllers/${pins.controllerId}/key`, {
      body: { ...key, externalId: 'PIN-1' },
    })
    assert.equal(made.status, 201, made.text)
    pin = made.body.data.attributes.pin
    await house.ask('POST', '/api/v2/profiles', { body: { firstName: 'Ida', lastName: 'Heard' } })
    await house.ask('POST', '/api/v2/unit-types', { body: { code: 'NEW', name: 'New' } })
    await house.ask('POST', '/api/v2/amenities', { body: { code: 'NEW', name: 'New' } })
    heardByHook = () => hook.received.map(({ text }) => text).join('\n')
    await hook.hears('amenity.created')
    leave = () => {
      pins.unplug()
      void hook.close()
    }
  })
  after(async () => {
    await house.stop()
    leave()
  })

  for (const role of roles) {
    it(`give the role ${role} the events that it may read`, async () => {
      const { token } = (await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role } }))
        .body.meta
      const reply = await house.ask('GET', '/api/v2/events?page[size]=1000', { token })
      const expected = hearing[role]
      if (expected === null) return assert.equal(reply.status, 403)
      const families = new Set<string>(
        reply.body.data.map(
          ({ attributes }: never) => (attributes as { event: { type: string } }).event.type.split('.')[0],
        ),
      )
      const known = hearing.admin!
      assert.deepEqual(
        known.filter((family) => families.has(family)),
        known.filter((family) => expected.includes(family)),
      )
    })
  }

  it('allow no PIN, and no part of one', async () => {
    assert.match(pin, /^\d{4,10}$/)
    const pulled = (await house.ask('GET', '/api/v2/events?page[size]=1000')).text
    assert.match(pulled, /key\.live/)
    const told = heardByHook()
    assert.match(told, /key\.live/)
    assert.match(told, /"document":\{/)
    for (const text of [pulled, told]) {
      assert.equal(text.includes(pin), false)
      assert.doesNotMatch(text, /"pin"/)
    }
  })
})
