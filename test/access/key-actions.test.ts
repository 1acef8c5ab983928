import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { insert } from '../../src/simulators/devices/simulated-card-path.ts'
import { type HouseWithDoors, houseWithDoors, idle, serve, until } from './house-with-doors.ts'

let house: HouseWithDoors

before(async () => {
  house = await houseWithDoors()
})
beforeEach(() => idle(house))
after(() => house.stop())

const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
const controller = () => `/api/v2/access/controllers/${house.controllerId}`
const act = (id: string, verb: string, body: object = {}) =>
  house.ask('POST', `/api/v2/access/keys/${id}/actions/${verb}`, { body })

/** Units in which an older card may still open, by their names. */
async function olderKeys(): Promise<Map<string, { status: string; keyId: string }[]>> {
  const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
  return new Map(
    body.data.map(({ attributes }: { attributes: { unitName: string; keys: [] } }) => [
      attributes.unitName,
      attributes.keys,
    ]),
  )
}

const doorsOf = (doors: unknown) =>
  (doors as { unitName: string; authorization: string; mayOpen: boolean; proof: string }[]).map(
    ({ unitName, authorization, mayOpen, proof }) => [unitName ?? authorization, mayOpen, proof],
  )

/** Takes the card that lies at the gate next. */
const lastCard = () => house.lobby.dispenser.taken.at(-1)!

describe('a card that was lost', () => {
  it('is blocked, and may open until a newer original was used at its door', async () => {
    const lost = await serve(house, '201')
    assert.equal(house.present(lost.card, '201'), 'opened-newer')
    const blocked = await act(lost.id, 'block')
    assert.equal(blocked.status, 200, blocked.text)
    const headers = { 'Accept-Language': 'es' }
    const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys', { headers })
    const { remedy, messages } = body.data[0].attributes
    assert.match(remedy, /^La tarjeta puede abrir aún esta puerta\./)
    assert.deepEqual(messages, [{ code: 'erase-or-renew', values: {}, text: remedy }])
    assert.deepEqual(
      [blocked.body.data.attributes.status, blocked.body.data.attributes.mayOpen],
      ['blocked', true],
    )
    assert.deepEqual(
      (await olderKeys()).get('201')?.map(({ keyId }) => keyId),
      [lost.id],
    )
    assert.equal(house.present(lost.card, '201'), 'opened')

    const made = await act(lost.id, 'reencode')
    assert.equal(made.status, 201, made.text)
    assert.deepEqual([made.body.data.attributes.original, made.body.data.attributes.status], [true, 'live'])
    await idle(house)
    assert.equal(house.present(lastCard(), '201'), 'opened-newer')
    assert.equal(house.present(lost.card, '201'), 'superseded')
    assert.equal((await house.key(lost.id)).mayOpen, true)

    const elsewhere = await act(made.body.data.id, 'seen-at-door', { unitName: '202' })
    assert.deepEqual(
      [elsewhere.status, elsewhere.body.errors[0].detail],
      [422, 'The card does not open 202.'],
    )
    const seen = await act(made.body.data.id, 'seen-at-door')
    assert.deepEqual([seen.status, seen.body.meta.provenDead], [200, [lost.id]], seen.text)
    const { status, proof, mayOpen, doors } = await house.key(lost.id)
    assert.deepEqual([status, proof, mayOpen], ['blocked', null, true])
    assert.deepEqual(doorsOf(doors), [
      ['201', false, 'newer-original-used'],
      ['Entrance', true, null],
    ])
    assert.equal((await olderKeys()).has('201'), false)
    const list = await house.ask('GET', '/api/v2/access/units-with-older-keys')
    const common = list.body.data.find(({ id }: { id: string }) => id.endsWith(lost.id))
    assert.deepEqual(
      [common.attributes.unitName, common.attributes.authorizations, common.attributes.messages[0].code],
      [null, ['Entrance'], 'only-the-card'],
    )
    house.clock.set(Date.UTC(2026, 5, 3, 10, 30))
    const ended = await until(
      'the end of its window',
      () => house.key(lost.id),
      ({ proof }) => proof !== null,
    )
    assert.deepEqual([ended.status, ended.proof, ended.mayOpen], ['blocked', 'validity-over', false])
    house.clock.set(Date.UTC(2026, 5, 1, 16))
  })
})

