import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type LockPc, opening } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { keyMaker } from './key-maker.ts'
import { lockPcDesk } from './lock-pc-desk.ts'
import { sockets } from './sockets.ts'

/** A lock system whose cards open up to four rooms of equal rank. */
let house: TestAppliance
let pc: LockPc
let desk: string
let guests: GuestsOfUnits
const plugs = sockets()

before(async () => {
  house = await startAppliance()
  guests = await guestsOfUnits(house.ask)
  const rooms = ['101', '102', '103', '104', '105', '106', '107', '108', '109', '110', '203', '204']
  const unitMapping = [
    ...rooms.map((name) => ({ unitName: name, externalCode: name })),
    ...['201', '202'].map((unitName) => ({ unitName, externalCode: '111', shared: true })),
  ]
  const provider = { unitMapping, maxExtraUnits: 3 }
  ;({ pc, desk } = await lockPcDesk(house, plugs, { rooms: [...rooms, '111'], provider }))
})
after(async () => {
  await house.stop()
  plugs.close()
})

const confirmed = { confirm: true, reason: 'a test' }

const { make, made, attributes, act } = keyMaker(
  () => house,
  () => desk,
)
const seen = (id: string, unitName?: string) => act(id, 'seen-at-door', unitName ? { unitName } : {})

/** The units of a key that it may open, and the proofs of the others. */
async function doorsOf(id: string): Promise<Record<string, true | string>> {
  const { doors } = await attributes(id)
  return Object.fromEntries(
    doors.map(({ unitName, mayOpen, proof }: { unitName: string; mayOpen: boolean; proof: string }) => [
      unitName,
      mayOpen || proof,
    ]),
  )
}

/** The codes of the remedies for a unit, with the keys that may still open it. */
async function older(unitName: string): Promise<[code: string, keyIds: string[]] | null> {
  const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
  const found = body.data.find((each: Reply['body']) => each.attributes.unitName === unitName)
  if (!found) return null
  const { messages, keys } = found.attributes
  return [messages[0].code, keys.map(({ keyId }: { keyId: string }) => keyId)]
}

