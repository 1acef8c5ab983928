import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import type { Reply } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { type AccessHouse, aKey, cardOf, keyNow, later, openAccessHouse, pinOf } from './access-house.ts'
import { another } from './facts.ts'
import type { Values } from './row.ts'

let house: AccessHouse
let now: number
before(async () => {
  house = await openAccessHouse()
  now = house.clock.now()
})
after(() => house.stop())
afterEach(() => {
  house.clock.set(now)
  house.pins.cloud.misbehaviours.length = 0
})

/** Within the window of a key of these days, and before its start. */
const windowOpens = Date.UTC(2026, 5, 18, 14)
const open = () => house.clock.set(windowOpens)

const reconcile = (stay: string, body: Values = {}, how = {}) =>
  house.ask('PUT', `/api/v2/access/controllers/${house.pins.controllerId}/keys/by-reservation/${stay}`, {
    body: { ...aKey, ...later, ...body },
    ...how,
  })

/** The calls that change something in the cloud. */
const writes = () => house.pins.cloud.requests.filter(({ call }) => /add|change|delete/.test(call)).length

function told({ status, body, text }: Reply) {
  assert.equal(status, 200, text)
  const { isVirtual, status: state, pin, unitName } = body.data.attributes
  return { id: body.data.id, isVirtual, state, pin, unitName }
}

async function held(body: Values = {}) {
  const stay = another('STAY-')
  const id = await pinOf(house, { ...later, externalId: stay, ...body })
  return { stay, id, pin: (await keyNow(house, id)).pin }
}

describe('the materialisation of a key', () => {
  for (const [way, make] of [
    ['POST', (stay: string, body: Values) => pinOf(house, { ...later, externalId: stay, ...body })],
    ['PUT', async (stay: string, body: Values) => told(await reconcile(stay, body)).id],
  ] as const) {
    it(`none, ${way}, further out than the window: virtual, and nothing is written`, async () => {
      const before = writes()
      const id = await make(another('STAY-'), { unitName: undefined })
      const { isVirtual, pin } = await keyNow(house, id)
      assert.equal(isVirtual, true)
      assert.match(String(pin), /^\d{6}$/)
      assert.equal(writes(), before)
    })

    it(`none, ${way}, the window open and a unit: live, and written`, async () => {
      open()
      const before = writes()
      const id = await make(another('STAY-'), { unitName: '302' })
      assert.equal((await keyNow(house, id)).isVirtual, false)
      assert.ok(writes() > before)
    })
  }

  it('the window opens at its very moment', async () => {
    const { stay, id } = await held({ unitName: '303' })
    house.clock.set(windowOpens - 1)
    assert.equal(told(await reconcile(stay, { unitName: '303' })).isVirtual, true)
    open()
    const live = told(await reconcile(stay, { unitName: '303' }))
    assert.deepEqual([live.id, live.isVirtual], [id, false])
  })

  it('virtual, open and a unit: live with the PIN it had, and this alone does it', async () => {
    const { stay, id, pin } = await held({ unitName: undefined })
    open()
    const before = writes()
    for (const path of [`keys/${id}`, `keys?filter[externalId]=${stay}`])
      assert.equal((await house.ask('GET', `/api/v2/access/${path}`)).status, 200)
    assert.equal((await keyNow(house, id)).isVirtual, true)
    const put = await house.ask('PUT', `/api/v2/access/keys/${id}`, { body: { ...aKey, ...later } })
    assert.equal(put.status, 204, put.text)
    assert.equal((await keyNow(house, id)).isVirtual, true)
    assert.equal(writes(), before)
    const live = told(await reconcile(stay, { unitName: '303' }))
    assert.deepEqual([live.id, live.isVirtual, live.pin], [id, false, pin])
    assert.ok(writes() > before)
  })

  for (const unitName of [undefined, '302']) {
    it(`virtual with ${unitName ? 'a' : 'no'} unit, open, and none is named: 422, and the held key is untouched`, async () => {
      const { stay, id } = await held({ unitName })
      const before = await keyNow(house, id)
      open()
      const { status, body } = await reconcile(stay, { unitName: undefined })
      assert.deepEqual([status, body.errors[0].code], [422, 'unit-name-required'])
      const { dueTold: _, updatedAt: __, revision: ___, ...after } = await keyNow(house, id)
      const { updatedAt: ____, revision: _____, ...was } = before
      assert.deepEqual(after, was)
    })
  }

  it('virtual, and it is what is asked for: nothing changes', async () => {
    const { stay, id } = await held()
    const { revision } = await keyNow(house, id)
    for (let times = 0; times < 2; times++) assert.equal(told(await reconcile(stay)).id, id)
    assert.equal((await keyNow(house, id)).revision, revision)
  })

  it('live, and it is what is asked for: nothing changes, and nothing is written', async () => {
    const { stay, pin } = await held({ unitName: '302' })
    open()
    const live = told(await reconcile(stay, { unitName: '302' }))
    const [before, { revision }] = [writes(), await keyNow(house, live.id)]
    assert.deepEqual(told(await reconcile(stay, { unitName: '302' })), live)
    assert.equal(live.pin, pin)
    assert.equal(writes(), before)
    assert.equal((await keyNow(house, live.id)).revision, revision)
  })

  it('live, and its end is set to the past: invalidated', async () => {
    const id = await pinOf(house, { unitName: '303' })
    const body = { ...aKey, unitName: '303', startDate: '2026-05-20', endDate: '2026-05-21' }
    assert.equal((await house.ask('PUT', `/api/v2/access/keys/${id}`, { body })).status, 204)
    await until(
      'the end',
      () => keyNow(house, id),
      ({ status }) => status === 'invalidated',
    )
  })

  it('any, deleted: removed', async () => {
    for (const id of [(await held()).id, await pinOf(house, { unitName: '303' })]) {
      assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
      await until(
        'the end',
        () => keyNow(house, id),
        ({ status }) => status === 'removed',
      )
    }
  })

  it('a PIN is the same from the first answer to the last day', async () => {
    const { stay, id, pin } = await held({ unitName: undefined })
    const answers = [
      await reconcile(stay, { unitName: '302' }),
      await reconcile(stay, { endDate: '2026-06-24' }),
    ]
    open()
    answers.push(
      await reconcile(stay, { unitName: '303' }),
      await reconcile(stay, { unitName: '303', endDate: '2026-06-25' }),
    )
    for (const each of answers.map(told)) assert.deepEqual([each.id, each.pin], [id, pin])
    const moved = told(await reconcile(stay, { unitName: '302', endDate: '2026-06-25' }))
    assert.equal(moved.pin, pin)
  })
})

