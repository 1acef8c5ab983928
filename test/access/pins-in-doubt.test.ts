import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins

before(async () => {
  house = await houseWithPins()
})
afterEach(async () => {
  house.cloud.misbehaviours.length = 0
  const { body } = await house.ask('GET', '/api/v2/access/keys?filter[mayOpen]=true&page[size]=100')
  for (const { id } of body.data) await house.ask('DELETE', `/api/v2/access/keys/${id}`)
  house.clock.advance(40_000)
  await until('the end of all keys', older, (units) => units.length === 0)
  house.clock.set(Date.UTC(2026, 5, 1, 16))
})
after(() => house.stop())

let numbered = 0
const newStay = () => `DOUBT-${++numbered}`
const verb = (id: string, name: string, body = {}) =>
  house.ask('POST', `/api/v2/access/keys/${id}/actions/${name}`, { body })
const older = async () => (await house.ask('GET', '/api/v2/access/units-with-older-keys')).body.data
const revocations = () => house.cloud.asked.filter(({ call }) => call.startsWith('delete')).length

/** A PIN is asked for, and nobody knows what became of it. */
function lose(): void {
  house.cloud.misbehaviours.push(
    { at: 'add', does: 'late' },
    { at: 'listPasscodes', does: 'refuse', code: 'http500' },
  )
}

/** A whole turn of what goes after keys has passed: another key was revoked meanwhile. */
async function aTurnLater(): Promise<void> {
  const { body } = await house.make({ unitName: '302', endDate: '2026-06-02' })
  assert.equal(body.data.attributes.status, 'live')
  await house.ask('DELETE', `/api/v2/access/keys/${body.data.id}`)
  await until(
    'a revocation',
    () => house.key(body.data.id),
    ({ proof }) => proof === 'lock-acknowledged',
  )
}

describe('a PIN whose newer one is in doubt', () => {
  it('opens until that is made, and again when it was not', async () => {
    const { body } = await house.make({ externalId: newStay() })
    const { id, attributes } = body.data
    house.cloud.misbehaviours.push({ at: 'add', does: 'silence' })
    const again = await verb(id, 'reencode')
    assert.deepEqual([again.status, again.body.meta.outcomeUnknown], [502, true])
    assert.equal((await house.key(id)).status, 'superseded')
    await aTurnLater()
    assert.ok(house.opens('301', attributes.pin))
    house.clock.advance(40_000)
    const row = await until(
      'the older key',
      () => house.key(id),
      ({ status }) => status === 'live',
    )
    assert.deepEqual([row.proof, row.mayOpen], [null, true])
    assert.ok(house.opens('301', attributes.pin))
  })
})

describe('a change of which nobody knows the outcome', () => {
  it('leaves the key in both windows, so that it is not called over while it opens', async () => {
    const { body } = await house.make({ externalId: newStay(), endDate: '2026-06-02' })
    const { id, attributes } = body.data
    house.cloud.misbehaviours.push({ at: 'change', does: 'late' })
    const longer = await verb(id, 'extend', { endDate: '2026-06-05' })
    assert.deepEqual([longer.status, longer.body.meta.outcomeUnknown], [502, true])
    const row = await house.key(id)
    assert.deepEqual([row.endDate, row.validUntil], ['2026-06-02', '2026-06-05T10:00:00.000Z'])
    assert.ok(house.opens('301', attributes.pin, Date.UTC(2026, 5, 4)))
    const shorter = await verb(id, 'extend', { endDate: '2026-06-02' })
    assert.deepEqual([shorter.status, shorter.body.data.attributes.validUntil], [200, attributes.validUntil])
    assert.ok(!house.opens('301', attributes.pin, Date.UTC(2026, 5, 4)))
  })

  it('leaves it as it was when the lock system has refused it', async () => {
    const { body } = await house.make({ externalId: newStay(), endDate: '2026-06-02' })
    const { id, attributes } = body.data
    house.cloud.misbehaviours.push({ at: 'change', does: 'refuse', code: '-3002' })
    assert.equal((await verb(id, 'extend', { endDate: '2026-06-05' })).status, 502)
    assert.equal((await house.key(id)).validUntil, attributes.validUntil)
  })
})

