import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type AccessHouse, openAccessHouse } from './access-house.ts'
import { another, nobody } from './facts.ts'
import type { Values } from './row.ts'

let house: AccessHouse
before(async () => {
  house = await openAccessHouse()
})
after(() => house.stop())

const base = '/api/config/v1'
const device = { driver: 'twn4', path: 'tcp://127.0.0.1:9' }
/** An encoder of ours, for a lock system whose rights are on the card. */
const encoder = () => ({ providerId: house.doors.providerId, kind: 'encoder', keyType: 'keyCard', device })
const own = {
  'access-providers': () => ({
    name: another('P'),
    driver: 'mifare-local',
    connection: { siteId: 1, keyId: 1 },
  }),
  'access-controllers': () => ({
    name: another('C'),
    providerId: house.pins.providerId,
    kind: 'pin-generator',
    keyType: 'pinCode',
  }),
  // Each on a line of its own.
  dispensers: () => ({
    name: another('D'),
    device: { driver: 'crt571', path: `tcp://127.0.0.1:${another('1')}` },
  }),
} satisfies Record<string, () => Values>
type Kind = keyof typeof own
const kinds = Object.keys(own) as Kind[]

const create = (kind: Kind, body: Values) => house.ask('POST', `${base}/${kind}`, { body })

/** What a body without it is made to say. */
const defaults: Record<Kind, Values> = {
  'access-providers': {
    enabled: true,
    clockPolicy: 'Local',
    maxCopies: 10,
    maxExtraUnits: 0,
    defaultAuthorizations: null,
    timeZone: null,
  },
  'access-controllers': {
    location: null,
    externalCode: null,
    device: null,
    virtualBefore: null,
    pinLength: 6,
    earlyMinutes: 0,
    lateMinutes: 0,
    verifyAfterWrite: true,
    eraseBeforeReturn: true,
    timeoutMs: 18_000,
    queueLimit: 5,
    dispenserId: null,
  },
  dispensers: {
    lowThreshold: 20,
    presentTimeoutSeconds: 30,
    onTimeout: 'capture',
    acceptReturns: false,
    initAction: 'capture',
    controllerId: null,
  },
}

describe('What is set up', () => {
  for (const kind of kinds) {
    it(`${kind}: by what is required, the rest by default`, async () => {
      const { status, text, body } = await create(kind, own[kind]())
      assert.equal(status, 201, text)
      assert.partialDeepStrictEqual(body.data.attributes, defaults[kind])
      const read = await house.ask('GET', `${base}/${kind}/${body.data.id}`)
      assert.equal(read.headers.get('etag'), `"${read.body.data.attributes.revision}"`)
    })

    it(`${kind}: with each that is required missing`, async () => {
      const whole: Values = own[kind]()
      for (const name of Object.keys(whole)) {
        const { status, body } = await create(kind, { ...whole, [name]: undefined })
        assert.equal(status, 422, name)
        assert.equal(body.errors[0].source.pointer, `/data/attributes/${name}`)
      }
    })

    it(`${kind}: on trial nothing is kept, and a change is made only to what was seen`, async () => {
      const count = async () => (await house.ask('GET', `${base}/${kind}?page[size]=100`)).body.data.length
      const before = await count()
      const trial = await house.ask('POST', `${base}/${kind}?dryRun=true`, { body: own[kind]() })
      assert.ok(trial.status < 300, trial.text)
      assert.equal(await count(), before)
      const id = (await create(kind, own[kind]())).body.data.id
      const patch = (etag: string) =>
        house.ask('PATCH', `${base}/${kind}/${id}`, {
          body: { name: another('N') },
          headers: { 'If-Match': etag },
        })
      assert.equal((await patch('"1"')).status, 204)
      assert.equal((await patch('"1"')).status, 412)
    })
  }

  it('credentials are never shown again', async () => {
    const { body, text } = await house.ask('GET', `${base}/access-providers/${house.pins.providerId}`)
    assert.deepEqual(body.data.attributes.credentials, { set: true })
    assert.ok(!text.includes(house.pins.cloud.clientSecret))
  })

  it('drivers are listed with what each has to be told', async () => {
    const { body } = await house.ask('GET', `${base}/drivers`)
    const names = body.data.map(({ id }: { id: string }) => id)
    for (const name of ['crt571', 'k720', 'twn4', 'mifare-local', 'ttlock'])
      assert.ok(names.includes(name), name)
    // A terminal needs no more than its path.
    for (const { attributes } of body.data)
      if (attributes.capability !== 'payment-terminal') assert.ok(attributes.options ?? attributes.connection)
  })
})

