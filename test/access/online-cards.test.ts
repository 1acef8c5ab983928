import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { LockPc } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { guestsOfUnits } from './guests-of-units.ts'
import { until } from './house-with-doors.ts'
import { lockPcDesk } from './lock-pc-desk.ts'
import { sockets } from './sockets.ts'

let house: TestAppliance
let pc: LockPc
let desk: string
let kiosk: string
let dispenserId: string
const plugs = sockets()

before(async () => {
  house = await startAppliance()
  const rooms = ['101', '102', '103', '104', '105', '106', '107', '108']
  const provider = { maxExtraUnits: 3 }
  const found = await lockPcDesk(house, plugs, { rooms, encoders: [1, 2], provider })
  ;({ pc, desk } = found)
  const lobby = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data[0]
  dispenserId = lobby.attributes.dispenserId ?? lobby.relationships?.dispenser?.data?.id
  const release = { body: { dispenserId: null, kind: 'encoder' } }
  const freed = await house.ask('PATCH', `/api/config/v1/access-controllers/${lobby.id}`, release)
  assert.equal(freed.status, 204, freed.text)
  kiosk = await found.create('access-controllers', {
    name: 'Kiosk',
    providerId: found.providerId,
    kind: 'dispenser-encoder',
    keyType: 'keyCard',
    timeoutMs: 4_000,
    externalCode: '2',
    dispenserId,
  })
})
beforeEach(() => {
  pc.misbehaviours.length = 0
})
after(async () => {
  await house.stop()
  plugs.close()
})

it('an encoder cannot have the number of another with zeros before it', async () => {
  const [own, other] = [desk, kiosk].map((id) => `/api/config/v1/access-controllers/${id}`) as [
    string,
    string,
  ]
  const { providerId } = (await house.ask('GET', own)).body.data.attributes
  const body = { name: 'Bar', providerId, kind: 'encoder', keyType: 'keyCard', externalCode: '001' }
  const made = await house.ask('POST', '/api/config/v1/access-controllers', { body })
  assert.equal(made.status, 422, made.text)
  assert.equal(made.body.errors[0].source.pointer, '/data/attributes/externalCode')
  assert.match(made.body.errors[0].detail, /Desk has the encoder 1\. .*zeros/)
  const changed = await house.ask('PATCH', other, { body: { externalCode: '01' } })
  assert.equal(changed.status, 422, changed.text)
  const kept = await house.ask('PATCH', own, { body: { externalCode: '1' } })
  assert.equal(kept.status, 204, kept.text)
})

const window = { startDate: '2026-06-01', endDate: '2026-06-03' }
const make = (at: string, unitName: string, more: object = {}) =>
  house.ask('POST', `/api/v2/access/controllers/${at}/key`, {
    body: { type: 'keyCard', original: true, ...window, unitName, ...more },
  })
const keyOf = async (id: string) => (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
/** The rooms that the card of this serial number opens, as the lock PC made it. */
const holds = (uid: string) => pc.cards.get(uid)?.holds?.rooms.map(({ name }) => name)

describe('a unit of a guest who is in house', () => {
  it('is no extra unit of another card', async () => {
    const guests = await guestsOfUnits(house.ask)
    const guest = await guests.booked('107', 1, 3)
    await guests.become(guest, 'InHouse')
    const refused = await make(desk, '106', { extraUnits: ['107'] })
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'unit-occupied'], refused.text)
    assert.equal(refused.body.errors[0].source.pointer, '/data/attributes/extraUnits')
    const own = await make(desk, '107', { externalId: guest.externalId })
    assert.equal(own.status, 201, own.text)
    await guests.become(guest, 'CheckedOut')
  })

  it('is not left with a card that was written while the guest checked in', async () => {
    const guests = await guestsOfUnits(house.ask)
    const guest = await guests.booked('106', 1, 3)
    pc.instead.push((send) => void guests.become(guest, 'InHouse').then(send))
    const answer = await make(desk, '106')
    assert.deepEqual([answer.status, answer.body.errors?.[0].code], [409, 'unit-occupied'], answer.text)
    const { outcomeUnknown, keyId } = answer.body.errors[0].meta
    assert.equal(outcomeUnknown, true)
    // Only the card itself can end it: the page of cards that may still open lists it.
    const { status, mayOpen } = await keyOf(keyId)
    assert.deepEqual([status, mayOpen], ['revocationPending', true])
    await guests.become(guest, 'CheckedOut')
  })
})

describe('a spare at a lock system that knows none', () => {
  it('is not made for a unit with a live key, whose end it would be, unless that is confirmed', async () => {
    const guest = await make(desk, '108')
    assert.equal(guest.status, 201, guest.text)
    const spare = (confirm: boolean) =>
      house.ask('POST', `/api/v2/access/controllers/${desk}/spare-keys`, {
        body: { units: ['108'], ...(confirm && { meta: { confirm } }) },
      })
    const refused = await spare(false)
    assert.deepEqual([refused.status, refused.body.errors?.[0].code], [409, 'unit-occupied'], refused.text)
    assert.equal(refused.body.errors[0].meta.keyId, guest.body.data.id)
    assert.equal((await spare(true)).body.succeeded, 1)
    assert.equal((await keyOf(guest.body.data.id)).status, 'live')
  })
})

