import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { tokenOf } from '../token-of.ts'
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
const revocations = () => house.cloud.requests.filter(({ call }) => call.startsWith('delete')).length

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

describe('a PIN that its guest has never used', () => {
  const neverUsed = { at: 'change', does: 'refuse', code: '-3008' } as const

  it('is extended with the same digits', async () => {
    const { body } = await house.make({ externalId: newStay(), endDate: '2026-06-02' })
    const { id, attributes } = body.data
    house.cloud.misbehaviours.push(neverUsed)
    const longer = await verb(id, 'extend', { endDate: '2026-06-05' })
    assert.equal(longer.status, 200, longer.text)
    assert.ok(house.opens('301', attributes.pin, Date.UTC(2026, 5, 4)))
  })

  it('is added again by itself where the lock could not be reached in between', async () => {
    const { body } = await house.make({ externalId: newStay(), endDate: '2026-06-02' })
    const { id, attributes } = body.data
    house.cloud.misbehaviours.push(neverUsed, { at: 'add', does: 'refuse', code: '-3002' })
    const longer = await verb(id, 'extend', { endDate: '2026-06-05' })
    assert.deepEqual([longer.status, longer.body.meta.outcomeUnknown], [502, true], longer.text)
    house.clock.advance(60_000)
    await until(
      'the PIN',
      () => house.opens('301', attributes.pin, Date.UTC(2026, 5, 4)),
      (open) => open,
    )
    await until(
      'the end of the change',
      () => house.key(id),
      ({ pendingChange }) => pendingChange === null,
    )
    assert.equal((await house.key(id)).endDate, '2026-06-05')
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
    const refused = house.cloud.requests.filter(({ call }) => call === 'add').at(-1)!.fields.keyboardPwd
    const made = await house.make({ externalId })
    assert.equal(made.status, 201)
    assert.notEqual(made.body.data.attributes.pin, refused)
  })
})

describe('two changes of one key that was seen once', () => {
  it('are one change, and a refusal', async () => {
    const externalId = newStay()
    const { body } = await house.make({ externalId })
    const seen = (await house.ask('GET', `/api/v2/access/keys/${body.data.id}`)).headers.get('etag')!
    const path = `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${externalId}`
    const put = (endDate: string) =>
      house.ask('PUT', path, {
        headers: { 'If-Match': seen },
        body: { type: 'pinCode', unitName: '301', original: true, startDate: '2026-06-01', endDate },
      })
    const answers = await Promise.all([put('2026-06-04'), put('2026-06-05')])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412])
  })
})

describe('the unit of a guest who is in house', () => {
  it('is not opened by a PIN whose window is pulled forward, nor by a kiosk', async () => {
    const { unitName, externalId, endDate } = await inHouse(1004)
    const { body } = await house.ask('GET', `/api/config/v1/access-providers/${house.providerId}`)
    const mapping: { unitName: string; externalCode: string }[] = body.data.attributes.unitMapping
    const unitMapping = mapping.map((each) => (each.unitName === '302' ? { ...each, unitName } : each))
    const provider = `/api/config/v1/access-providers/${house.providerId}`
    await house.ask('PATCH', provider, { body: { unitMapping } })
    assert.equal((await house.make({ externalId, unitName })).status, 201)
    const next = newStay()
    const dates = { startDate: endDate, endDate: '2026-06-20' }
    const later = await house.reconcile(next, { unitName, ...dates })
    assert.equal(later.status, 200, later.text)
    const { id, attributes } = later.body.data
    const early = { type: 'key', unitName, original: true, startDate: '2026-06-01', endDate: '2026-06-20' }
    for (const answer of [
      await house.reconcile(next, early),
      await house.ask('PUT', `/api/v2/access/keys/${id}`, { body: early }),
    ])
      assert.deepEqual([answer.status, answer.body.errors[0].code], [409, 'unit-occupied'])
    assert.ok(!house.opens('302', attributes.pin))

    const token = await tokenOf(house.ask, 'kiosk')
    const kiosks = await house.make({ externalId, unitName, extraUnits: ['302'] }, { token })
    assert.deepEqual([kiosks.status, kiosks.body.errors[0].code], [403, 'kiosk-scope'])
    await house.ask('PATCH', provider, { body: { unitMapping: mapping } })
  })
})

