import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Reply } from '../appliance.ts'
import { guestFound } from '../guest-found.ts'
import { tokenOf } from '../token-of.ts'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { firstCard, idle, serve, until } from './house-with-doors.ts'

let house: HouseWithDesk
let guests: GuestsOfUnits
const tokens: Record<string, string> = {}

before(async () => {
  house = await houseWithDesk()
  guests = await guestsOfUnits(house.ask)
  for (const role of ['kiosk', 'frontdesk']) tokens[role] = await tokenOf(house.ask, role)
})
beforeEach(() => idle(house))
after(() => house.stop())

/** A guest in house who should have left today, and the stay that has the unit from today on. */
async function lateGuest(unitName: string): Promise<{ late: Guest; next: Guest }> {
  const late = await guests.booked(unitName, 1, 2)
  await guests.become(late, 'InHouse')
  return { late, next: await guests.booked(unitName, 2, 4) }
}

const codeOf = ({ status, body }: Reply) => (status < 400 ? `${status}` : `${status} ${body.errors[0].code}`)
const needed = ({ body }: Reply) => body.errors?.[0].meta.scope
const nextNights = { startDate: '2026-06-02', endDate: '2026-06-04' }
const asked = (unitName: string, more: object, role?: string) =>
  house.issue(unitName, more as Record<string, unknown>, role ? { token: tokens[role]! } : {})

/** The card is not made: nothing leaves the stacker. */
async function expectRefused(work: () => Promise<Reply>, scope: string | null = 'keys.override') {
  const { length } = house.lobby.dispenser.stack
  const answer = await work()
  assert.equal(codeOf(answer), '409 unit-occupied', answer.text)
  if (scope !== null) assert.equal(needed(answer), scope)
  assert.equal(house.lobby.dispenser.stack.length, length)
  return answer
}

describe('the unit of a guest who sleeps late', () => {
  /** How the guest's own key stands when the next guest asks. */
  const keys: [name: string, unitName: string, make: (guest: Guest, unitName: string) => Promise<unknown>][] =
    [
      ['has no key', '202', async () => {}],
      [
        'has a key until check-out time',
        '203',
        (guest, unitName) => serve(house, unitName, { externalId: guest.externalId, endDate: '2026-06-02' }),
      ],
      [
        'has a key that names no stay',
        '204',
        (_guest, unitName) => serve(house, unitName, { meta: { confirm: true, reason: 'In a hurry' } }),
      ],
      [
        'has a key that was revoked',
        '205',
        async (guest, unitName) => {
          const { id } = await serve(house, unitName, { externalId: guest.externalId })
          assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
        },
      ],
    ]

  it('gets no card for the next one, whatever became of the key', async () => {
    const stays: [unitName: string, late: Guest, next: Guest][] = []
    for (const [, unitName, make] of keys) {
      const { late, next } = await lateGuest(unitName)
      await make(late, unitName)
      stays.push([unitName, late, next])
    }
    house.clock.set(Date.UTC(2026, 5, 2, 15))
    for (const [at, [unitName, late, next]] of stays.entries()) {
      const name = keys[at]![0]
      const { externalId } = next
      await guestFound(house.ask, tokens.kiosk!, next.id)
      await expectRefused(() => asked(unitName, { ...nextNights, externalId }, 'kiosk'))
      const asDesk = await expectRefused(() => asked(unitName, { ...nextNights, externalId }, 'frontdesk'))
      assert.deepEqual(asDesk.body.errors[0].meta.stayIds, [late.id], name)
      const asKiosk = await expectRefused(() =>
        house.ask(
          'PUT',
          `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${externalId}`,
          {
            body: { ...firstCard(unitName), ...nextNights },
            token: tokens.kiosk!,
          },
        ),
      )
      // The id of a stay is enough to ask for its key.
      assert.doesNotMatch(asKiosk.text, new RegExp(late.id), name)
      // The guest who sleeps gets a card.
      const own = await serve(house, unitName, { ...nextNights, externalId: late.externalId })
      assert.match(house.present(own.card, unitName), /^opened/)
      await guests.become(late, 'CheckedOut')
      const card = await serve(house, unitName, { ...nextNights, externalId })
      assert.match(house.present(card.card, unitName), /^opened/, name)
    }
  })
})