describe('a key that is taken away', () => {
  it('is revocationPending until its card is erased', async () => {
    const { id, card } = await serve(house, '202')
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    assert.equal((await house.key(id)).status, 'revocationPending')
    assert.match(house.present(card, '202'), /^opened/)
    const state = `/api/v2/access/dispensers/${house.dispenserId}/status/accepting`
    assert.equal((await house.ask('PUT', state)).status, 204)
    assert.equal(insert(house.lobby.dispenser, card), true)
    const row = await until(
      'the proof',
      () => house.key(id),
      ({ proof }) => proof !== null,
    )
    assert.deepEqual([row.status, row.proof, row.mayOpen], ['removed', 'card-erased', false])
    await idle(house)
  })

  for (const [what, ended, take] of [
    ['removed when it is deleted', 'removed', (path: string) => house.ask('DELETE', path)],
    [
      'invalidated when its end is set to the past',
      'invalidated',
      (path: string) => {
        const past = {
          type: 'key',
          unitName: '204',
          original: true,
          startDate: '2026-05-30',
          endDate: '2026-05-31',
        }
        return house.ask('PUT', path, { body: past })
      },
    ],
  ] as const)
    it(`is ${what}, if it is proven dead already`, async () => {
      // Without the entrance, the unit is its only door.
      const former = await serve(house, '204', { deAuthorizations: ['Entrance'] })
      const { id } = await serve(house, '204')
      assert.equal((await act(id, 'seen-at-door')).status, 200)
      const dead = await house.key(former.id)
      assert.deepEqual([dead.status, dead.proof], ['superseded', 'newer-original-used'])
      assert.equal((await take(`/api/v2/access/keys/${former.id}`)).status, 204)
      const { status, proof, mayOpen } = await house.key(former.id)
      assert.deepEqual([status, proof, mayOpen], [ended, 'newer-original-used', false])
    })

  it('ends by itself a while after its window', async () => {
    const { id } = await serve(house, '203')
    const body = {
      type: 'key',
      unitName: '203',
      original: true,
      startDate: '2026-05-30',
      endDate: '2026-05-31',
    }
    const path = `/api/v2/access/keys/${id}`
    assert.equal((await house.ask('PUT', path, { body })).status, 204)
    assert.equal((await house.key(id)).status, 'revocationPending')
    house.clock.set(Date.UTC(2026, 5, 3, 10, 10))
    try {
      assert.equal((await house.key(id)).status, 'revocationPending')
      house.clock.set(Date.UTC(2026, 5, 3, 10, 16))
      const row = await until(
        'the end',
        () => house.key(id),
        ({ proof }) => proof !== null,
      )
      assert.deepEqual([row.status, row.proof], ['invalidated', 'validity-over'])
    } finally {
      house.clock.set(Date.UTC(2026, 5, 1, 16))
    }
  })

  it('changes nothing else without a card, and names where one is made', async () => {
    const { id } = await serve(house, '204')
    const body = {
      type: 'key',
      unitName: '204',
      original: true,
      startDate: '2026-06-01',
      endDate: '2026-06-04',
    }
    const changed = await house.ask('PUT', `/api/v2/access/keys/${id}`, { body })
    const moved = await act(id, 'move', { newUnitName: '205' })
    const extended = await act(id, 'extend', { endDate: '2026-06-05' })
    for (const { status, body: said } of [changed, moved, extended]) {
      assert.deepEqual([status, said.errors[0].code], [409, 'card-required'])
      assert.equal(said.errors[0].meta.controllerId, house.controllerId)
    }
    const same = { type: 'key', unitName: '204', original: true, ...dates }
    assert.equal((await house.ask('PUT', `/api/v2/access/keys/${id}`, { body: same })).status, 204)
  })
})