describe('a key that opens several units', () => {
  it('loses one of them to a new original there, and stays live for the others', async () => {
    const family = await made('101', { extraUnits: ['102'] })
    const guest = await guests.booked('102', 1, 3)
    await guests.become(guest, 'InHouse')
    const own = await made('102', { externalId: guest.externalId })
    assert.deepEqual(await older('102'), ['open-with-newest', [family]])
    assert.deepEqual(await doorsOf(family), { '101': true, '102': true })
    const { status, body, text } = await seen(own)
    assert.deepEqual([status, body.meta.provenDead], [200, [family]], text)
    assert.deepEqual(await doorsOf(family), { '101': true, '102': 'newer-original-used' })
    assert.equal(await older('102'), null)
    const { status: now, mayOpen, proof } = await attributes(family)
    assert.deepEqual([now, mayOpen, proof], ['live', true, null])
  })

  it('ends the keys of each of them', async () => {
    const single = await made('104')
    const both = await made('103', { extraUnits: ['104'] })
    assert.equal((await attributes(single)).status, 'superseded')
    assert.deepEqual(await older('104'), ['open-with-newest', [single]])
    const { status, body, text } = await seen(both, '104')
    assert.deepEqual([status, body.meta.provenDead], [200, [single]], text)
    const dead = await attributes(single)
    assert.deepEqual([dead.status, dead.mayOpen, dead.proof], ['superseded', false, 'newer-original-used'])
  })

  it('is dead when the last of its doors is closed', async () => {
    const former = await made('105', { extraUnits: ['106'] })
    const next = await made('105')
    assert.equal((await attributes(former)).status, 'superseded')
    assert.equal((await seen(next)).status, 200)
    const half = await attributes(former)
    assert.deepEqual([half.status, half.mayOpen, half.proof], ['superseded', true, null])
    assert.deepEqual(await doorsOf(former), { '105': 'newer-original-used', '106': true })
    assert.equal(await older('105'), null)
    assert.deepEqual(await older('106'), ['erase-or-renew', [former]])
    const last = await made('106')
    assert.deepEqual(await older('106'), ['open-with-newest', [former]])
    assert.equal((await seen(last)).status, 200)
    const dead = await attributes(former)
    assert.deepEqual([dead.status, dead.mayOpen, dead.proof], ['superseded', false, 'newer-original-used'])
    assert.equal(await older('106'), null)
  })

  it('is revoked only when the last of its doors is closed', async () => {
    const guest = await guests.booked('107', 1, 3)
    const revoked = await made('107', { externalId: guest.externalId, extraUnits: ['108'] })
    await guests.become(guest, 'Canceled')
    assert.equal((await attributes(revoked)).status, 'revocationPending')
    assert.equal((await seen(await made('107'))).status, 200)
    assert.deepEqual(
      [(await attributes(revoked)).status, await doorsOf(revoked)],
      ['revocationPending', { '107': 'newer-original-used', '108': true }],
    )
    assert.equal((await seen(await made('108'))).status, 200)
    const { status, mayOpen } = await attributes(revoked)
    assert.deepEqual([status, mayOpen], ['invalidated', false])
  })

  it('has its unit back where the newer key was never made', async () => {
    const family = await made('109', { extraUnits: ['110'] })
    pc.misbehaviours.push({ at: 'CN', does: 'refuse', code: 'TD' })
    const failed = await make('110')
    assert.equal(failed.status, 502, failed.text)
    assert.equal(await older('110'), null)
    assert.deepEqual(await doorsOf(family), { '109': true, '110': true })
    assert.equal((await seen(family, '110')).status, 200)
  })

  it('is a copy with the number in force at each unit, so that its use ends no card of equal rank', async () => {
    const family = await made('104', { extraUnits: ['105'] })
    pc.misbehaviours.push({ at: 'CN', does: 'refuse', code: 'TD' })
    assert.equal((await make('105')).status, 502)
    await made('106')
    const copy = await made('106', { original: false, extraUnits: ['105'] })
    const { status, body, text } = await seen(copy, '105')
    assert.deepEqual([status, body.meta.provenDead.includes(family)], [200, false], text)
    assert.deepEqual(await doorsOf(family), { '104': true, '105': true })
  })

  it('has ended the key of one of them, which stays ended when its stay goes on', async () => {
    const guest = await guests.booked('107', 1, 3)
    const own = await made('107', { externalId: guest.externalId })
    pc.misbehaviours.push({ at: 'RC', does: 'silence' })
    await guests.become(guest, 'Canceled')
    await made('108', { extraUnits: ['107'] })
    await guests.become(guest, 'Confirmed')
    assert.equal((await attributes(own)).status, 'superseded')
  })

  it('was used only at a door that it opens', async () => {
    const key = await made('109')
    const { status, body, text } = await seen(key, '110')
    assert.deepEqual(
      [status, body.errors[0].code, body.errors[0].source.pointer, body.errors[0].meta.allowed],
      [422, 'validation-failed', '/data/attributes/unitName', ['109']],
      text,
    )
  })
})

describe('the keys of a shared lock', () => {
  it('are for its lock system a first key, and others beside it', async () => {
    const keys = [await made('201'), await made('202')]
    const uids = await Promise.all(keys.map(async (id) => (await attributes(id)).uid))
    assert.deepEqual(opening(pc, '111', '202606021200').toSorted(), uids.toSorted())
    for (const id of keys) assert.equal((await attributes(id)).status, 'live')
  })
})

describe('a key that has ended a door of another', () => {
  it('is deleted with its reservation when both are over', async () => {
    const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const body = { recordDays: 365 }
    assert.equal((await house.ask('PATCH', `/api/config/v1/settings/${settings.id}`, { body })).status, 204)
    const [first, second] = [await guests.booked('204', 1, 3), await guests.booked('203', 1, 3)]
    await made('203', { externalId: second.externalId, extraUnits: ['204'], meta: confirmed })
    await made('204', { externalId: first.externalId, meta: confirmed })
    for (const guest of [first, second]) await guests.become(guest, 'Canceled')
    house.clock.advance(5 * 86_400_000)
    await house.restart()
    await passTime(60_000)
    house.clock.advance(400 * 86_400_000)
    await house.restart()
    await passTime(20_000)
    for (const { reservation } of [first, second])
      assert.equal((await house.ask('GET', reservation)).status, 404)
  })
})