describe('a key that is blocked while it is looked for', () => {
  it('stays blocked, and is taken away', async () => {
    const externalId = newStay()
    house.cloud.misbehaviours.push({ at: 'add', does: 'silence' })
    const lost = await house.make({ externalId })
    const { keyId } = lost.body.errors[0].meta
    house.cloud.misbehaviours.push({ at: 'add', does: 'pass', code: 'held' })
    const looking = house.reconcile(externalId)
    await until(
      'the second asking',
      () => house.cloud.held.length,
      (held) => held === 1,
    )
    assert.equal((await verb(keyId, 'block')).status, 200)
    for (const release of house.cloud.held.splice(0)) release()
    const looked = await looking
    assert.deepEqual([looked.status, looked.body.errors[0].code], [409, 'stay-status-transition'])
    const { status, mayOpen } = await house.key(keyId)
    assert.deepEqual([status, mayOpen], ['blocked', true])
  })
})

describe('digits that another key has later', () => {
  const later = { startDate: '2026-06-08', endDate: '2026-06-10' }
  const conflict = async (id: string, longer: object) => {
    const { status, body } = await verb(id, 'extend', longer)
    assert.deepEqual(
      [status, body.meta?.errorCode, body.meta?.outcomeUnknown],
      [502, 'pin-unavailable', false],
    )
  }

  it('are not kept into its window, and nothing is told to the lock', async () => {
    const { body } = await house.make({ externalId: newStay() })
    const { id, attributes } = body.data
    const other = await house.make({ externalId: newStay(), ...later })
    sharePin(id, other.body.data.id)
    const told = house.told()
    await conflict(id, { endDate: '2026-06-09' })
    assert.equal(house.told(), told)
    const { status, validUntil } = await house.key(id)
    assert.deepEqual([status, validUntil], ['live', attributes.validUntil])
    assert.equal((await verb(id, 'extend', { endDate: '2026-06-07' })).status, 200)
  })

  it('are not kept by a held key either', async () => {
    const { body } = await house.make({ externalId: newStay(), ...later })
    const other = await house.make({ externalId: newStay(), startDate: '2026-06-20', endDate: '2026-06-22' })
    sharePin(body.data.id, other.body.data.id)
    await conflict(body.data.id, { endDate: '2026-06-21' })
    assert.equal((await house.key(body.data.id)).endDate, later.endDate)
  })

  it('are not those of a stay whose key was over before', async () => {
    const externalId = newStay()
    const { body } = await house.make({ externalId, endDate: '2026-06-02' })
    const other = await house.make({ externalId: newStay(), ...later })
    house.clock.set(Date.UTC(2026, 5, 4, 16))
    await until(
      'the end',
      () => house.key(body.data.id),
      ({ status }) => status === 'expired',
    )
    sharePin(body.data.id, other.body.data.id)
    const again = await house.reconcile(externalId, { endDate: '2026-06-09' })
    assert.equal(again.status, 200, again.text)
    assert.notEqual(again.body.data.attributes.pin, body.data.attributes.pin)
  })
})

describe('a clock that was ahead', () => {
  it('has ended no key once it is set back', async () => {
    const externalId = newStay()
    const { body } = await house.make({ externalId })
    const { id, attributes } = body.data
    house.clock.set(Date.UTC(2026, 5, 10))
    await until(
      'the end',
      () => house.key(id),
      ({ status }) => status === 'expired',
    )
    house.clock.set(Date.UTC(2026, 5, 1, 16))
    const row = await until(
      'the key',
      () => house.key(id),
      ({ status }) => status === 'live',
    )
    assert.deepEqual([row.proof, row.mayOpen], [null, true])
    assert.equal((await house.reconcile(externalId)).body.data.attributes.pin, attributes.pin)
  })
})

