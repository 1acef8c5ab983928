import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { once } from './card-faults.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, serve, until } from './house-with-doors.ts'

let house: HouseWithDesk

before(async () => {
  house = await houseWithDesk()
})
beforeEach(() => idle(house))
after(() => house.stop())

const controller = () => `/api/v2/access/controllers/${house.controllerId}`
const lastCard = () => house.lobby.dispenser.taken.at(-1)!

/** Makes a card that opens once, and takes it. */
async function oneShot(unitName: string) {
  const made = await house.ask('POST', `${controller()}/one-shot-key`, { body: { unitName } })
  assert.equal(made.status, 201, made.text)
  await idle(house)
  return { attributes: made.body.data.attributes, card: lastCard() }
}

/** Makes a spare for a unit, and takes it. */
async function spareFor(unitName: string) {
  const made = await house.ask('POST', `${controller()}/spare-keys`, { body: { units: [unitName] } })
  assert.deepEqual([made.status, made.body.succeeded], [201, 1], made.text)
  await idle(house)
  return { id: String(made.body.keyIds[0]), card: lastCard() }
}

/** A new original for the unit, the write of whose card fails: it takes a number, and nobody gets it. */
async function failedCard(unitName: string): Promise<void> {
  house.lobby.encoder.misbehaviours.push(...once('writeBlock', 'refuse', 0, '0000'))
  const failed = await house.issue(unitName)
  assert.equal(failed.status, 502, failed.text)
  await idle(house)
}

/** Asks for an original that nobody takes from the gate, and has the other work done while it lies there. */
async function whileAtGate(unitName: string, work: () => Promise<void>): Promise<void> {
  const { dispenser } = house.lobby
  dispenser.takenAfterMs = null
  const waiting = await house.issue(unitName)
  assert.equal(waiting.status, 201, waiting.text)
  try {
    await work()
    await until(
      'the end of the wait',
      () => house.key(waiting.body.data.id),
      ({ status }) => status === 'removed',
    )
  } finally {
    dispenser.takenAfterMs = 0
  }
}

describe('a card that opens once', () => {
  it('ends nobody else’s key, and is over after half an hour', async () => {
    const guest = await serve(house, '105')
    assert.equal(house.present(guest.card, '105'), 'opened-newer')
    const { card, attributes } = await oneShot('105')
    const { usage, validUntil, stayId } = attributes
    assert.deepEqual([usage, validUntil, stayId], ['OneShot', '2026-06-01T16:30:00.000Z', null])
    assert.match(house.present(card, '105'), /^opened/)
    assert.doesNotMatch(house.present(card, '105'), /^opened/)
    assert.equal(house.present(guest.card, '105'), 'opened')
    assert.equal((await house.key(guest.id)).status, 'live')
  })

  it('ends nobody’s key after a card that failed', async () => {
    const guest = await serve(house, '103')
    await failedCard('103')
    assert.equal((await house.key(guest.id)).status, 'live')
    const { card } = await oneShot('103')
    assert.match(house.present(card, '103'), /^opened/)
    assert.match(house.present(guest.card, '103'), /^opened/)
  })

  it('ends nobody’s key after a spare', async () => {
    const guest = await serve(house, '104')
    await spareFor('104')
    const { card } = await oneShot('104')
    assert.match(house.present(card, '104'), /^opened/)
    assert.match(house.present(guest.card, '104'), /^opened/)
  })

  it('ends nobody’s key while a newer card lies at the gate that nobody takes', async () => {
    const guest = await serve(house, '101')
    await whileAtGate('101', async () => {
      house.desk.card = blank()
      const body = { unitName: '101' }
      const early = await house.ask(
        'POST',
        `/api/v2/access/controllers/${house.desk.controllerId}/one-shot-key`,
        { body },
      )
      assert.deepEqual([early.status, early.body.errors[0].code], [409, 'unit-occupied'])
    })
    await idle(house)
    const { card } = await oneShot('101')
    assert.match(house.present(card, '101'), /^opened/)
    assert.match(house.present(guest.card, '101'), /^opened/)
    assert.equal((await house.key(guest.id)).status, 'live')
  })

  it('opens where nobody has a key, and where the last one has ended', async () => {
    assert.match(house.present((await oneShot('102')).card, '102'), /^opened/)
    const guest = await serve(house, '102')
    assert.match(house.present(guest.card, '102'), /^opened/)
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${guest.id}`)).status, 204)
    assert.match(house.present((await oneShot('102')).card, '102'), /^opened/)
  })

  it('is refused for longer than a day, and for more units than a card can say', async () => {
    const ask = (body: object) => house.ask('POST', `${controller()}/one-shot-key`, { body })
    assert.equal((await ask({ unitName: '105', minutes: 1441 })).status, 422)
    const { status, body } = await ask({ unitName: '105', extraUnits: ['106'] })
    assert.deepEqual([status, body.errors[0].code], [422, 'too-many-extra-units'])
  })
})

describe('spares', () => {
  it('end nobody’s key when they are used, and end when a key after them is used', async () => {
    const guest = await serve(house, '106')
    assert.equal(house.present(guest.card, '106'), 'opened-newer')
    await failedCard('106')
    const spare = await spareFor('106')
    assert.equal(house.present(spare.card, '106'), 'opened')
    assert.equal(house.present(guest.card, '106'), 'opened')
    assert.equal((await house.key(guest.id)).status, 'live')
    const copy = await serve(house, '106', { original: false })
    assert.equal(house.present(copy.card, '106'), 'opened')
    const next = await serve(house, '106')
    assert.equal((await house.key(spare.id)).status, 'superseded')
    assert.equal(house.present(spare.card, '106'), 'opened')
    assert.equal(house.present(next.card, '106'), 'opened-newer')
    assert.equal(house.present(spare.card, '106'), 'superseded')
  })

  it('end nobody’s key when one of which nobody knew is found to be made', async () => {
    const guest = await serve(house, '108')
    const doubt = await house.desk.inDoubt(() => house.desk.make('108', { usage: 'Spare' }))
    await house.desk.read(doubt.card)
    assert.equal((await house.key(doubt.id)).status, 'live')
    assert.equal((await house.key(guest.id)).status, 'live')
  })

  it('open where nobody has a key', async () => {
    const spare = await spareFor('107')
    assert.equal(house.present(spare.card, '107'), 'opened-newer')
  })
})
