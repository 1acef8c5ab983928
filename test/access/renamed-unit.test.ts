import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from '../seed.ts'
import { tokenOf } from '../token-of.ts'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDoors, houseWithDoors, idle, serve } from './house-with-doors.ts'

let house: HouseWithDoors
let guests: GuestsOfUnits
let desk: string
let provider: string

before(async () => {
  house = await houseWithDoors()
  guests = await guestsOfUnits(house.ask)
  desk = await tokenOf(house.ask, 'frontdesk')
  provider = `/api/config/v1/access-providers/${house.providerId}`
})
beforeEach(() => idle(house))
after(() => house.stop())

const nights = { startDate: '2026-06-01', endDate: '2026-06-03' }

interface Entry {
  unitName: string
  externalCode: string
}

const unitNamed = async (name: string) =>
  (await house.ask('GET', `/api/v2/units?filter[name]=${encodeURIComponent(name)}`)).body.data[0]
const renameTo = (id: string, name: string) => house.ask('PATCH', `/api/v2/units/${id}`, { body: { name } })
const mapped = async () => (await house.ask('GET', provider)).body.data.attributes.unitMapping as Entry[]
const lockOf = async (name: string) =>
  (await mapped()).find(({ unitName }) => unitName === name)?.externalCode
const accessUnit = (name: string, code: string) =>
  house.ask('POST', '/api/v2/access/units', { body: { name, code, providerId: house.providerId } })

async function renamed(was: string, name: string): Promise<string> {
  const { id } = await unitNamed(was)
  const answer = await renameTo(id, name)
  assert.equal(answer.status, 204, answer.text)
  return id
}

async function asGuest(unitName: string) {
  const guest = await guests.booked(unitName, 1, 3)
  await guests.become(guest, 'InHouse')
  return { guest, own: await serve(house, unitName, { ...nights, externalId: guest.externalId }) }
}

/** A clerk asks for a card of a unit for a person who has no room there. */
async function strangersCard(unitName: string) {
  const { status, body } = await house.issue(unitName, { ...nights, externalId: 'STRANGER' }, { token: desk })
  return [status, body.errors?.[0].code, body.errors?.[0].meta.scope]
}

