import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { firstCard, type HouseWithDoors, houseWithDoors, idle, serve } from './house-with-doors.ts'

let house: HouseWithDoors
let guests: GuestsOfUnits
let provider: string

before(async () => {
  house = await houseWithDoors()
  guests = await guestsOfUnits(house.ask)
  provider = `/api/config/v1/access-providers/${house.providerId}`
})
beforeEach(() => idle(house))
after(() => house.stop())

interface Mapping {
  unitName: string
  externalCode: string
  shared?: boolean
}

const mapping = async (): Promise<Mapping[]> =>
  (await house.ask('GET', provider)).body.data.attributes.unitMapping
const patch = (unitMapping: Mapping[]) => house.ask('PATCH', provider, { body: { unitMapping } })
const without = async (...names: string[]) =>
  (await mapping()).filter(({ unitName }) => !names.includes(unitName))
const place = async (unitName: string) => (await mapping()).findIndex((each) => each.unitName === unitName)

/** As a release stored it that did not refuse it. */
const storedBefore = (unitMapping: Mapping[]) =>
  stored('UPDATE access_provider SET unitMapping = ?', JSON.stringify(unitMapping))

async function stored(sql: string, ...values: string[]): Promise<void> {
  const db = new Database(join(house.data, 'nightporter.db'))
  db.prepare(sql).run(...values)
  db.close()
  await house.restart()
}

describe('the lock of a unit', () => {
  it('is not the lock of another: a card for one would open the other', async () => {
    const kept = await mapping()
    const wrong = kept.map((each) => (each.unitName === '215' ? { ...each, externalCode: '201' } : each))
    const { status, body, text } = await patch(wrong)
    assert.equal(status, 422, text)
    const [{ code, detail, source, meta }] = body.errors
    assert.deepEqual(
      [code, source.pointer],
      ['validation-failed', `/data/attributes/unitMapping/${await place('215')}/externalCode`],
    )
    assert.match(detail, /^201 and 215 would have one lock, 201: .* set shared to true for both\.$/)
    assert.deepEqual([meta.units, meta.lock], [['201', '215'], '201'])
    assert.deepEqual(await mapping(), kept)

    const half = wrong.map((each) => (each.unitName === '215' ? { ...each, shared: true } : each))
    assert.equal((await patch(half)).status, 422)
    const twice = await patch([...kept, { unitName: '215', externalCode: '999' }])
    assert.deepEqual([twice.status, twice.body.errors[0].detail], [422, '215 is listed twice.'], twice.text)
  })

  it('may be exchanged with that of another in one request', async () => {
    const kept = await mapping()
    const swapped = { '215': '216', '216': '215' } as Record<string, string>
    const crossed = kept.map((each) => ({
      ...each,
      externalCode: swapped[each.unitName] ?? each.externalCode,
    }))
    assert.equal((await patch(crossed)).status, 204)
    assert.equal((await patch(kept)).status, 204)
  })

  it('is not taken over by an access unit that has the name of a unit', async () => {
    const create = (name: string, code: string) =>
      house.ask('POST', '/api/v2/access/units', { body: { name, code, providerId: house.providerId } })
    const kept = await mapping()
    assert.equal((await patch(await without('216'))).status, 204)
    const refused = await create('216', '201')
    assert.deepEqual(
      [refused.status, refused.body.errors[0].source.pointer],
      [422, '/data/attributes/code'],
      refused.text,
    )
    const other = await create('216', '616')
    assert.equal(other.status, 201, other.text)
    const later = await house.ask('PUT', `/api/v2/access/units/${other.body.data.id}`, {
      body: { name: '216', code: '201', providerId: house.providerId },
    })
    assert.equal(later.status, 422, later.text)
    assert.equal((await patch(kept)).status, 204)
  })
})

