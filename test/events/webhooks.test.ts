import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, it, mock } from 'node:test'
import cloudevents from 'cloudevents'
import { Webhook } from 'standardwebhooks'
import { phoneTypes } from '../../src/events/phone-events.ts'
import { phoneMessage } from '../../src/events/webhooks/phone-message.ts'
import { languages } from '../../src/jsonapi/locales/language.ts'
import { until } from '../access/house-with-doors.ts'
import { monday, startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime, testClock } from '../test-clock.ts'
import { type Received, type Receiver, receiver } from './receiver.ts'

const base = '/api/config/v1/webhooks'

interface Refused {
  refusals: number
}

describe('a webhook', () => {
  let house: TestAppliance
  let hook: Receiver
  before(async () => {
    house = await startAppliance({ clock: testClock({ always: false, wallStands: true }) })
  })
  after(() => house.stop())
  beforeEach(async () => {
    hook = await receiver()
  })
  afterEach(async () => {
    for (const { id } of (await house.ask('GET', base)).body.data) await house.ask('DELETE', `${base}/${id}`)
    await hook.close()
  })

  let made = 0
  async function guest(lastName = `Hook ${++made}`): Promise<string> {
    const reply = await house.ask('POST', '/api/v2/profiles', { body: { firstName: 'Ida', lastName } })
    assert.equal(reply.status, 201, reply.text)
    return reply.body.data.id
  }

  async function subscribe(more: Record<string, unknown> = {}) {
    const body = { url: hook.url, types: ['profile.*'], ...more }
    const reply = await house.ask('POST', base, { body })
    assert.equal(reply.status, 201, reply.text)
    return { id: String(reply.body.data.id), secret: String(reply.body.meta.secret) }
  }

  const deliveries = async (filter = '') =>
    (await house.ask('GET', `/api/config/v1/webhook-deliveries?sort=sequence${filter}`)).body.data
  /** The library holds a signature to the time of day, which is here that of the house. */
  function verify({ text, headers }: Received, secret: string): unknown {
    mock.timers.enable({ apis: ['Date'], now: house.clock.now() })
    try {
      return new Webhook(secret).verify(text, headers as Record<string, string>)
    } finally {
      mock.timers.reset()
    }
  }

  it('gets events by the Standard Webhooks rules, as CloudEvents', async () => {
    const { secret } = await subscribe()
    const id = await guest()
    const received = await hook.hears('profile.created')
    assert.deepEqual(verify(received, secret), received.event)
    assert.equal(new cloudevents.CloudEvent(received.event, true).validate(), true)
    assert.equal(received.headers['webhook-id'], received.event.id)
    assert.match(String(received.headers['content-type']), /^application\/cloudevents\+json/)
    assert.deepEqual(received.event.data, {
      id,
      type: 'profile',
      revision: 1,
      changed: [],
      by: { id: 'demo', name: null },
      links: { self: `/api/v2/profiles/${id}` },
    })
  })

  it('tells nothing any more when its token is gone, and less when its maker has fewer rights', async () => {
    const token = async () => {
      const body = { name: 'Integrator', role: 'installer', scopes: ['profiles.read', 'events.pii'] }
      return (await house.ask('POST', '/api/config/v1/tokens', { body })).body
    }
    const { data, meta } = await token()
    const body = { url: hook.url, types: ['profile.*'], payload: 'full' }
    const made = await house.ask('POST', base, { body, token: meta.token })
    assert.equal(made.status, 201, made.text)
    await guest('Before')
    const told = await hook.hears('profile.created')
    assert.match(told.text, /Before/)
    assert.equal((await house.ask('DELETE', `/api/config/v1/tokens/${data.id}`)).status, 204)
    await guest('Afterwards')
    const row = await until(
      'the end of the webhook',
      async () => (await house.ask('GET', `${base}/${made.body.data.id}`)).body.data.attributes,
      ({ enabled }) => enabled === false,
    )
    assert.equal(row.switchedOffBecause, 'The token or the account that made it is gone.')
    assert.equal(hook.received.filter(({ text }) => text.includes('Afterwards')).length, 0)
  })

  it('is not created when its receiver does not accept the test event', async () => {
    hook.answer = () => 302
    const reply = await house.ask('POST', base, { body: { url: hook.url } })
    assert.equal(reply.status, 422)
    assert.equal(reply.body.errors[0].source.pointer, '/data/attributes/url')
    assert.match(reply.body.errors[0].detail, /redirects are not followed/)
    await hook.close()
    const nobody = await house.ask('POST', base, { body: { url: hook.url } })
    assert.match(nobody.body.errors[0].detail, /ECONNREFUSED/)
    assert.deepEqual((await house.ask('GET', base)).body.data, [])
  })

  it('asks its receiver nothing with dryRun', async () => {
    let asked = 0
    hook.answer = () => {
      asked++
      return 200
    }
    const tried = await house.ask('POST', `${base}?dryRun=true`, { body: { url: hook.url } })
    assert.equal(tried.status, 201, tried.text)
    assert.equal(asked, 0)
    const { id } = await subscribe()
    const patch = { url: `${hook.url}/other` }
    assert.equal((await house.ask('PATCH', `${base}/${id}?dryRun=true`, { body: patch })).status, 204)
    assert.equal(asked, 1)
    assert.equal((await house.ask('PATCH', `${base}/${id}`, { body: patch })).status, 204)
    assert.equal(asked, 2)
  })

  for (const [what, url] of [
    ['in clear to the internet', 'http://192.0.2.1/hook'],
    ['the address where clouds keep their secrets', 'http://169.254.169.254/latest'],
    ['that address over TLS', 'https://169.254.169.254/latest'],
    ['that address as IPv6 writes it', 'http://[::ffff:169.254.169.254]/latest'],
    ['another protocol', 'ftp://127.0.0.1/hook'],
    ['a password', 'https://me:secret@pms.example/hook'],
  ]) {
    it(`has no url with ${what}`, async () => {
      const reply = await house.ask('POST', base, { body: { url } })
      assert.equal(reply.status, 422, reply.text)
      assert.equal(reply.body.errors[0].source.pointer, '/data/attributes/url')
    })
  }

  const phone = { format: 'message', types: ['*'] }
  const call = async (more: object = {}) => {
    const [open] = (await house.ask('GET', '/api/v2/help-calls')).body.data
    if (open) await house.ask('POST', `/api/v2/help-calls/${open.id}/actions/take`)
    const body = { failure: 'guest-asks', step: 'pay', ...more }
    const made = await house.ask('POST', '/api/v2/help-calls', { body })
    assert.equal(made.status, 201, made.text)
  }

  it('sends a phone a sentence in its language, with an access token, and nothing that needs no person', async () => {
    await subscribe({ ...phone, language: 'de', accessToken: 'tk_porter' })
    await call()
    await guest()
    const [tried, called] = await hook.has(2)
    assert.match(tried!.text, /^Testnachricht/)
    assert.equal(called!.text, 'Kiosk: Ein Gast bittet um Hilfe. Schritt: Zahlung.')
    const { title, priority, tags, authorization, ...more } = called!.headers
    assert.deepEqual([priority, tags, authorization], ['urgent', 'bell', 'Bearer tk_porter'])
    assert.equal(more['content-type'], 'text/plain; charset=utf-8')
    assert.ok(title)
    await call({ failure: 'no-key', step: 'somewhere' })
    const received = await hook.has(3)
    assert.equal(received[2]!.text, 'Kiosk: Ein Gast kommt nicht weiter und wartet auf Hilfe.')
    assert.equal(received.length, 3)
  })

  it('encodes a title that is not ASCII', async () => {
    const [property] = (await house.ask('GET', '/api/v2/properties')).body.data
    const at = `/api/v2/properties/${property.id}`
    const { name } = property.attributes
    const name2 = 'Pensão São João à Beira-Mar da Praia de Moledo'
    assert.equal((await house.ask('PATCH', at, { body: { name: name2 } })).status, 204)
    await subscribe(phone)
    const [{ headers }] = (await hook.has(1)) as [Received]
    const words = String(headers.title).split(' ')
    assert.ok(words.length > 1 && words.every((word) => word.length <= 75))
    const parts = words.map((word) => Buffer.from(word.slice('=?UTF-8?B?'.length, -2), 'base64').toString())
    assert.equal(parts.join(''), name2)
    await house.ask('PATCH', at, { body: { name } })
  })

  it('sends a late message with its time, and of outdated ones the last', async () => {
    await subscribe(phone)
    hook.answer = () => 503
    await call()
    await hook.has(2)
    hook.answer = () => 200
    house.clock.advance(16 * 60_000)
    const [, , late] = await hook.has(3)
    assert.match(late!.text, /^Late message, of .+: Kiosk: a guest asks for help\. Step: payment\.$/)
    assert.equal(late!.headers.priority, 'low')
    await until('nothing kept', deliveries, (all) => all.length === 0)
    hook.answer = () => 503
    await call({ step: 'name' })
    await call({ step: 'check-out' })
    await until('both kept', deliveries, (all) => all.length === 2)
    hook.answer = () => 200
    const before = hook.received.length
    house.clock.advance(13 * 3_600_000)
    await until('nothing kept', deliveries, (all) => all.length === 0)
    const texts = hook.received.slice(before).map(({ text }) => text)
    assert.equal(texts.length, 1, texts.join())
    assert.match(texts[0]!, /Step: check-out\.$/)
  })

  it('has no message of an event at which no person acts, and no access token for another address', async () => {
    const refused = await house.ask('POST', base, {
      body: { ...phone, url: hook.url, types: ['stay.checked-in'] },
    })
    assert.equal(refused.status, 422)
    assert.equal(refused.body.errors[0].source.pointer, '/data/attributes/types')
    const { id } = await subscribe({ ...phone, accessToken: 'tk_porter' })
    const url = hook.url.replace('127.0.0.1', 'localhost')
    const moved = await house.ask('PATCH', `${base}/${id}`, { body: { url } })
    assert.equal(moved.body.errors[0].source.pointer, '/data/attributes/accessToken')
    const shown = await house.ask('GET', `${base}/${id}`)
    assert.deepEqual(shown.body.data.attributes.accessToken, { set: true })
  })

  it('says in words of the reader why a phone is not reached', async () => {
    const { id } = await subscribe(phone)
    await hook.close()
    const why = /der Rechner unter dieser Adresse nimmt an diesem Port keine Verbindung an/
    const headers = { 'Accept-Language': 'de' }
    const tried = await house.ask('POST', `${base}/${id}/actions/test`, { headers })
    assert.match(tried.body.data.attributes.reason, why)
    const refused = await house.ask('POST', base, { body: { ...phone, url: hook.url }, headers })
    assert.match(refused.body.errors[0].detail, why)
  })

  it('has a secret that is shown once', async () => {
    const { id, secret } = await subscribe()
    assert.match(secret, /^whsec_/)
    const shown = await house.ask('GET', `${base}/${id}`)
    assert.deepEqual(shown.body.data.attributes.secret, { set: true })
    assert.equal(shown.text.includes(secret), false)
  })

  it('signs with a given secret', async () => {
    const given = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const { secret } = await subscribe({ secret: given })
    assert.equal(secret, given)
    await guest()
    verify(await hook.hears('profile.created'), given)
  })

  it('refuses a secret that is too short', async () => {
    const secret = `whsec_${Buffer.alloc(23, 7).toString('base64')}`
    const reply = await house.ask('POST', base, { body: { url: hook.url, secret } })
    assert.equal(reply.body.errors[0].source.pointer, '/data/attributes/secret')
  })

  it('signs with both secrets for a day after a rotation', async () => {
    const { id, secret } = await subscribe()
    const rotated = await house.ask('POST', `${base}/${id}/actions/rotate-secret`)
    const newer = rotated.body.meta.secret
    await guest()
    const received = await hook.hears('profile.created')
    verify(received, secret)
    verify(received, newer)
  })

  it('gets only the types that it subscribed to', async () => {
    await subscribe({ types: ['profile.deleted'] })
    const id = await guest()
    assert.equal((await house.ask('DELETE', `/api/v2/profiles/${id}`)).status, 204)
    await hook.hears('profile.deleted')
    assert.deepEqual(
      hook.received.map(({ event }) => event.type),
      ['profile.deleted'],
    )
  })

  it('gets the resource as well, if its payload is full', async () => {
    await subscribe({ payload: 'full' })
    const id = await guest('Visible')
    const { event } = await hook.hears('profile.created')
    assert.equal(event.data.document.id, id)
    assert.equal(event.data.document.attributes.lastName, 'Visible')
  })

  it('gets no event from while it was disabled', async () => {
    const { id } = await subscribe()
    await house.ask('PATCH', `${base}/${id}`, { body: { enabled: false } })
    const missed = await guest()
    await house.ask('PATCH', `${base}/${id}`, { body: { enabled: true } })
    const heard = await guest()
    await hook.hears('profile.created')
    assert.deepEqual(
      hook.received.map(({ event }) => event.data.id),
      [heard],
    )
    assert.notEqual(missed, heard)
  })

  it('is disabled by a receiver that answers it is gone, and keeps the unacknowledged events', async () => {
    const { id } = await subscribe()
    hook.answer = () => 410
    await guest()
    const row = await until(
      'off',
      async () => (await house.ask('GET', `${base}/${id}`)).body.data.attributes,
      ({ enabled }) => enabled === false,
    )
    assert.match(row.switchedOffBecause, /410/)
    assert.equal(row.waiting, 1)
    hook.answer = () => 200
    assert.equal((await house.ask('PATCH', `${base}/${id}`, { body: { enabled: true } })).status, 204)
    house.clock.advance(10_000)
    await hook.has(2)
    const on = (await house.ask('GET', `${base}/${id}`)).body.data.attributes
    assert.equal(on.switchedOffBecause, null)
  })

  it('holds later events of a subject behind a failed one, and delivers other subjects', async () => {
    const failing = await guest()
    await subscribe()
    hook.answer = ({ event }) => (event.data.id === failing ? 500 : 200)
    await house.ask('PATCH', `/api/v2/profiles/${failing}`, { body: { firstName: 'Eva' } })
    await hook.has(1)
    await house.ask('PATCH', `/api/v2/profiles/${failing}`, { body: { firstName: 'Ada' } })
    const other = await guest()
    await until(
      'the other',
      async () => hook.received,
      (all) => all.some(({ event }) => event.data.id === other),
    )
    const held = await until('both kept', deliveries, (all) => all.length === 2)
    assert.deepEqual(
      held.map(({ attributes: { attempts, lastStatus, subject } }: never) => [attempts, lastStatus, subject]),
      [
        [1, 500, `profiles/${failing}`],
        [0, null, `profiles/${failing}`],
      ],
    )
    hook.answer = () => 200
    house.clock.advance(7_000)
    await until('nothing kept', deliveries, (all) => all.length === 0)
    const told = hook.received
      .filter(({ event }) => event.data.id === failing)
      .map(({ event }) => event.data.revision)
    assert.deepEqual(told, [2, 2, 3])
  })

  it('is served however slow other receivers are', async (t) => {
    const [other, quick] = [await receiver(), await receiver()]
    t.after(() => Promise.all([other.close(), quick.close()]))
    const slow = [hook, other] as const
    const held: ServerResponse[][] = slow.map(() => [])
    for (const [at, { url }] of slow.entries()) {
      await subscribe({ url })
      slow[at]!.answer = ({ event }, response) =>
        event.type === 'webhook.tested' ? 200 : void held[at]!.push(response)
    }
    await subscribe({ url: quick.url, types: ['amenity.created'] })
    for (let guests = 0; guests < 6; guests++) await guest()
    await until(
      'as much under way as there may be',
      async () => held.flat(),
      (all) => all.length === 8,
    )
    await house.ask('POST', '/api/v2/amenities', { body: { code: 'TURN', name: 'Its turn' } })
    held[0]!.shift()!.writeHead(200).end()
    await until(
      'another under way',
      () => quick.received.length + hook.received.length + other.received.length,
      (count) => count > 8,
    )
    assert.equal(quick.received.length, 1)
    for (const response of held.flat()) response.writeHead(200).end()
  })

  it('follows the retry plan, gets a dead letter at its end, and can send it again', async () => {
    const { id, secret } = await subscribe()
    hook.answer = () => 503
    await guest()
    const planned = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 86_400]
    for (const [failed, seconds] of planned.entries()) {
      const [row] = await until(
        `${failed + 1} attempts`,
        deliveries,
        ([first]) => first?.attributes.attempts === failed + 1,
      )
      const pause = (Date.parse(row.attributes.nextAttemptAt) - house.clock.now()) / 1000
      assert.ok(pause >= seconds * 0.8 && pause <= seconds * 1.2, `${pause} s instead of ${seconds} s`)
      house.clock.set(Date.parse(row.attributes.nextAttemptAt))
    }
    const [dead] = await until(
      'a dead letter',
      () => deliveries('&filter[state]=dead'),
      (all) => all.length === 1,
    )
    assert.equal(dead.attributes.attempts, 10)
    assert.equal(hook.received.length, 10)
    assert.equal(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal((await house.ask('GET', `${base}/${id}`)).body.data.attributes.dead, 1)
    hook.answer = () => 200
    house.clock.set(monday)
    const path = `/api/config/v1/webhook-deliveries/${dead.id}/actions/send-again`
    assert.equal((await house.ask('POST', path)).status, 200)
    await hook.has(11)
    verify(hook.received.at(-1)!, secret)
    await until('nothing kept', deliveries, (all) => all.length === 0)
  })

  it('is not delayed by a clock that was set back', async () => {
    await subscribe()
    hook.answer = () => 503
    await guest()
    await until('a failure', deliveries, (all) => all.length === 1)
    hook.answer = () => 200
    house.clock.set(house.clock.now() - 3_600_000)
    await until('nothing kept', deliveries, (all) => all.length === 0)
    house.clock.set(house.clock.now() + 3_600_000)
  })

  it('waits as long as its receiver requests', async () => {
    await subscribe()
    hook.answer = (_, response) => {
      response.setHeader('Retry-After', '3600')
      return 429
    }
    await guest()
    const [row] = await until('a failure', deliveries, (all) => all.length === 1)
    const pause = Date.parse(row.attributes.nextAttemptAt) - Date.parse(row.attributes.lastAttemptAt)
    assert.equal(pause, 3_600_000)
  })

  it('uses up no refusal while its receiver is not reached', async () => {
    await subscribe()
    await hook.close()
    await guest()
    await guest()
    for (let looks = 0; looks < 3; looks++) {
      house.clock.advance(61_000)
      await passTime(300)
    }
    const refusals = (await deliveries()).map(({ attributes }: never) => (attributes as Refused).refusals)
    assert.ok(refusals.length > 0 && refusals.every((count: number) => count === 0), String(refusals))
    const again = await receiver(hook.port)
    // A look may have failed at the very moment that the receiver came back.
    await until(
      'both',
      () => {
        house.clock.advance(300_000)
        return again.received
      },
      (all) => all.length >= 2,
    )
    await again.close()
  })

  it('returns the outcome of a test', async () => {
    const { id } = await subscribe()
    const test = () => house.ask('POST', `${base}/${id}/actions/test`)
    assert.partialDeepStrictEqual((await test()).body.data.attributes, { taken: true, status: 200 })
    hook.answer = () => 500
    assert.partialDeepStrictEqual((await test()).body.data.attributes, { taken: false, status: 500 })
  })
})