/** The answer to a body with this in it: 201, or what is wrong with which member. */
const refusals: [kind: Kind, more: () => Values, answer: string][] = [
  ['access-providers', () => ({ driver: 'telepathy' }), '422 /driver'],
  ['access-providers', () => ({ connection: { siteId: 'one' } }), '422 /connection/siteId'],
  ['access-providers', () => ({ clockPolicy: 'Lunar' }), '422 /clockPolicy'],
  ['access-providers', () => ({ maxCopies: -1 }), '422 /maxCopies'],
  ['access-providers', () => ({ unitMapping: [{ unitName: '1' }] }), '422 /unitMapping/0/externalCode'],
  ['access-providers', () => ({ timeZone: 'Mars/Olympus' }), '422 /timeZone'],
  ['access-controllers', () => ({ keyType: 'keyCard' }), '422 /keyType'],
  ['access-controllers', () => ({ keyType: 'fob' }), '422 /keyType'],
  ['access-controllers', () => ({ kind: 'oracle' }), '422 /kind'],
  ['access-controllers', () => ({ providerId: nobody }), '422 /providerId'],
  ['access-controllers', () => ({ virtualBefore: 'PT48H' }), '201'],
  ['access-controllers', () => ({ virtualBefore: '2880' }), '201'],
  ['access-controllers', () => ({ virtualBefore: 2880 }), '201'],
  ['access-controllers', () => ({ virtualBefore: 'PT0S' }), '201'],
  ['access-controllers', () => ({ virtualBefore: 'P365D' }), '201'],
  ['access-controllers', () => ({ virtualBefore: 'P366D' }), '422 /virtualBefore'],
  ['access-controllers', () => ({ virtualBefore: '-PT1H' }), '422 /virtualBefore'],
  ['access-controllers', () => ({ virtualBefore: 'two days' }), '422 /virtualBefore'],
  ['access-controllers', () => ({ ...encoder(), virtualBefore: 'PT1H' }), '422 /virtualBefore'],
  ['access-controllers', () => ({ ...encoder(), virtualBefore: 0 }), '422 /virtualBefore'],
  ['access-controllers', () => ({ ...encoder(), device: undefined }), '422 /device'],
  ['access-controllers', () => ({ ...encoder(), device: { driver: 'abacus' } }), '422 /device/driver'],
  ['access-controllers', () => ({ ...encoder(), kind: 'dispenser-encoder' }), '422 /dispenserId'],
  ['access-controllers', () => ({ pinLength: 3 }), '422 /pinLength'],
  ['access-controllers', () => ({ pinLength: 11 }), '422 /pinLength'],
  ['access-controllers', () => ({ pinAlphabet: 'abc' }), '422 /pinAlphabet'],
  ['access-controllers', () => ({ earlyMinutes: 721 }), '422 /earlyMinutes'],
  ['dispensers', () => ({ device: { driver: 'twn4', path: 'tcp://127.0.0.1:9' } }), '422 /device/driver'],
  ['dispensers', () => ({ onTimeout: 'shout' }), '422 /onTimeout'],
  ['dispensers', () => ({ initAction: 'eject' }), '422 /initAction'],
  ['dispensers', () => ({ lowThreshold: -1 }), '422 /lowThreshold'],
]

describe('What is refused', () => {
  for (const [kind, more, answer] of refusals) {
    it(`${kind} ${JSON.stringify(more.toString().slice(6, 100))}: ${answer}`, async () => {
      const { status, body, text } = await create(kind, { ...own[kind](), ...more() })
      const pointer = body.errors?.[0].source?.pointer.replace('/data/attributes', '')
      assert.equal([status, pointer].filter(Boolean).join(' '), answer, text)
    })
  }
})