describe('a unit that is renamed', () => {
  it('stays closed to strangers while its guest has no live key', async () => {
    const { own } = await asGuest('205')
    await house.ask('POST', `/api/v2/access/keys/${own.id}/actions/block`)
    await renamed('205', 'Room 205')
    assert.deepEqual(await strangersCard('Room 205'), [409, 'unit-occupied', 'keys.override'])
    const byFormerName = await house.issue('205', { ...nights, externalId: 'STRANGER' }, { token: desk })
    assert.notEqual(byFormerName.status, 201)
    assert.equal((await house.key(own.id)).unitName, 'Room 205')
  })

  it('keeps its lock, its keys and their doors, by PUT as by PATCH', async () => {
    const { guest, own } = await asGuest('206')
    const found = await unitNamed('206')
    const {
      name: _,
      occupied,
      idleSince,
      maintenance,
      createdAt,
      updatedAt,
      ...attributes
    } = found.attributes
    const body = { ...attributes, name: 'Suite Ahorn' }
    const answer = await house.ask('PUT', `/api/v2/units/${found.id}`, { body })
    assert.equal(answer.status, 204, answer.text)
    assert.equal(await lockOf('Suite Ahorn'), '206')
    assert.equal(await lockOf('206'), undefined)
    const { units } = (await house.ask('GET', guest.path)).body.data.attributes
    assert.deepEqual(
      units.map(({ unitName, locked }: { unitName: string; locked: boolean }) => [unitName, locked]),
      [['Suite Ahorn', true]],
    )
    const { unitName, doors } = await house.key(own.id)
    assert.equal(unitName, 'Suite Ahorn')
    assert.equal((doors as { unitName: string }[])[0]?.unitName, 'Suite Ahorn')
    const other = await unitNamed('207')
    const place = { unitTypeId: other.attributes.unitTypeId, unitId: other.id }
    const moved = await house.ask('PATCH', guest.path, { body: { units: [place] } })
    assert.deepEqual([moved.status, moved.body.errors[0].code], [409, 'unit-change-refused'], moved.text)
    const next = await serve(house, 'Suite Ahorn', { ...nights, externalId: guest.externalId })
    assert.equal(house.present(next.card, '206'), 'opened-newer')
    assert.equal((await house.key(own.id)).status, 'superseded')
  })

  it('keeps nothing for a unit that gets its former name', async () => {
    const { own } = await asGuest('208')
    await renamed('208', 'Birke')
    await renamed('209', '208')
    assert.deepEqual([await lockOf('Birke'), await lockOf('208')], ['208', '209'])
    assert.equal((await house.key(own.id)).unitName, 'Birke')
    assert.deepEqual(await strangersCard('Birke'), [409, 'unit-occupied', 'keys.override'])
    const free = await serve(house, '208', nights)
    assert.deepEqual(
      [house.present(free.card, '209'), house.present(free.card, '208')],
      ['opened-newer', 'other-door'],
    )
  })

  it('whose lock is an access unit keeps it', async () => {
    const rest = (await mapped()).filter(({ unitName }) => unitName !== '210')
    assert.equal((await house.ask('PATCH', provider, { body: { unitMapping: rest } })).status, 204)
    assert.equal((await accessUnit('210', '210')).status, 201)
    const { own } = await asGuest('210')
    await renamed('210', 'Room 210')
    const names = (await house.ask('GET', '/api/v2/access/units?filter[code]=210')).body.data
    assert.deepEqual(
      names.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
      ['Room 210'],
    )
    assert.equal((await house.key(own.id)).unitName, 'Room 210')
    assert.deepEqual(await strangersCard('Room 210'), [409, 'unit-occupied', 'keys.override'])
  })

  it("may get the lock system's own name of its lock", async () => {
    assert.equal((await accessUnit('Room 211', '211')).status, 201)
    await asGuest('211')
    await renamed('211', 'Room 211')
    assert.equal(await lockOf('Room 211'), '211')
    assert.deepEqual(await strangersCard('Room 211'), [409, 'unit-occupied', 'keys.override'])
  })

  it('keeps the authorizations of its keys', async () => {
    const matrix = [{ unitName: '212', authorizations: ['Entrance'] }]
    assert.equal((await house.ask('PATCH', provider, { body: { matrix } })).status, 204)
    await renamed('212', 'Room 212')
    assert.deepEqual((await house.ask('GET', provider)).body.data.attributes.matrix, [
      { unitName: 'Room 212', authorizations: ['Entrance'] },
    ])
  })

  it('cannot get the name of another door, and nothing is changed', async () => {
    assert.equal((await accessUnit('Garage', '901')).status, 201)
    const { id } = await unitNamed('213')
    const refused = await renameTo(id, 'Garage')
    assert.deepEqual(
      [refused.status, refused.body.errors[0].code],
      [409, 'unit-change-refused'],
      refused.text,
    )
    assert.equal(refused.body.errors[0].source.pointer.endsWith('/name'), true)
    assert.equal((await unitNamed('213')).id, id)
    assert.equal(await lockOf('213'), '213')
  })

  it('without a lock cannot get the name of the lock of another unit', async () => {
    assert.equal((await accessUnit('Door 214', '214')).status, 201)
    const made = await house.ask('POST', '/api/v2/units', { body: { name: 'Store' } })
    const refused = await renameTo(made.body.data.id, 'Door 214')
    assert.deepEqual([refused.status, refused.body.errors[0].code], [422, 'validation-failed'], refused.text)
    assert.equal((await unitNamed('Store')).id, made.body.data.id)
  })

  it('has its own lock and its own guest, in whatever order names are given and exchanged', async () => {
    const locks = ['301', '302', '303']
    const units = await Promise.all(
      locks.map(async (lock) => ({ lock, id: (await unitNamed(lock)).id, ...(await asGuestHeld(lock)) })),
    )
    const names = [...locks, 'A', 'B', '30']
    const step = fc.tuple(fc.nat({ max: 2 }), fc.constantFrom(...names))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const [at, name] of steps) await renameTo(units[at]!.id, name)
        for (const { id, lock, guest, key } of units) {
          const { name } = (await house.ask('GET', `/api/v2/units/${id}`)).body.data.attributes
          assert.equal(await lockOf(name), lock)
          assert.equal((await house.key(key)).unitName, name)
          const { units: had } = (await house.ask('GET', guest.path)).body.data.attributes
          assert.deepEqual(
            had.map((each: { locked: boolean }) => each.locked),
            [true],
          )
          assert.deepEqual(await strangersCard(name), [409, 'unit-occupied', 'keys.override'])
        }
      }),
      { numRuns: 8 },
    )
  })
})

let waiting: Promise<unknown> = Promise.resolve()

/** A guest in house with a card; the cards of several are made one after the other. */
function asGuestHeld(unitName: string) {
  const made = waiting.then(() => asGuest(unitName))
  waiting = made
  return made.then(({ guest, own }) => ({ guest, key: own.id }))
}