describe('the creator of a webhook', () => {
  let house: TestAppliance
  let hook: Receiver
  before(async () => {
    house = await startAppliance({ clock: testClock({ always: false, wallStands: true }) })
    hook = await receiver()
  })
  after(async () => {
    await house.stop()
    await hook.close()
  })

  const tokenOf = async (role: string) =>
    (await house.ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })).body.meta.token

  it('may be an installer, whose phone learns of a call for help and of no room', async () => {
    const body = { url: hook.url, format: 'message' }
    const made = await house.ask('POST', base, { body, token: await tokenOf('installer') })
    assert.equal(made.status, 201, made.text)
    await house.ask('POST', '/api/v2/help-calls', { body: { failure: 'guest-asks', step: 'welcome' } })
    const received = await hook.has(2)
    assert.equal(received[1]!.text, 'Kiosk: a guest asks for help. Step: first page.')
    assert.equal((await house.ask('DELETE', `${base}/${made.body.data.id}`)).status, 204)
    hook.received.length = 0
  })

  it('cannot receive more than its own scopes allow', async () => {
    const token = await tokenOf('installer')
    const made = await house.ask('POST', base, { body: { url: hook.url }, token })
    assert.equal(made.status, 201, made.text)
    await house.ask('POST', '/api/v2/profiles', { body: { firstName: 'Ida', lastName: 'Secret' } })
    await house.ask('POST', '/api/v2/unit-types', { body: { code: 'HEARD', name: 'Heard' } })
    await hook.hears('unit-type.created')
    assert.deepEqual(
      hook.received.filter(({ event }) => event.type.startsWith('profile.')),
      [],
    )
  })

  it('cannot receive personal data without the scope', async () => {
    const token = await tokenOf('installer')
    const reply = await house.ask('POST', base, { body: { url: hook.url, payload: 'full' }, token })
    assert.equal(reply.status, 403)
    assert.equal(reply.body.errors[0].meta.scope, 'events.pii')
  })
})