describe('a card that the lock system writes', () => {
  it('is a key with the serial number that the lock system told', async () => {
    const { status, body, text } = await make(desk, '101')
    assert.equal(status, 201, text)
    const { uid, verified, mayOpen } = body.data.attributes
    assert.deepEqual(
      [holds(uid), body.data.attributes.status, verified, mayOpen],
      [['101'], 'live', false, true],
    )
    assert.equal(pc.cards.get(uid)!.holds!.expiry.slice(0, 8), '20260603')
  })

  it('opens the extra units that the provider allows', async () => {
    const { body } = await make(desk, '102', { extraUnits: ['103'] })
    assert.deepEqual(holds(body.data.attributes.uid), ['102', '103'])
    const many = await make(desk, '102', { extraUnits: ['103', '104', '105', '106'] })
    assert.deepEqual([many.status, many.body.errors[0].code], [422, 'too-many-extra-units'])
  })

  it('is copied', async () => {
    const { body } = await make(desk, '101', { original: false })
    assert.deepEqual(
      [body.data.attributes.sequence, pc.cards.get(body.data.attributes.uid)!.holds!.copy],
      [2, 1],
    )
  })

  it('is read by the lock system', async () => {
    const made = await make(desk, '104')
    const { status, body, text } = await house.ask('GET', `/api/v2/access/controllers/${desk}/key`)
    assert.equal(status, 200, text)
    assert.equal(body.meta.card.decodedUnitName, '104')
    assert.equal(body.meta.card.uid, made.body.data.attributes.uid)
  })

  it('is written to a card from the dispenser, read back, and presented', async () => {
    const before = house.lobby.dispenser.taken.length
    const { status, body, text } = await make(kiosk, '105')
    assert.equal(status, 201, text)
    assert.equal(body.data.attributes.verified, true)
    await until(
      'the guest',
      () => house.lobby.dispenser.taken.length,
      (taken) => taken === before + 1,
    )
    await until(
      'a dispenser that waits for nobody',
      () => house.ask('GET', `/api/v2/access/dispensers/${dispenserId}/status`),
      ({ body }) => body.data.attributes.guestWaiting === null,
    )
  })
})

describe('what goes wrong at the lock system', () => {
  const rows: [name: string, code: string, errorCode: string, outcomeUnknown: boolean, status: string][] = [
    ['an unknown room', 'TD', 'unit-unknown', false, 'failed'],
    ['an encoder that is away', 'NC', 'encoder-offline', false, 'failed'],
    ['a busy encoder', 'EB', 'encoder-busy', false, 'failed'],
    ['a code that nobody knows', 'QQ', 'vendor-error', true, 'unknown'],
  ]
  for (const [name, code, errorCode, outcomeUnknown, status] of rows) {
    it(`${name}: ${errorCode}`, async () => {
      pc.misbehaviours.push({ at: 'CN', does: 'refuse', code })
      const { status: answered, body, text } = await make(desk, '106')
      assert.equal(answered, 502, text)
      assert.deepEqual([body.meta.errorCode, body.meta.outcomeUnknown], [errorCode, outcomeUnknown])
      assert.equal((await keyOf(body.errors[0].meta.keyId)).status, status)
      if (outcomeUnknown) assert.equal(body.errors[0].meta.vendorCode, code)
    })
  }

  it('a line that is cut after the request leaves a doubt; the stay’s request again ends in one living key', async () => {
    pc.misbehaviours.push({ at: 'CN', does: 'close' })
    const put = () =>
      house.ask('PUT', `/api/v2/access/controllers/${desk}/keys/by-reservation/ONLINE-1`, {
        body: { type: 'keyCard', original: true, ...window, unitName: '107' },
      })
    const lost = await put()
    assert.deepEqual([lost.status, lost.body.meta?.outcomeUnknown], [502, true], lost.text)
    const made = await until('the line', put, ({ status }) => status === 200)
    const again = await put()
    assert.equal(again.body.data.id, made.body.data.id)
    const { body } = await house.ask(
      'GET',
      '/api/v2/access/keys?filter[externalId]=ONLINE-1&filter[status]=live',
    )
    assert.equal(body.data.length, 1)
  })

  it('a card in the dispenser of which nobody knows what it holds is captured, and its key blocked', async () => {
    const { bin } = house.lobby.dispenser
    const before = bin.length
    pc.misbehaviours.push({ at: 'CN', does: 'close' })
    const lost = await make(kiosk, '106')
    assert.deepEqual([lost.status, lost.body.meta?.outcomeUnknown], [502, true], lost.text)
    const { keyId } = lost.body.errors[0].meta
    const row = await until(
      'the end of the card',
      () => keyOf(keyId),
      ({ status }) => status === 'blocked',
    )
    assert.equal(bin.length, before + 1)
    assert.equal(row.mayOpen, true)
  })
})

describe('a key that is taken away', () => {
  it('is taken out of the books, and not reported dead: the lock did not hear of it', async () => {
    const made = await make(desk, '108')
    const { id } = made.body.data
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    await until(
      'the check-out',
      () => pc.requests.at(-1),
      (said) => said?.startsWith('CO') === true,
    )
    const { status, mayOpen, proof } = await keyOf(id)
    assert.deepEqual([status, mayOpen, proof], ['revocationPending', true, null])
  })

  it('takes no other guest’s room along', async () => {
    const shared = await make(desk, '104', { extraUnits: ['105'] })
    await make(desk, '105')
    const asked = pc.requests.length
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${shared.body.data.id}`)).status, 204)
    house.clock.advance(5_000)
    await passTime(2_500)
    assert.ok(!pc.requests.slice(asked).includes('CO|0|105'), pc.requests.slice(asked).join())
  })
})
