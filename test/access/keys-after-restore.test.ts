import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { restoreCopy, storeCopy } from '../backup/recovery.ts'
import fc from '../seed.ts'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDoors, houseWithDoors, idle, serve, until } from './house-with-doors.ts'
import { houseWithPins } from './house-with-pins.ts'

const nights = { startDate: '2026-06-01', endDate: '2026-06-03' }
const word = { meta: { confirm: true, reason: 'The lamp is repaired.' } }
const opened = /^opened/

interface Served {
  id: string
  card: SimulatedCard
}

interface Restored {
  house: HouseWithDoors
  guests: GuestsOfUnits
  guest: Guest
  /** The guest's card that the backup knows, and the one that the restore has lost. */
  known: Served
  lost: Served
  at: string
}

/** A guest in house has lost a card and was given another one, of which the restored backup knows nothing. */
async function restored(t: TestContext, unitName: string, segments?: object): Promise<Restored> {
  const house = await houseWithDoors()
  t.after(() => house.stop())
  const guests = await guestsOfUnits(house.ask)
  const guest = await guests.booked(unitName, 1, 3)
  await guests.become(guest, 'InHouse')
  const { externalId } = guest
  const known = await serve(house, unitName, { ...nights, externalId })
  assert.match(house.present(known.card, unitName), opened)
  const takenAt = house.clock.now()
  const copy = storeCopy(t, house)
  const lost = await serve(house, unitName, { ...nights, externalId })
  if (!segments) assert.match(house.present(lost.card, unitName), opened)
  await idle(house)
  await restoreCopy(house, copy, () => {
    if (segments)
      writeFileSync(
        join(house.data, 'restored-keys.json'),
        JSON.stringify({ takenAt, until: takenAt, ...segments }),
      )
  })
  await idle(house)
  const at = `/api/v2/access/controllers/${house.controllerId}`
  return { house, guests, guest, known, lost, at }
}

const newest = ({ house }: Restored) => house.lobby.dispenser.taken.at(-1)!

/** Each way to get a card of 201, and the statuses that are right. A card that is handed out opens. */
const ways = {
  original: (r: Restored) => r.house.issue('201', { ...nights, externalId: r.guest.externalId }),
  copy: (r: Restored) => r.house.issue('201', { ...nights, externalId: r.guest.externalId, original: false }),
  'nameless copy': (r: Restored) => r.house.issue('201', { ...nights, original: false }),
  either: (r: Restored) =>
    r.house.issue('201', { ...nights, externalId: r.guest.externalId, original: null }),
  'one-shot key': (r: Restored) =>
    r.house.ask('POST', `${r.at}/one-shot-key`, { body: { unitName: '201', ...word } }),
  spare: (r: Restored) => r.house.ask('POST', `${r.at}/spare-keys`, { body: { units: ['201'], ...word } }),
  'key of the stay': (r: Restored) =>
    r.house.ask('PUT', `${r.at}/keys/by-reservation/${r.guest.externalId}`, {
      body: { type: 'keyCard', unitName: '201', original: true, ...nights },
    }),
} as const
type Way = keyof typeof ways
const isCopy = (way: Way) => way === 'copy' || way === 'nameless copy'

describe('after a restore that has lost a key of the unit', () => {
  for (const way of Object.keys(ways) as Way[])
    it(`the first card, ${way}, ${isCopy(way) ? 'is refused: it would not open' : 'opens'}`, async (t) => {
      const all = await restored(t, '201')
      const answer = await ways[way](all)
      await idle(all.house)
      if (isCopy(way)) {
        const [{ code, detail }] = answer.body.errors
        assert.deepEqual([answer.status, code], [409, 'no-original-key'], answer.text)
        assert.match(detail, /Make a new original\.$/)
        return
      }
      assert.ok([200, 201].includes(answer.status), answer.text)
      assert.notEqual(answer.body.data?.id, all.known.id)
      assert.match(all.house.present(newest(all), '201'), opened)
      assert.equal(all.house.present(all.known.card, '201'), 'superseded')
      assert.equal((await all.house.key(all.known.id)).status, 'superseded')
    })

  it('the guest has a key again: the same request changes nothing, and its copy opens beside it', async (t) => {
    const all = await restored(t, '201')
    const { house, known, lost } = all
    const first = await ways['key of the stay'](all)
    await idle(house)
    const card = newest(all)
    assert.match(house.present(card, '201'), opened)
    const again = await ways['key of the stay'](all)
    assert.deepEqual([again.status, again.body.data.id], [200, first.body.data.id])
    assert.equal((await ways.copy(all)).status, 201)
    await idle(house)
    for (const each of [newest(all), card]) assert.match(house.present(each, '201'), opened)
    for (const each of [known, lost]) assert.equal(house.present(each.card, '201'), 'superseded')
    assert.equal((await house.key(known.id)).status, 'superseded')
  })

  it('cards in any order open when they are handed out, or are refused', async (t) => {
    const order = fc.array(fc.constantFrom(...(Object.keys(ways) as Way[])), { minLength: 6, maxLength: 8 })
    const all = await restored(t, '201')
    for (const way of fc.sample(order, 1)[0]!) {
      const { taken } = all.house.lobby.dispenser
      const before = taken.length
      const answer = await ways[way](all)
      await idle(all.house)
      if (answer.status === 409) assert.ok(isCopy(way), `${way}: ${answer.text}`)
      else assert.ok(answer.status < 300, answer.text)
      if (taken.length > before) assert.match(all.house.present(newest(all), '201'), opened, way)
      else assert.ok(isCopy(way) || way === 'key of the stay', way)
    }
  })

  it('a guest who shares the unit gets a card that opens', async (t) => {
    const house = await houseWithDoors()
    t.after(() => house.stop())
    const guests = await guestsOfUnits(house.ask)
    const host = await guests.booked('203', 1, 3)
    const joining = await guests.booked('204', 1, 3)
    await guests.become(host, 'InHouse')
    const body = { withStayId: host.id }
    assert.equal((await house.ask('POST', `/api/v2/stays/${joining.id}/actions/share`, { body })).status, 200)
    await guests.become(joining, 'InHouse')
    await serve(house, '203', { ...nights, externalId: host.externalId })
    const copy = storeCopy(t, house)
    const lost = await serve(house, '203', { ...nights, externalId: host.externalId })
    assert.match(house.present(lost.card, '203'), opened)
    await restoreCopy(house, copy)
    const theirs = await serve(house, '203', { ...nights, externalId: joining.externalId, ...word })
    const own = await serve(house, '203', { ...nights, externalId: host.externalId })
    for (const { card } of [theirs, own, theirs]) assert.match(house.present(card, '203'), opened)
  })
})