describe('a message to a phone', () => {
  const facts = {
    propertyName: () => 'Casa do Rio',
    zone: () => 'Europe/Lisbon',
    roomOf: (stayId: string) => (stayId === 's' ? '204' : null),
  }
  const reader = { row: () => ({ name: 'Lobby dispenser' }) } as never
  const textOf = (type: string, data: object, { language = 'en', hears = ['reservations.read'] } = {}) => {
    const event = { type, time: new Date(monday).toISOString(), data: { id: 'x', ...data } }
    const feedEvent = { sequence: 1, kind: { scope: '', resource: {} }, event } as never
    const webhook = { language, hears } as never
    return phoneMessage(feedEvent, webhook, { facts, reader, now: monday }).body
  }
  const call = { kioskName: 'Lobby', failure: 'guest-asks', step: 'paying', stayId: 's' }

  it('names the kiosk, the step and the room, and no room without the right to read stays', () => {
    assert.equal(textOf('help-call.made', call), 'Lobby: a guest asks for help. Step: payment. Room 204.')
    const blind = textOf('help-call.made', call, { hears: ['status.read'] })
    assert.equal(blind, 'Lobby: a guest asks for help. Step: payment.')
    assert.match(textOf('stay.payment-in-doubt', { id: 's', type: 'stay' }), / Room 204\.$/)
    assert.match(textOf('dispenser.jammed', {}), /^Lobby dispenser: a card is jammed/)
  })

  for (const type of phoneTypes) {
    it(`says ${type} in every language`, () => {
      const texts = languages.map((language) => textOf(type, { ...call, state: 'fault' }, { language }))
      assert.equal(new Set(texts).size, languages.length, texts.join('\n'))
      for (const text of texts) assert.doesNotMatch(text, /[{}]|^phone-/)
    })
  }
})