describe('a key by its reservation', () => {
  it('is resolved whatever controller parameters have become of it meanwhile', async () => {
    const { stay, id } = await held({ unitName: '301' })
    const controller = `/api/config/v1/access-controllers/${house.pins.controllerId}`
    const patch = async (virtualBefore: string | null) =>
      assert.equal((await house.ask('PATCH', controller, { body: { virtualBefore } })).status, 204)
    await patch(null)
    try {
      const live = told(await reconcile(stay))
      assert.deepEqual([live.id, live.isVirtual], [id, false])
    } finally {
      await patch('PT48H')
    }
  })

  it('follows a unit to the lock that it is mapped to now', async () => {
    const { stay } = await held({ unitName: '302' })
    const provider = `/api/config/v1/access-providers/${house.pins.providerId}`
    const { unitMapping } = await house.attributes(provider)
    const patch = async (mapping: object[]) =>
      assert.equal((await house.ask('PATCH', provider, { body: { unitMapping: mapping } })).status, 204)
    open()
    told(await reconcile(stay, { unitName: '302' }))
    await patch(
      unitMapping
        .filter(({ unitName }: Values) => unitName !== '303')
        .map((each: Values) => (each.unitName === '302' ? { ...each, externalCode: '1003' } : each)),
    )
    try {
      const before = writes()
      // A command of the former connection may still be at the gateway.
      let reply = await reconcile(stay, { unitName: '302' })
      for (let tries = 0; tries < 20 && reply.status === 502; tries++) {
        await passTime(3_000)
        reply = await reconcile(stay, { unitName: '302' })
      }
      told(reply)
      assert.ok(writes() > before, 'the new lock was told')
    } finally {
      await patch(unitMapping)
    }
  })

  it('takes the name in the path where the body has none, and the same name in both', async () => {
    const stay = another('STAY-')
    const first = told(await reconcile(stay))
    assert.equal((await keyNow(house, first.id)).externalId, stay)
    assert.equal(told(await reconcile(stay, { externalId: stay })).id, first.id)
  })

  it('is one, whoever asks at the same time', async () => {
    const stay = another('STAY-')
    const answers = await Promise.all(Array.from({ length: 4 }, () => reconcile(stay)))
    assert.equal(new Set(answers.map(told).map(({ id }) => id)).size, 1)
  })

  it('stays gone, however often it is asked for', async () => {
    const { stay, id } = await held()
    await house.ask('DELETE', `/api/v2/access/keys/${id}`)
    for (let times = 0; times < 2; times++) {
      const { status, body } = await reconcile(stay)
      assert.deepEqual([status, body.errors[0].code], [404, 'key-gone'])
    }
  })

  it('in doubt is found by the same request, and not made twice', async () => {
    const stay = another('STAY-')
    open()
    house.pins.cloud.misbehaviours.push(
      { at: 'add', does: 'late' },
      { at: 'listPasscodes', does: 'refuse', code: 'http500' },
    )
    const lost = await reconcile(stay)
    assert.deepEqual([lost.status, lost.body.meta.outcomeUnknown], [502, true], lost.text)
    const found = told(await reconcile(stay))
    assert.equal(found.id, lost.body.errors[0].meta.keyId)
    assert.equal(found.isVirtual, false)
  })
})