it('keys stay in force after a restore whose segments know all keys', async (t) => {
  const all = await restored(t, '201', { keys: [] })
  const { house, known } = all
  for (const way of ['copy', 'one-shot key', 'spare'] as const) {
    const answer = await ways[way](all)
    await idle(house)
    assert.equal(answer.status, 201, answer.text)
    for (const card of [newest(all), known.card]) assert.match(house.present(card, '201'), opened, way)
  }
  const kept = await ways['key of the stay'](all)
  assert.deepEqual([kept.status, kept.body.data.id], [200, known.id])
})

it('keys are in force again when a person has looked after the unit', async (t) => {
  const all = await restored(t, '201')
  const { body } = await all.house.ask('GET', '/api/config/v1/units-to-check?page[size]=100')
  for (const { id, attributes } of body.data)
    if (attributes.unitName === '201')
      assert.equal((await all.house.ask('DELETE', `/api/config/v1/units-to-check/${id}`)).status, 204)
  assert.equal((await ways.copy(all)).status, 201)
})

it('a key at a lock that units share ends no card of the others after a restore', async (t) => {
  const house = await houseWithDoors()
  t.after(() => house.stop())
  const path = `/api/config/v1/access-providers/${house.providerId}`
  const { unitMapping } = (await house.ask('GET', path)).body.data.attributes
  const others = unitMapping.filter(
    ({ unitName }: { unitName: string }) => !['206', '207'].includes(unitName),
  )
  const beds = ['206', '207'].map((unitName) => ({ unitName, externalCode: '206', shared: true }))
  assert.equal((await house.ask('PATCH', path, { body: { unitMapping: [...others, ...beds] } })).status, 204)
  const guests = await guestsOfUnits(house.ask)
  const [one, two] = [await guests.booked('206', 1, 3), await guests.booked('207', 1, 3)]
  for (const each of [one, two]) await guests.become(each, 'InHouse')
  const first = await serve(house, '206', { ...nights, externalId: one.externalId })
  await restoreCopy(house, storeCopy(t, house))
  const second = await serve(house, '207', { ...nights, externalId: two.externalId })
  const copy = await serve(house, '206', { ...nights, externalId: one.externalId, original: false })
  for (const { card } of [second, copy, first]) assert.match(house.present(card, '206'), opened)
})

it('a PIN is kept after a restore: no newer PIN ends it', async (t) => {
  const house = await houseWithPins()
  t.after(() => house.stop())
  const made = await house.reconcile('guest-of-301')
  assert.ok(made.status < 300, made.text)
  await restoreCopy(house, storeCopy(t, house))
  const again = await house.reconcile('guest-of-301')
  assert.deepEqual([again.status, again.body.data.id], [200, made.body.data.id], again.text)

  // A change from before the backup is not finished for a PIN that may have ended since: the lock system would add it again.
  const { id, attributes } = made.body.data
  house.cloud.misbehaviours.push({ at: 'change', does: 'silence' })
  const longer = await house.ask('POST', `/api/v2/access/keys/${id}/actions/extend`, {
    body: { endDate: '2026-06-05' },
  })
  assert.equal(longer.body.meta.outcomeUnknown, true, longer.text)
  const copy = storeCopy(t, house)
  const ended = async (keyId: string) => {
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${keyId}`)).status, 204)
    await until(
      'the end of the key',
      () => house.key(keyId),
      ({ proof }) => proof === 'lock-acknowledged',
    )
  }
  await ended(id)
  await restoreCopy(house, copy)
  house.clock.advance(60_000)
  // A whole turn of the work at the lock system.
  await ended((await house.make({ unitName: '302' })).body.data.id)
  assert.ok(!house.opens('301', attributes.pin))
  assert.equal((await house.key(id)).mayOpen, true)
})
