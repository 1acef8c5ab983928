import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { reservationChanged } from '../../../../src/pms/adapters/cloudevents/messages/message-examples.ts'
import type { PmsReply } from '../../../../src/simulators/cloudevents/simulated-pms.ts'
import { until } from '../../../access/house-with-doors.ts'
import { bodies } from '../../../conformance/facts.ts'
import { openHouse, type ReservationHouse, refused } from '../../../reservation/api/house.ts'
import { aReservation } from '../adapter-contract.ts'
import { type HttpBench, httpBench } from './http/http-bench.ts'

const configurations = '/api/config/v1/pms-configurations'

describe('a house with a PMS that speaks the open contract over HTTP', () => {
  let bench: HttpBench
  let house: ReservationHouse
  let configurationId: string
  let provider: string
  before(async () => {
    bench = await httpBench()
    house = await openHouse()
    configurationId = await house.make(configurations, {
      ...settings(),
      connection: { baseUrl: bench.server.baseUrl, assignsUnits: true },
    })
    provider = `/api/v2/pms/providers/${configurationId}`
  })
  after(async () => {
    await house.stop()
    await bench.close()
  })

  const settings = () => ({
    name: 'Grand PMS',
    adapter: 'cloudevents',
    transport: 'http',
    connection: { baseUrl: bench.server.baseUrl },
  })

  it('says what the PMS can do', async () => {
    const { status, body, text } = await house.ask('GET', `${provider}/capabilities`)
    assert.equal(status, 200, text)
    const { flags, extensions } = body.data.attributes
    assert.ok(flags.includes('sync.delta'))
    assert.deepEqual(
      extensions.map(({ name }: { name: string }) => name),
      ['unit-types', 'webhooks'],
    )
    const asked = bench.pms.requests.find(({ type }) => type === 'pms.capabilities.requested')
    assert.equal((asked!.data as { configurationId: string }).configurationId, configurationId)
  })

  it('hands extensions on, and what the PMS says of them', async () => {
    const types = await house.ask('GET', `${provider}/extensions/unit-types`)
    assert.deepEqual(types.body.data[0], { code: 'SGL', quantity: 10 })
    const none = await house.ask('POST', `${provider}/extensions/folio`, { body: {} })
    assert.deepEqual([none.status, none.body.errors[0].code], [404, 'extension-not-implemented'])
  })

  it('lets the PMS pick the units of its reservations where it is set up so', async () => {
    const unitTypeId = (await house.ask('GET', '/api/v2/unit-types?filter[code]=DBL')).body.data[0].id
    const stay = {
      ...bodies.stay,
      units: [{ unitTypeId }],
      startDate: '2026-06-01',
      endDate: '2026-06-02',
    }
    const made = await house.ask('POST', '/api/v2/reservations', {
      body: { externalId: 'R-1', integrationId: configurationId, stays: [stay] },
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.data
    const stayId = (await house.ask('GET', `/api/v2/reservations/${id}/stays`)).body.data[0].id
    const path = `/api/v2/reservations/${id}/stays/${stayId}/unit-assignment`
    bench.pms.book.put('OTHER', {
      externalId: 'OTHER',
      stays: [
        {
          externalId: null,
          startDate: '2026-06-01',
          endDate: '2026-06-02',
          units: [{ unitTypeCode: 'DBL', unitName: '201' }],
        },
      ],
    })
    const given = await house.ask('POST', path, { body: {} })
    assert.equal(given.status, 200, given.text)
    const asked = bench.pms.requests.findLast(({ type }) => type === 'pms.unit-assignment.requested')
    assert.deepEqual((asked!.data as { unitTypeCodes: string[] }).unitTypeCodes, ['DBL'])
    assert.match(given.text, /"202"/)
  })

  describe('is called back', () => {
    const callbackUrl = 'http://127.0.0.1:9/nobody'
    const body = JSON.stringify(reservationChanged)

    function signed(secret: string, { at = house.clock.now(), text = body, id = 'm-1' } = {}) {
      return {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at / 1_000)),
        'webhook-signature': new Webhook(secret).sign(id, new Date(at), text),
        'Content-Type': 'application/cloudevents+json',
      }
    }
    const tell = (headers: Record<string, string>, text = body) =>
      house.ask('POST', `${provider}/callback`, { body: text, headers, token: null })
    const secret = () => bench.pms.callbacks[0]!.secret

    it('by nobody before it has registered itself', async () => {
      const { status, body } = await tell(signed('whsec_c2VjcmV0c2VjcmV0c2VjcmV0'))
      assert.deepEqual([status, body.errors[0].code], [401, 'unauthenticated'])
    })

    it('at the address that it has given to the PMS, with a secret that it shows to nobody else', async () => {
      const trial = await house.ask('POST', `${provider}/extensions/webhooks?dryRun=true`, {
        body: { callbackUrl },
      })
      assert.equal(trial.status, 200, trial.text)
      assert.equal(bench.pms.callbacks.length, 0)
      const reply = await house.ask('POST', `${provider}/extensions/webhooks`, { body: { callbackUrl } })
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual([reply.body.data.callbackUrl, reply.body.data.delivering], [callbackUrl, true])
      assert.equal(bench.pms.callbacks[0]?.callbackUrl, callbackUrl)
      assert.match(secret(), /^whsec_.{40,}/)
      assert.ok(!reply.text.includes(secret().slice(6)))
      const listed = await house.ask('GET', `${provider}/extensions/webhooks`)
      assert.equal(listed.body.data.length, 1)
    })

    it('with one message or with several', async () => {
      assert.equal((await tell(signed(secret()))).status, 204)
      const many = JSON.stringify([reservationChanged, reservationChanged])
      const headers = {
        ...signed(secret(), { text: many }),
        'Content-Type': 'application/cloudevents-batch+json',
      }
      assert.equal((await tell(headers, many)).status, 204)
    })

    const forged: [string, () => Record<string, string>][] = [
      ['without a signature', () => ({ 'Content-Type': 'application/json' })],
      ['with another secret', () => signed('whsec_c2VjcmV0c2VjcmV0c2VjcmV0')],
      ['with the signature of another body', () => signed(secret(), { text: '{}' })],
      ['with the signature of another id', () => ({ ...signed(secret()), 'webhook-id': 'm-2' })],
      ['six minutes late', () => signed(secret(), { at: house.clock.now() - 360_000 })],
      ['six minutes early', () => signed(secret(), { at: house.clock.now() + 360_000 })],
    ]
    for (const [how, headers] of forged) {
      it(`by nobody ${how}`, async () => {
        const { status, body } = await tell(headers())
        assert.deepEqual([status, body.errors[0].code], [401, 'unauthenticated'], how)
      })
    }

    it('and has at once what the PMS has sent there', async () => {
      const own = `${house.appliance.url}${provider}/callback`
      const known = await house.ask('POST', `${provider}/extensions/webhooks`, { body: { callbackUrl: own } })
      assert.equal(known.status, 200, known.text)
      const externalId = await bench.book(aReservation('by callback'))
      const found = await until(
        'the reservation',
        async () =>
          (await house.ask('GET', `/api/v2/reservations?filter[externalId]=${externalId}`)).body.data,
        (all) => all.length === 1,
      )
      assert.equal(found[0].attributes.comment, 'by callback')
    })

    it('with no more than it can read', async () => {
      const many = JSON.stringify(Array.from({ length: 101 }, () => 1))
      const { status, body } = await tell(signed(secret(), { text: many }), many)
      assert.deepEqual([status, body.errors[0].code], [413, 'batch-too-large'])
    })

    it('by nobody any more when it has signed off', async () => {
      const before = secret()
      const gone = await house.ask('DELETE', `${provider}/extensions/webhooks`, { body: {} })
      assert.deepEqual(gone.body.data, { removed: 2 })
      assert.deepEqual(bench.pms.callbacks, [])
      assert.equal((await tell(signed(before))).status, 401)
    })
  })

  const register = (callbackUrl: unknown, query = '') =>
    house.ask('POST', `${provider}/extensions/webhooks${query}`, { body: { callbackUrl } })

  for (const good of [
    'https://pms.example',
    'http://10.0.0.7:8080/a',
    'http://172.31.255.1',
    'http://192.168.1.4',
    'http://127.0.0.1:9000',
    'http://[fd00::1]/a',
    'http://[::1]',
  ]) {
    it(`may be called back at ${good}`, async () => {
      const reply = await register(good, '?dryRun=true')
      assert.deepEqual([reply.status, reply.body.data?.callbackUrl], [200, good])
    })
  }

  for (const bad of [
    'http://pms.example',
    'http://8.8.8.8',
    'http://172.32.0.1',
    'http://169.254.169.254/latest',
    'https://[::ffff:169.254.169.254]/latest',
    'https://0.0.0.0',
    'http://[fe80::1]',
    'http://[2001:db8::1]',
    'http://localhost.pms.example',
    'ftp://10.0.0.7',
    'https://name:secret@pms.example',
    'not a url',
    '',
    7,
  ]) {
    it(`refuses to be called back at ${JSON.stringify(bad)}`, async () => {
      const reply = await register(bad)
      refused(reply, 422, 'validation-failed', '/data/attributes/callbackUrl')
      assert.doesNotMatch(reply.body.errors[0].detail, /secret/)
    })
  }

  it('keeps twenty addresses, each once, until the configuration goes', async () => {
    const id = await house.make(configurations, { ...settings(), name: 'Many addresses' })
    const path = `/api/v2/pms/providers/${id}/extensions/webhooks`
    const at = (n: number) => house.ask('POST', path, { body: { callbackUrl: `https://pms.example/${n}` } })
    const kept = await at(0)
    assert.equal(kept.status, 200, kept.text)
    for (let n = 1; n < 20; n++) assert.equal((await at(n)).status, 200)
    assert.deepEqual((await at(0)).body.data, kept.body.data)
    refused(await at(20), 422, 'validation-failed', '/data/attributes/callbackUrl')
    await house.restart()
    const listed = await house.ask('GET', '/api/config/v1/pms-webhooks?page[size]=50')
    assert.deepEqual([listed.body.data.length, listed.body.data[0].id], [20, kept.body.data.id])
    assert.equal((await house.ask('DELETE', `${configurations}/${id}`)).status, 204)
    assert.deepEqual((await house.ask('GET', '/api/config/v1/pms-webhooks?page[size]=50')).body.data, [])
  })

  it('is called back by no PMS of another kind', async () => {
    const other = await house.make(configurations, { name: 'Ours', adapter: 'standalone' })
    const reply = await house.ask('POST', `/api/v2/pms/providers/${other}/callback`, {
      body: '{}',
      token: null,
    })
    assert.equal(reply.status, 404)
  })

  it('answers a 502 for a PMS that says what nobody understands', async () => {
    const silent = await house.make(configurations, settings())
    const { answer } = bench.pms
    bench.pms.answer = async () => ({ reply: { data: {} } as PmsReply, deed: null, fault: null })
    const reply = await house.ask('GET', `/api/v2/pms/providers/${silent}/capabilities`)
    bench.pms.answer = answer
    assert.deepEqual([reply.status, reply.body.errors[0].code], [502, 'vendor-error'])
    assert.match(reply.body.errors[0].detail, /capabilities is required/)
  })

  it('answers a 502 for a PMS that says far too much', async () => {
    const talking = await house.make(configurations, settings())
    const { answer } = bench.pms
    const flags = Array.from({ length: 1_000_000 }, () => 0)
    const reply = { data: { capabilities: { flags }, ttlSeconds: 1 } } as unknown as PmsReply
    bench.pms.answer = async () => ({ reply, deed: null, fault: null })
    const refused = await house.ask('GET', `/api/v2/pms/providers/${talking}/capabilities`)
    bench.pms.answer = answer
    assert.deepEqual([refused.status, refused.body.errors[0].code], [502, 'vendor-error'])
    assert.match(refused.body.errors[0].detail, /more than 1000 values/)
  })

  describe('is not set up', () => {
    const refused: [string, object, string, RegExp][] = [
      [
        'without the address of the PMS',
        { connection: {} },
        '/connection/baseUrl',
        /baseUrl is required for http/,
      ],
      [
        'to speak in clear beyond the house',
        { connection: { baseUrl: 'http://pms.example' } },
        '/connection/baseUrl',
        /must be https, or http to an address of the local network/,
      ],
      [
        'with what another transport needs',
        { connection: { baseUrl: 'https://pms.example', broker: 'mqtts://broker.example' } },
        '/connection/broker',
        /broker is not a setting of http/,
      ],
      [
        'with half a client',
        { credentials: { clientId: 'box' } },
        '/credentials/clientSecret',
        /clientId and clientSecret must be given together/,
      ],
      [
        'with a client and nowhere to ask for a token',
        { credentials: { clientId: 'box', clientSecret: 'secret' } },
        '/connection/tokenUrl',
        /tokenUrl is required/,
      ],
      [
        'with two ways to prove who it is',
        { credentials: { clientId: 'box', clientSecret: 'secret', token: 'abc' } },
        '/credentials/token',
        /not both/,
      ],
      [
        'with a certificate that is none',
        { connection: { baseUrl: 'https://pms.example', serverCa: 'abc' } },
        '/connection/serverCa',
        /serverCa must be a PEM text/,
      ],
      ['to be reached by no wire', { transport: null }, '/transport', /transport must be one of/],
    ]
    for (const [how, change, pointer, detail] of refused) {
      it(how, async () => {
        const { status, body, text } = await house.ask('POST', configurations, {
          body: { ...settings(), ...change },
        })
        assert.equal(status, 422, text)
        assert.match(body.errors[0].detail, detail)
        assert.ok(body.errors[0].source.pointer.endsWith(pointer), text)
      })
    }
  })
})