describe('a lock with two names', () => {
  it('is asked for the guests of its unit, by either name', async () => {
    const alias = { name: 'Room 202', code: '202', providerId: house.providerId }
    assert.equal((await house.ask('POST', '/api/v2/access/units', { body: alias })).status, 201)
    const guest = await guests.booked('202', 1, 3)
    await guests.become(guest, 'InHouse')
    const stranger = await house.issue('Room 202')
    assert.deepEqual([stranger.status, stranger.body.errors[0].code], [409, 'unit-occupied'], stranger.text)
    const first = await serve(house, '202', { externalId: guest.externalId })
    const second = await serve(house, 'Room 202', { externalId: guest.externalId })
    assert.equal(house.present(second.card, '202'), 'opened-newer')
    assert.equal((await house.key(first.id)).status, 'superseded')
  })

  it('is not shared because an access unit of its own name says so', async () => {
    const alias = { name: 'Room 208', code: '208', shared: true, providerId: house.providerId }
    const refused = await house.ask('POST', '/api/v2/access/units', { body: alias })
    assert.equal(refused.status, 422, refused.text)
    const kept = await house.ask('POST', '/api/v2/access/units', { body: { ...alias, shared: false } })
    assert.equal(kept.status, 201, kept.text)
    await stored("UPDATE access_unit SET shared = 1 WHERE name = 'Room 208'")
    const guest = await guests.booked('208', 1, 3)
    await guests.become(guest, 'InHouse')
    for (const unitName of ['208', 'Room 208']) {
      const stranger = await house.issue(unitName)
      assert.deepEqual([stranger.status, stranger.body.errors[0].code], [409, 'unit-occupied'], stranger.text)
    }
  })

  it('keeps the keys from before its unit was renamed', async () => {
    const old = await serve(house, '203')
    const [{ id }] = (await house.ask('GET', '/api/v2/units?filter[name]=203')).body.data
    assert.equal((await house.ask('PATCH', `/api/v2/units/${id}`, { body: { name: '203-A' } })).status, 204)
    const renamed = (await mapping()).map((each) =>
      each.unitName === '203' ? { ...each, unitName: '203-A' } : each,
    )
    assert.equal((await patch(renamed)).status, 204)
    await serve(house, '203-A')
    assert.equal((await house.key(old.id)).status, 'superseded')
  })
})

describe('a door without a unit behind it', () => {
  it('is not opened beside the key of a guest in house by one for one use, unless that is confirmed', async () => {
    const locker = { name: 'Locker 7', code: '907', providerId: house.providerId }
    assert.equal((await house.ask('POST', '/api/v2/access/units', { body: locker })).status, 201)
    const oneShot = (meta?: object) =>
      house.ask('POST', `/api/v2/access/controllers/${house.controllerId}/one-shot-key`, {
        body: { unitName: 'Locker 7', ...(meta && { meta }) },
      })
    assert.equal((await oneShot()).status, 201)
    await idle(house)
    const guest = await guests.booked('209', 1, 3)
    await guests.become(guest, 'InHouse')
    const { id } = await serve(house, 'Locker 7', { externalId: guest.externalId })
    const refused = await oneShot()
    assert.deepEqual([refused.status, refused.body.errors[0].meta.keyId], [409, id], refused.text)
    assert.equal((await oneShot({ confirm: true, reason: 'The guest is here' })).status, 201)
    await idle(house)
  })
})