describe('the key of a stay', () => {
  const put = (stay: string, body: object) =>
    house.ask('PUT', `${controller()}/keys/by-reservation/${stay}`, {
      body: { type: 'keyCard', original: true, ...dates, ...body },
    })

  it('leaves no right to the unit before when it is made for another', async () => {
    const first = await put('S-moved', { unitName: '207' })
    assert.equal(first.status, 200, first.text)
    await idle(house)
    const copy = await house.ask('POST', `${controller()}/key`, {
      body: { type: 'keyCard', original: false, externalId: 'S-moved', unitName: '207', ...dates },
    })
    assert.equal(copy.status, 201, copy.text)
    await idle(house)
    const other = await put('S-moved', { unitName: '208' })
    assert.equal(other.status, 200, other.text)
    // He has the card by then.
    await idle(house)
    const left = (await olderKeys()).get('207') ?? []
    assert.deepEqual(
      new Set(left.map(({ keyId, status }) => `${keyId} ${status}`)),
      new Set([first, copy].map(({ body }) => `${body.data.id} revocationPending`)),
    )
    const made = await house.ask('GET', `/api/v2/access/keys/${other.body.data.id}`)
    assert.equal(made.body.data.attributes.status, 'live')
  })

  it('is made once, stays what it is, and is made anew when it is to be something else', async () => {
    const first = await put('S-1', { unitName: '206' })
    assert.equal(first.status, 200, first.text)
    await idle(house)
    const cards = house.lobby.dispenser.taken.length
    const again = await put('S-1', { unitName: '206' })
    assert.deepEqual([again.status, again.body.data.id], [200, first.body.data.id])
    assert.equal(house.lobby.dispenser.taken.length, cards)
    const other = await put('S-1', { unitName: '206', endDate: '2026-06-05' })
    assert.equal(other.status, 200)
    await idle(house)
    assert.notEqual(other.body.data.id, first.body.data.id)
    assert.equal((await house.key(first.body.data.id)).status, 'superseded')
  })

  it('is one, whoever asks at the same time', async () => {
    const both = await Promise.all([put('S-2', { unitName: '207' }), put('S-2', { unitName: '207' })])
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    )
    assert.equal(new Set(both.map(({ body }) => body.data.id)).size, 1)
    await idle(house)
  })

  it('is one for each unit of the stay, and the same request keeps it', async () => {
    const found = (await house.ask('GET', '/api/v2/units?filter[name][like]=21&filter[status]=Inspected'))
      .body.data
    const units = found
      .slice(0, 2)
      .map(({ id, attributes }: { id: string; attributes: { unitTypeId: string } }) => ({
        unitId: id,
        unitTypeId: attributes.unitTypeId,
      }))
    const stay = { ...dates, status: 'InHouse', personCount: { adults: 2 }, units, reservationIds: [] }
    const booked = await house.ask('POST', '/api/v2/reservations', { body: { stays: [stay] } })
    assert.equal(booked.status, 201, booked.text)
    const [{ id }] = booked.body.data.attributes.stays
    const names: string[] = found
      .slice(0, 2)
      .map((each: { attributes: { name: string } }) => each.attributes.name)
    const keys: string[] = []
    for (const unitName of [...names, ...names]) {
      const { status, body, text } = await put(id, { unitName })
      assert.equal(status, 200, text)
      assert.deepEqual([body.data.attributes.unitName, body.data.attributes.status], [unitName, 'live'])
      keys.push(body.data.id)
      await idle(house)
    }
    assert.deepEqual(keys.slice(2), keys.slice(0, 2))
  })

  it('is not that of another stay than the path names', async () => {
    const { status, body } = await put('S-3', { unitName: '208', externalId: 'S-4' })
    assert.deepEqual([status, body.errors[0].code], [400, 'external-id-mismatch'])
  })

  it('is gone when it was taken away, and its stay is not answered with another', async () => {
    const first = await put('S-5', { unitName: '209' })
    await idle(house)
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${first.body.data.id}`)).status, 204)
    const { status, body } = await put('S-5', { unitName: '209' })
    assert.deepEqual([status, body.errors[0].code], [404, 'key-gone'])
  })
})

describe('several cards', () => {
  const batch = (body: object) =>
    house.ask('POST', `${controller()}/keys`, {
      body: { type: 'keyCard', original: true, ...dates, ...body },
    })

  it('are an original and its copies, and all open', async () => {
    const before = house.lobby.dispenser.taken.length
    const { status, body } = await batch({ unitName: '210', quantity: 3 })
    assert.equal(status, 201)
    assert.deepEqual(
      { ...body, keyIds: body.keyIds.length },
      {
        requested: 3,
        succeeded: 3,
        error: null,
        errorCode: null,
        outcomeUnknown: false,
        failedIndex: null,
        keyIds: 3,
      },
    )
    const cards = house.lobby.dispenser.taken.slice(before)
    assert.deepEqual(
      cards.map((card) => house.present(card, '210')),
      ['opened-newer', 'opened', 'opened'],
    )
    const keys = await Promise.all(body.keyIds.map((id: string) => house.key(id)))
    assert.deepEqual(
      keys.map(({ sequence, original }) => [sequence, original]),
      [
        [1, true],
        [2, false],
        [3, false],
      ],
    )
  })

  it('stop at the first that fails', async () => {
    house.lobby.encoder.misbehaviours.push({ at: 'writeBlock', skip: 4, does: 'refuse', code: '0000' })
    const { status, body } = await batch({ unitName: '110', quantity: 3 })
    assert.equal(status, 201)
    assert.deepEqual([body.succeeded, body.failedIndex], [1, 1], JSON.stringify(body))
    assert.match(body.errorCode, /^card-/)
    assert.equal(typeof body.error, 'string')
    house.lobby.encoder.misbehaviours.length = 0
  })

  it('are refused as a whole before the first is touched', async () => {
    assert.equal((await batch({ unitName: '110', quantity: 0 })).status, 422)
    assert.equal((await batch({ unitName: '110' })).status, 422)
    const { status, body } = await batch({ unitName: '110', quantity: 12 })
    assert.deepEqual([status, body.errors?.[0].source.pointer], [422, '/data/attributes/quantity'])
    assert.equal(body.errors[0].meta.maxCopies, 10)
    const unknown = await batch({ unitName: '999', quantity: 2 })
    assert.deepEqual([unknown.status, unknown.body.meta?.errorCode], [502, 'unit-unknown'])
  })
})
