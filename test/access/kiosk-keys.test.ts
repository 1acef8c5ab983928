import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Reply } from '../appliance.ts'
import { guestFound } from '../guest-found.ts'
import {
  firstCard,
  type HouseWithDoors,
  houseWithDoors,
  idle,
  sampleStay,
  settledKey,
} from './house-with-doors.ts'

const minute = 60_000

let house: HouseWithDoors
let kiosk: string
before(async () => {
  house = await houseWithDoors()
  const made = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Lobby', role: 'kiosk' } })
  kiosk = made.body.meta.token
})
after(() => house.stop())
beforeEach(() => idle(house))

type Arrived = Awaited<ReturnType<typeof sampleStay>>

/** A guest of the sample property in house, who has found his stay at the kiosk. */
async function arrived(number: number, status: 'InHouse' | 'Confirmed' = 'InHouse'): Promise<Arrived> {
  const stay = await sampleStay(house, number, status)
  await guestFound(house.ask, kiosk, stay.path.split('/').at(-1)!)
  return stay
}

const asks = ({ unitName, externalId }: Arrived, more: object = {}): Promise<Reply> =>
  house.issue(unitName, { externalId, endDate: '2026-06-02', ...more }, { token: kiosk })

const put = ({ unitName, externalId }: Arrived, more: object = {}): Promise<Reply> =>
  house.ask('PUT', `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${externalId}`, {
    body: { ...firstCard(unitName), endDate: '2026-06-02', ...more },
    token: kiosk,
  })

const codeOf = ({ status, body }: Reply) =>
  status < 400
    ? `${status}`
    : `${status} ${body.errors[0].code} ${body.errors[0].source?.pointer ?? ''}`.trim()

/** A card that the guest has taken. */
async function taken(answer: Promise<Reply>) {
  const { status, text, body } = await answer
  assert.equal(status, 201, text)
  await settledKey(house, body.data.id)
  return { id: String(body.data.id), card: house.lobby.dispenser.taken.at(-1)! }
}

describe('a card at a kiosk', () => {
  it('is not made before the guest is checked in, nor when nobody is there any more', async () => {
    const guest = await arrived(1001, 'Confirmed')
    const { length } = house.lobby.dispenser.stack
    const early = '409 stay-status-transition /data/attributes/externalId'
    assert.deepEqual([codeOf(await asks(guest)), codeOf(await put(guest))], [early, early])
    assert.equal((await house.ask('PATCH', guest.path, { body: { status: 'InHouse' } })).status, 204)
    house.clock.advance(5 * minute)
    const unknown = '403 kiosk-scope /data/attributes/externalId'
    assert.deepEqual([codeOf(await asks(guest)), codeOf(await put(guest))], [unknown, unknown])
    assert.equal(house.lobby.dispenser.stack.length, length)
  })

  it('is made for the guest, and no second original that would end it', async () => {
    const guest = await arrived(1002)
    const first = await taken(asks(guest))
    const refused = '403 kiosk-scope /data/attributes/original'
    assert.equal(codeOf(await asks(guest)), refused)
    assert.equal(codeOf(await put(guest, { endTime: '10:00' })), refused)
    // The same key is kept, without another card.
    const kept = await put(guest)
    assert.deepEqual([kept.status, kept.body.data?.id], [200, first.id], kept.text)
    const copy = await taken(asks(guest, { original: false }))
    for (const { card } of [first, copy]) assert.match(house.present(card, guest.unitName), /^opened/)
    const clerk = await house.issue(guest.unitName, { externalId: guest.externalId })
    assert.equal(clerk.status, 201, clerk.text)
  })

  it('has three copies a day; the desk makes more', async () => {
    const guest = await arrived(1004)
    await taken(asks(guest))
    const copy = { original: false }
    for (let count = 1; count <= 3; count++) await taken(asks(guest, copy))
    assert.equal(codeOf(await asks(guest, copy)), '403 kiosk-scope /data/attributes/original')
    const { stack } = house.lobby.dispenser
    const { body } = await house.ask('POST', `/api/v2/access/controllers/${house.controllerId}/keys`, {
      body: {
        ...firstCard(guest.unitName),
        externalId: guest.externalId,
        endDate: '2026-06-02',
        ...copy,
        quantity: 2,
      },
      token: kiosk,
    })
    assert.equal(body.errors[0].code, 'kiosk-scope')
    assert.ok(stack.length > 0)
    const clerk = await house.issue(guest.unitName, { externalId: guest.externalId, ...copy })
    assert.equal(clerk.status, 201, clerk.text)
  })

  it('is made again when nobody has received the first, or the desk has ended it', async () => {
    const guest = await arrived(1003)
    house.lobby.dispenser.takenAfterMs = null
    const left = await asks(guest)
    assert.equal(left.status, 201, left.text)
    await settledKey(house, left.body.data.id)
    house.lobby.dispenser.takenAfterMs = 0
    await guestFound(house.ask, kiosk, guest.path.split('/').at(-1)!)
    const { id, card } = await taken(asks(guest))
    assert.match(house.present(card, guest.unitName), /^opened/)
    const lost = await house.ask('POST', `/api/v2/access/keys/${id}/actions/block`)
    assert.equal(lost.status, 200, lost.text)
    const other = await taken(asks(guest))
    assert.match(house.present(other.card, guest.unitName), /^opened/)
  })

  it('is the first one for a guest without the number, and another one only with it', async () => {
    const guest = await sampleStay(house, 1006)
    const id = guest.path.split('/').at(-1)
    const { body } = await house.ask('GET', `/api/v2/stays/${id}?include=profiles`)
    const { lastName, id: profileId } = { ...body.included[0].attributes, ...body.included[0] }
    const phoneNumbers = [{ number: '+351 912 345 678', type: 'Mobile' }]
    await house.ask('PATCH', `/api/v2/profiles/${profileId}`, { body: { phoneNumbers } })
    const said = `filter[profile.lastName]=${lastName}&filter[arrival]=${body.data.attributes.startDate}&filter[profile.onFile]=5678`
    const found = await house.ask('GET', `/api/v2/reservations?${said}`, { token: kiosk })
    assert.deepEqual(found.body.meta.proven, [id], found.text)
    await taken(asks(guest))
    const copy = { original: false }
    // The family of this visit.
    await taken(asks(guest, copy))
    house.clock.advance(minute)
    const again = await house.ask('GET', `/api/v2/reservations?${said}`, { token: kiosk })
    assert.deepEqual(again.body.meta.proven, [id], again.text)
    assert.equal(codeOf(await asks(guest, copy)), '403 kiosk-scope /data/attributes/externalId')
    await guestFound(house.ask, kiosk, id!)
    await taken(asks(guest, copy))
  })

  it('is made without a proof for a caller that may read every reservation', async () => {
    const { unitName, externalId } = await sampleStay(house, 1007)
    const { body } = await house.ask('POST', '/api/config/v1/tokens', {
      body: { name: 'Concierge', role: 'kiosk', scopes: ['reservations.read'] },
    })
    const order = { externalId, endDate: '2026-06-02' }
    await taken(house.issue(unitName, order, { token: body.meta.token }))
  })

  it('is made for no other guest, whatever the guest who is there asks', async () => {
    const other = await sampleStay(house, 1004)
    await arrived(1005)
    assert.equal(codeOf(await asks(other)), '403 kiosk-scope /data/attributes/externalId')
  })
})
