import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from '../seed.ts'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, serve, settledKey } from './house-with-doors.ts'

const nights = { startDate: '2026-06-01', endDate: '2026-06-03' }
const opened = /^opened/

let house: HouseWithDesk
let guests: GuestsOfUnits
before(async () => {
  house = await houseWithDesk()
  guests = await guestsOfUnits(house.ask)
})
beforeEach(() => idle(house))
after(() => house.stop())

const key = (id: string) => `/api/v2/access/keys/${id}`
const served = (unitName: string, { externalId }: Guest, more = {}) =>
  serve(house, unitName, { ...nights, externalId, ...more })
type Served = Awaited<ReturnType<typeof served>>

async function inHouse(unitName: string): Promise<Guest> {
  const guest = await guests.booked(unitName, 1, 3)
  await guests.become(guest, 'InHouse')
  return guest
}

/** How the key of the guest between ends, besides by the check-out. */
const endings = {
  'by the check-out': async () => {},
  'as lost': async ({ id }: Served) => {
    assert.ok((await house.ask('POST', `${key(id)}/actions/block`)).status < 300)
  },
  'by a request': async ({ id }: Served) => {
    assert.ok((await house.ask('DELETE', key(id))).status < 300)
  },
  'when the card is erased at the desk': async ({ id, card }: Served) => {
    assert.equal((await house.desk.read(card)).status, 200)
    const erased = await house.ask('DELETE', `/api/v2/access/controllers/${house.desk.controllerId}/key`)
    house.desk.card = null
    assert.ok(erased.status < 300, erased.text)
    assert.equal((await house.key(id)).proof, 'card-erased')
  },
} as const
type Ending = keyof typeof endings

/** Another guest has the unit for a while, with a card that is used at the door. */
async function between(unitName: string, ending: Ending): Promise<void> {
  const guest = await inHouse(unitName)
  const own = await served(unitName, guest)
  assert.match(house.present(own.card, unitName), opened)
  await endings[ending](own)
  await guests.become(guest, 'CheckedOut')
}

/** The guest has a card that opens, by the request of the stay's key, and the first card is not said to be live. */
async function expectNewCard(unitName: string, guest: Guest, first: Served): Promise<void> {
  assert.equal((await house.key(first.id)).status, 'superseded')
  assert.equal(house.present(first.card, unitName), 'superseded')
  const path = `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${guest.externalId}`
  const body = { type: 'keyCard', unitName, original: true, ...nights }
  const made = await house.ask('PUT', path, { body })
  assert.ok(made.status < 300 && made.body.data.id !== first.id, made.text)
  await idle(house)
  assert.match(house.present(house.lobby.dispenser.taken.at(-1)!, unitName), opened)
}

describe('a guest whose stay goes on after another guest had the unit', () => {
  for (const [at, ending] of (Object.keys(endings) as Ending[]).entries())
    it(`has no live key whose card the door refuses: the other ended ${ending}`, async () => {
      const unitName = `20${at + 1}`
      const guest = await inHouse(unitName)
      const first = await served(unitName, guest)
      assert.match(house.present(first.card, unitName), opened)
      await guests.become(guest, 'CheckedOut')
      await between(unitName, ending)
      await guests.become(guest, 'InHouse')
      await expectNewCard(unitName, guest, first)
    })

  it('gets another card also after an undone check-in and a move there and back', async () => {
    const guest = await inHouse('205')
    const first = await served('205', guest)
    await guests.become(guest, 'Confirmed')
    const { units } = (await house.ask('GET', guest.path)).body.data.attributes
    const move = async (name: string) => {
      const [{ id: unitId }] = (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data
      const body = { units: [{ unitTypeId: units[0].unitTypeId, unitId }] }
      assert.equal((await house.ask('PATCH', guest.path, { body })).status, 204)
    }
    await move('206')
    await between('205', 'by the check-out')
    await move('205')
    await guests.become(guest, 'InHouse')
    await expectNewCard('205', guest, first)
  })

  it('has superseded copies, too', async () => {
    const guest = await inHouse('207')
    const first = await served('207', guest)
    const copy = await served('207', guest, { original: false })
    await guests.become(guest, 'CheckedOut')
    await between('207', 'as lost')
    await guests.become(guest, 'InHouse')
    assert.equal((await house.key(copy.id)).status, 'superseded')
    await expectNewCard('207', guest, first)
  })

  it('gets another card after any guests between', async () => {
    const some = fc.array(fc.constantFrom(...(Object.keys(endings) as Ending[])), {
      minLength: 2,
      maxLength: 3,
    })
    const guest = await inHouse('208')
    const first = await served('208', guest)
    await guests.become(guest, 'CheckedOut')
    for (const ending of fc.sample(some, 1)[0]!) await between('208', ending)
    await guests.become(guest, 'InHouse')
    await expectNewCard('208', guest, first)
  })

  it('has the card again where the other never took a card', async () => {
    const guest = await inHouse('209')
    const first = await served('209', guest)
    await guests.become(guest, 'CheckedOut')
    const other = await inHouse('209')
    house.lobby.dispenser.takenAfterMs = null
    const left = await house.issue('209', { ...nights, externalId: other.externalId })
    assert.equal(left.status, 201, left.text)
    await settledKey(house, left.body.data.id)
    house.lobby.dispenser.takenAfterMs = 0
    await guests.become(other, 'CheckedOut')
    await guests.become(guest, 'InHouse')
    assert.equal((await house.key(first.id)).status, 'live')
    assert.match(house.present(first.card, '209'), opened)
  })

  it('has the card again where the other had none', async () => {
    const guest = await inHouse('210')
    const first = await served('210', guest)
    await guests.become(guest, 'CheckedOut')
    await guests.become(await inHouse('210'), 'CheckedOut')
    await guests.become(guest, 'InHouse')
    assert.equal((await house.key(first.id)).status, 'live')
    assert.match(house.present(first.card, '210'), opened)
  })
})

it('a card in doubt that is read after the card of another guest was used is superseded', async () => {
  const guest = await inHouse('211')
  const { externalId } = guest
  const doubtful = await house.desk.inDoubt(() => house.desk.make('211', { externalId }))
  const lost = await served('211', guest)
  assert.match(house.present(lost.card, '211'), opened)
  await endings['as lost'](lost)
  assert.equal((await house.desk.read(doubtful.card)).status, 200)
  house.desk.card = null
  assert.equal(house.present(doubtful.card, '211'), 'superseded')
  assert.equal((await house.key(doubtful.id)).status, 'superseded')
})