describe('a door that leads to a unit', () => {
  it('is the door of its guest, whatever keys are live, and of no other', async () => {
    const named = (name: string) => house.ask('GET', `/api/v2/units?filter[name]=${name}`)
    const [{ id: unitId }] = (await named('210')).body.data
    const second = { name: 'Suite 210 B', code: '910', providerId: house.providerId, unitId }
    assert.equal((await house.ask('POST', '/api/v2/access/units', { body: second })).status, 201)
    const before = await serve(house, 'Suite 210 B')

    const [guest, other] = [await guests.booked('210', 1, 3), await guests.booked('211', 1, 3)]
    for (const each of [guest, other]) await guests.become(each, 'InHouse')
    // Made for the vacant unit, it is the key of the guest who moves in.
    const { stayId } = (await house.ask('GET', `/api/v2/access/keys/${before.id}`)).body.data.attributes
    assert.equal(stayId, guest.id)
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${before.id}`)).status, 204)
    const refused = await house.issue('Suite 210 B', { externalId: other.externalId })
    assert.deepEqual([refused.status, refused.body.errors?.[0].code], [409, 'unit-occupied'], refused.text)
    assert.deepEqual(refused.body.errors[0].meta.stayIds, [guest.id])
    const own = await serve(house, 'Suite 210 B', { externalId: guest.externalId })
    // The card of the main door, as a kiosk orders it, is no move.
    const put = `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${guest.externalId}`
    assert.equal((await house.ask('PUT', put, { body: firstCard('210') })).status, 200)
    await idle(house)
    assert.equal((await house.key(own.id)).status, 'live')

    const meta = { confirm: true, reason: 'The guests know each other' }
    const { id } = await serve(house, 'Suite 210 B', { externalId: other.externalId, meta })
    const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
    const lines = body.data.map(({ attributes }: { attributes: object }) => attributes)
    const isTheirs = ({ keys, unitName }: { keys: { keyId: string }[]; unitName: string }) =>
      unitName === '210' && keys.some(({ keyId }) => keyId === id)
    assert.ok(lines.some(isTheirs), JSON.stringify(lines))
  })
})

describe('two units that got one lock before that was refused', () => {
  it('are kept, and a key for one asks for the guests of the other', async () => {
    const clash = (await mapping()).map((each) =>
      each.unitName === '215' ? { ...each, externalCode: '204' } : each,
    )
    await storedBefore(clash)
    const guest = await guests.booked('204', 1, 3)
    await guests.become(guest, 'InHouse')
    const { status, body, text } = await house.issue('215')
    assert.deepEqual([status, body.errors[0].code], [409, 'unit-occupied'], text)
    assert.deepEqual(body.errors[0].meta.stayIds, [guest.id])
    assert.equal((await patch([...clash, { unitName: 'Pool', externalCode: '901' }])).status, 204)
    assert.equal((await patch([...clash, { unitName: 'Bar', externalCode: '204' }])).status, 422)
    assert.equal((await house.ask('PATCH', provider, { body: { maxCopies: 5 } })).status, 204)
  })
})

describe('a lock that several units share', () => {
  it('opens for the keys of each, side by side', async () => {
    const beds = ['206', '207'].map((unitName) => ({ unitName, externalCode: '206', shared: true }))
    assert.equal((await patch([...(await without('206', '207')), ...beds])).status, 204)
    const first = await guests.booked('206', 1, 3)
    const second = await guests.booked('207', 1, 3)
    for (const each of [first, second]) await guests.become(each, 'InHouse')
    const cards = [
      await serve(house, '206', { externalId: first.externalId }),
      await serve(house, '207', { externalId: second.externalId }),
      await serve(house, '207', { externalId: second.externalId, original: false }),
      await serve(house, '206', { externalId: first.externalId, original: true }),
      await serve(house, '206'),
    ]
    const alias = { name: 'Dorm', code: '206', providerId: house.providerId }
    assert.equal((await house.ask('POST', '/api/v2/access/units', { body: alias })).status, 201)
    cards.push(await serve(house, 'Dorm'))
    for (const { card } of [...cards, ...cards.reverse()]) assert.match(house.present(card, '206'), /^opened/)
    for (const { id } of cards) assert.equal((await house.key(id)).status, 'live')
    const older: { attributes: { unitName: string } }[] = (
      await house.ask('GET', '/api/v2/access/units-with-older-keys')
    ).body.data
    assert.deepEqual(
      older.filter(({ attributes }) => ['206', '207'].includes(attributes.unitName)),
      [],
    )
    const copies = await house.issue('206', { ...firstCard('206'), original: false })
    assert.deepEqual([copies.status, copies.body.errors[0].code], [409, 'no-original-key'], copies.text)

    // The card of one bed is lost. Only an override ends it, and all others with it.
    const lost = cards.at(-1)!
    await house.ask('POST', `/api/v2/access/keys/${lost.id}/actions/block`)
    const remedy = async () =>
      (await house.ask('GET', '/api/v2/access/units-with-older-keys')).body.data.find(
        ({ attributes }: { attributes: { unitName: string } }) => attributes.unitName === '206',
      )?.attributes.messages[0].code
    assert.equal(await remedy(), 'erase-or-renew-all')
    await idle(house)
    const all = await house.ask('POST', `/api/v2/access/controllers/${house.controllerId}/key`, {
      body: {
        data: { type: 'key', attributes: { ...firstCard('206'), externalId: first.externalId } },
        meta: { confirm: true, reason: 'A card of the dormitory is lost' },
      },
    })
    assert.equal(all.status, 201, all.text)
    await idle(house)
    assert.equal(house.present(house.lobby.dispenser.taken.at(-1)!, '206'), 'opened-newer')
    for (const { id, card } of cards) {
      assert.equal(house.present(card, '206'), 'superseded')
      assert.equal((await house.key(id)).status, id === lost.id ? 'blocked' : 'superseded')
    }
    assert.equal(await remedy(), 'open-with-newest')
    const other = await serve(house, '207', { externalId: second.externalId })
    assert.match(house.present(other.card, '206'), /^opened/)
    assert.match(house.present(house.lobby.dispenser.taken.at(-2)!, '206'), /^opened/, 'side by side again')
  })
})