describe('a PIN whose seal does not open', () => {
  it('is not shown, is in no way of others, and is taken away', async () => {
    const { body } = await house.make({ externalId: newStay() })
    const { id, attributes } = body.data
    const file = new Database(join(house.data, 'nightporter.db'))
    file
      .prepare('UPDATE key SET pinSealed = ? WHERE pin = ?')
      .run(`v1.${'A'.repeat(60)}`, shownOf(attributes))
    file.close()
    const list = await house.ask('GET', '/api/v2/access/keys?filter[status]=live')
    assert.equal(list.body.data[0].attributes.pin, shownOf(attributes))
    await house.ask('DELETE', `/api/v2/access/keys/${id}`)
    await until(
      'the proof',
      () => house.key(id),
      ({ proof }) => proof === 'lock-acknowledged',
    )
    assert.ok(!house.opens('301', attributes.pin))
  })
})

describe('keys that are due', () => {
  it('do not wait behind others that have no unit yet', async () => {
    const dates = { startDate: '2026-06-10', endDate: '2026-06-12' }
    for (let left = 55; left > 0; left--)
      await house.make({ ...dates, externalId: newStay(), unitName: undefined })
    const { body } = await house.make({ ...dates, externalId: newStay() })
    await materialising(async () => {
      house.clock.set(Date.UTC(2026, 5, 9, 8))
      await until(
        'the key',
        () => house.key(body.data.id),
        ({ status }) => status === 'live',
      )
    })
  })

  it('are written to the unit that their stay has, and not to one that is not theirs any more', async () => {
    const dates = { startDate: '2026-06-10', endDate: '2026-06-12' }
    const { externalId, unitName } = await inHouse(1003)
    assert.equal(unitName, '301')
    const elsewhere = '302'
    const moved = await house.make({ ...dates, externalId, unitName: elsewhere })
    const other = await house.make({ ...dates, externalId: newStay(), unitName: elsewhere })
    await materialising(async () => {
      house.clock.set(Date.UTC(2026, 5, 9, 8))
      await until(
        'a later key',
        () => house.key(other.body.data.id),
        ({ status }) => status === 'live',
      )
    })
    const { status, unitName: now } = await house.key(moved.body.data.id)
    assert.deepEqual([status, now], ['live', unitName])
  })
})

/** As if chance had given both keys the PIN of the first. */
function sharePin(one: string, other: string): void {
  const file = new Database(join(house.data, 'nightporter.db'))
  const from = (name: string) => `${name} = (SELECT ${name} FROM key WHERE id = @one)`
  const set = ['pin', 'pinSealed', 'pinMark'].map(from)
  const { changes } = file
    .prepare(`UPDATE key SET ${set} WHERE id = @other`)
    .run({ one: blobOf(one), other: blobOf(other) })
  file.close()
  assert.equal(changes, 1)
}

const blobOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

const shownOf = ({ pin }: { pin: string }) => `****${pin.slice(-2)}`

/** The guest of an arrival of today, in house with a unit. */
async function inHouse(number: number) {
  const found = await house.ask('GET', `/api/v2/reservations?filter[reservationIds.searchForm]=NP-${number}`)
  const [reservation] = found.body.data
  const [stay] = reservation.attributes.stays
  const path = `/api/v2/reservations/${reservation.id}/stays/${stay.id}`
  const assigned = await house.ask('POST', `${path}/unit-assignment`)
  assert.equal((await house.ask('PATCH', path, { body: { status: 'InHouse' } })).status, 204)
  const [{ unitName }] = assigned.body.data.attributes.units
  return { unitName: String(unitName), externalId: String(stay.externalId), endDate: String(stay.endDate) }
}

/** Lets the box write what is due by itself, for a while. */
async function materialising(work: () => Promise<void>): Promise<void> {
  const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  const path = `/api/config/v1/settings/${settings.id}`
  await house.ask('PATCH', path, { body: { autoMaterialize: true } })
  try {
    await work()
  } finally {
    await house.ask('PATCH', path, { body: { autoMaterialize: false } })
  }
}