describe('a card for an occupied unit', () => {
  it('is refused for another guest, also as a spare or for one use, unless that is confirmed', async () => {
    const guest = await guests.booked('206', 2, 4)
    await guests.become(guest, 'InHouse')
    const { card } = await serve(house, '206', { externalId: guest.externalId, ...nextNights })
    const word = { meta: { confirm: true, reason: 'The room is right.' } }
    await expectRefused(() => asked('206', nextNights))
    // A clerk's word is not enough for a card that ends the guest's.
    await expectRefused(() => asked('206', { ...nextNights, ...word }, 'frontdesk'))
    const at = `/api/v2/access/controllers/${house.controllerId}`
    const token = tokens.frontdesk!
    const oneShot = (more: object) =>
      house.ask('POST', `${at}/one-shot-key`, { body: { unitName: '206', ...more }, token })
    await expectRefused(() => oneShot({}), 'keys.issue')
    const spare = (more: object) =>
      house.ask('POST', `${at}/spare-keys`, { body: { units: ['206'], ...more }, token })
    await expectRefused(() => spare({}), 'keys.issue')
    const made = await oneShot(word)
    assert.equal(made.status, 201, made.text)
    await idle(house)
    const audit = await house.ask('GET', '/api/config/v1/audit-entries?filter[type]=key.override-used')
    assert.equal(audit.body.data[0].attributes.data.reason, word.meta.reason)
    assert.equal((await spare(word)).body.succeeded, 1)
    await idle(house)
    assert.match(house.present(card, '206'), /^opened/)
  })

  it('is made again only with the word that it needed at first', async () => {
    const guest = await guests.booked('301', 2, 4)
    await guests.become(guest, 'InHouse')
    const { externalId } = await guests.booked('301', 4, 6)
    const word = { meta: { confirm: true, reason: 'The passport was seen.' } }
    const { id } = await serve(house, '301', { externalId, ...nextNights, ...word })
    const again = (more: object) =>
      house.ask('POST', `/api/v2/access/keys/${id}/actions/reencode`, {
        body: { data: { type: 'key', attributes: {} }, ...more },
      })
    await expectRefused(() => again({}))
    const made = await again(word)
    assert.equal(made.status, 201, made.text)
  })

  it('is a copy for the guest, and not for a guest of another stay', async () => {
    const guest = await guests.booked('207', 2, 4)
    await guests.become(guest, 'InHouse')
    const next = await guests.booked('207', 4, 6)
    const { externalId } = guest
    await serve(house, '207', { externalId, ...nextNights })
    await serve(house, '207', { externalId, ...nextNights, original: false })
    await serve(house, '207', { ...nextNights, original: false })
    const copy = await asked('207', { externalId: next.externalId, ...nextNights, original: false })
    assert.equal(codeOf(copy), '409 no-original-key')
  })

  it('may be made with a clerk’s word for another stay of the reservation', async () => {
    const parent = await guests.booked('208', 2, 4)
    await guests.become(parent, 'InHouse')
    const child = await guests.booked('209', 2, 4, parent)
    await guests.become(child, 'InHouse')
    const { externalId } = parent
    await expectRefused(() => asked('209', { externalId, ...nextNights }, 'frontdesk'), 'keys.issue')
    const word = { meta: { confirm: true, reason: 'The father fetches the child.' } }
    const made = await asked('209', { externalId, ...nextNights, ...word }, 'frontdesk')
    assert.equal(made.status, 201, made.text)
  })

  it('that would end the card of a guest who comes today needs a clerk’s word', async () => {
    const coming = await guests.booked('210', 2, 4)
    const { card } = await serve(house, '210', { externalId: coming.externalId, ...nextNights })
    await expectRefused(() => asked('210', nextNights, 'frontdesk'), 'keys.issue')
    assert.match(house.present(card, '210'), /^opened/)
    await serve(house, '210', { externalId: coming.externalId, ...nextNights })
  })
})

describe('a guest who was given another unit', () => {
  it('does not keep the guest out to whose room he was given a card by mistake', async () => {
    const guest = await guests.booked('304', 2, 4)
    const other = await guests.booked('305', 2, 4)
    for (const each of [guest, other]) await guests.become(each, 'InHouse')
    house.clock.advance(60_000)
    const meta = { confirm: true, reason: 'The wrong room was typed.' }
    await serve(house, '304', { externalId: other.externalId, ...nextNights, meta })
    const { card } = await serve(house, '304', { externalId: guest.externalId, ...nextNights })
    assert.match(house.present(card, '304'), /^opened/)
  })

  it('keeps the first one to himself until he has the key of the other', async () => {
    // As a PMS leaves it that moves a guest: the card of the former unit is still his.
    const moved = await guests.booked('303', 2, 4)
    await guests.become(moved, 'InHouse')
    await serve(house, '302', { externalId: moved.externalId, ...nextNights })
    const next = await guests.booked('302', 2, 4)
    const { externalId } = next
    await guestFound(house.ask, tokens.kiosk!, next.id)
    await expectRefused(() => asked('302', { ...nextNights, externalId }, 'kiosk'))
    house.clock.advance(60_000)
    await guests.become(next, 'InHouse')
    await expectRefused(() => asked('302', { ...nextNights, externalId }, 'kiosk'))
    const path = `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${moved.externalId}`
    const made = await house.ask('PUT', path, { body: { ...firstCard('303'), ...nextNights } })
    assert.equal(made.status, 200, made.text)
    await idle(house)
    const { card } = await serve(house, '302', { ...nextNights, externalId })
    assert.match(house.present(card, '302'), /^opened/)
  })
})

describe('a guest who checks in while a card of the unit is made', () => {
  it('is the only one who gets in: the card is not handed out', async () => {
    const guest = await guests.booked('211', 2, 4)
    const bin = house.lobby.dispenser.bin.length
    house.lobby.encoder.pace = 40
    const pending = asked('211', nextNights)
    try {
      await until(
        'a key on its way',
        () => house.ask('GET', '/api/v2/access/keys?filter[unitName]=211&filter[status]=pendingWrite'),
        ({ body }) => body.data.length === 1,
      )
      await guests.become(guest, 'InHouse')
    } finally {
      house.lobby.encoder.pace = 0
    }
    const answer = await pending
    assert.equal(codeOf(answer), '409 unit-occupied', answer.text)
    await idle(house)
    assert.equal(house.lobby.dispenser.bin.length, bin + 1)
    assert.doesNotMatch(house.present(house.lobby.dispenser.bin.at(-1)!, '211'), /^opened/)
  })
})

it('a card that lies on the desk’s encoder is guarded as one of the dispenser', async () => {
  const guest = await guests.booked('212', 2, 4)
  await guests.become(guest, 'InHouse')
  house.desk.card = blank()
  assert.equal(codeOf(await house.desk.make('212', nextNights)), '409 unit-occupied')
})