describe('a PIN in doubt that is revoked', () => {
  it('is not taken away before what makes it can have reached the lock', async () => {
    house.cloud.misbehaviours.push({ at: 'add', does: 'silence' })
    const lost = await house.make({ externalId: newStay() })
    const { keyId } = lost.body.errors[0].meta
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${keyId}`)).status, 204)
    const before = revocations()
    await aTurnLater()
    assert.equal(revocations(), before + 1)
    const { status, mayOpen } = await house.key(keyId)
    assert.deepEqual([status, mayOpen], ['revocationPending', true])
    house.clock.advance(40_000)
    const row = await until(
      'the proof',
      () => house.key(keyId),
      ({ proof }) => proof === 'lock-acknowledged',
    )
    assert.equal(row.status, 'removed')
  })
})

describe('a stay that has moved', () => {
  it('opens its former room no more, however the move was answered', async () => {
    const externalId = newStay()
    const { body } = await house.make({ externalId })
    const copy = await house.make({ externalId, original: false })
    const { id, attributes } = body.data
    lose()
    assert.equal((await verb(id, 'move', { newUnitName: '302' })).status, 502)
    const moved = await house.reconcile(externalId, { unitName: '302' })
    assert.deepEqual([moved.status, moved.body.data.attributes.pin], [200, attributes.pin])
    for (const each of [body.data, copy.body.data]) {
      await until(
        'the former room',
        () => house.opens('301', each.attributes.pin),
        (open) => !open,
      )
      await until(
        'the proof',
        () => house.key(each.id),
        ({ proof }) => proof === 'lock-acknowledged',
      )
    }
    assert.ok(house.opens('302', attributes.pin))
  })
})

describe('a stay', () => {
  it('has one PIN, by its id and by its externalId', async () => {
    const list = await house.ask('GET', '/api/v2/reservations?page[size]=1&filter[status]=Confirmed')
    const [stay] = list.body.data[0].attributes.stays
    const one = await house.reconcile(encodeURIComponent(stay.externalId))
    const other = await house.reconcile(stay.id)
    assert.deepEqual([one.status, other.status], [200, 200])
    assert.deepEqual(
      [other.body.data.id, other.body.data.attributes.pin],
      [one.body.data.id, one.body.data.attributes.pin],
    )
  })

  it('gets another PIN when the lock has the first for somebody else, and nobody was told it', async () => {
    const externalId = newStay()
    for (const _ of [1, 2, 3]) house.cloud.misbehaviours.push({ at: 'add', does: 'refuse', code: '-3007' })
    assert.equal((await house.make({ externalId })).body.meta.errorCode, 'pin-unavailable')
    const refused = house.cloud.asked.filter(({ call }) => call === 'add').at(-1)!.fields.keyboardPwd
    const made = await house.make({ externalId })
    assert.equal(made.status, 201)
    assert.notEqual(made.body.data.attributes.pin, refused)
  })
})

describe('keys that are due', () => {
  it('do not wait behind others that have no unit yet', async () => {
    const dates = { startDate: '2026-06-10', endDate: '2026-06-12' }
    for (let left = 55; left > 0; left--)
      await house.make({ ...dates, externalId: newStay(), unitName: undefined })
    const { body } = await house.make({ ...dates, externalId: newStay() })
    const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const path = `/api/config/v1/settings/${settings.id}`
    await house.ask('PATCH', path, { body: { autoMaterialize: true } })
    try {
      house.clock.set(Date.UTC(2026, 5, 9, 8))
      await until(
        'the key',
        () => house.key(body.data.id),
        ({ status }) => status === 'live',
      )
    } finally {
      await house.ask('PATCH', path, { body: { autoMaterialize: false } })
    }
  })
})