describe('what concurrent and repeated requests are answered', () => {
  const path = () => `/api/v2/access/controllers/${house.pins.controllerId}/key`
  const once = (key: string, body: Values) =>
    house.ask('POST', path(), { body, headers: { 'Idempotency-Key': key } })

  it('the same again, with its PIN, for the same idempotency key', async () => {
    const body = { ...aKey, unitName: '303', endTime: '10:15' }
    const [first, again] = [await once('one', body), await once('one', body)]
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.deepEqual([again.status, again.body.data.id], [201, first.body.data.id])
    assert.equal(again.body.data.attributes.pin, first.body.data.attributes.pin)
    const other = await once('one', { ...body, endTime: '10:30' })
    assert.deepEqual([other.status, other.body.errors[0].code], [422, 'idempotency-key-reused'])
  })

  it('304 to whoever has seen a key whose PIN he may not read, and the key to whoever may', async () => {
    const id = await pinOf(house, { unitName: '303', endTime: '10:45' })
    const one = `/api/v2/access/keys/${id}`
    const etag = (await house.ask('GET', one)).headers.get('etag')!
    const reader = await house.tokenOf('auditor', ['keys.read'])
    const headers = { 'If-None-Match': etag }
    assert.equal((await house.ask('GET', one, { token: reader, headers })).status, 304)
    assert.equal((await house.ask('GET', one, { headers })).status, 200)
  })
})

describe('originals and copies', () => {
  it('of a card are a family, and the next original ends them all', async () => {
    const first = await cardOf(house, { unitName: '205' })
    const copy = await cardOf(house, { unitName: '205', original: false })
    const either = await cardOf(house, { unitName: '205', original: null })
    const family = await Promise.all([first, copy, either].map((id) => keyNow(house, id)))
    assert.deepEqual(
      family.map(({ original, sequence, status }) => [original, sequence, status]),
      [
        [true, 1, 'live'],
        [false, 2, 'live'],
        [false, 3, 'live'],
      ],
    )
    assert.equal(new Set(family.map(({ familyId }) => familyId)).size, 1)
    await cardOf(house, { unitName: '205' })
    const ended = await Promise.all([first, copy, either].map((id) => keyNow(house, id)))
    assert.deepEqual([...new Set(ended.map(({ status }) => status))], ['superseded'])
  })
})

describe('the pages of keys', () => {
  it('are each key once, from the first to the last and back', async () => {
    for (let count = 0; count < 5; count++) await held()
    const query = 'filter[isVirtual]=true&sort=-startDate,externalId&page[size]=2'
    const seen: string[] = []
    let next: string | undefined = `/api/v2/access/keys?${query}`
    let last: Reply | undefined
    while (next) {
      last = await house.ask('GET', next)
      seen.push(...last.body.data.map(({ id }: { id: string }) => id))
      next = last.body.links.next
    }
    assert.equal(new Set(seen).size, seen.length)
    const all = await house.ask('GET', '/api/v2/access/keys?filter[isVirtual]=true&page[size]=100')
    assert.deepEqual(seen.toSorted(), all.body.data.map(({ id }: { id: string }) => id).toSorted())
    const back = await house.ask('GET', last!.body.links.prev)
    const length = last!.body.data.length
    assert.deepEqual(
      back.body.data.map(({ id }: { id: string }) => id),
      seen.slice(-length - 2, -length),
    )
  })
})
