import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Reply } from '../appliance.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { firstCard, idle, serve, until } from './house-with-doors.ts'

let house: HouseWithDesk
const tokens: Record<string, string> = {}
let unitTypeId: string
const unitIds: Record<string, string> = {}

before(async () => {
  house = await houseWithDesk()
  const { ask } = house
  const settings = (await ask('GET', '/api/config/v1/settings')).body.data[0]
  const open = { body: { allowOpenBalance: true, assignableStatuses: ['Dirty', 'Clean', 'Inspected'] } }
  assert.equal((await ask('PATCH', `/api/config/v1/settings/${settings.id}`, open)).status, 204)
  for (const role of ['kiosk', 'frontdesk']) {
    const { body } = await ask('POST', '/api/config/v1/tokens', { body: { name: role, role } })
    tokens[role] = body.meta.token
  }
  const found = (await ask('GET', '/api/v2/units?page[size]=100')).body.data
  const double = found.find((each: { attributes: { name: string } }) => each.attributes.name === '201')
  unitTypeId = double.attributes.unitTypeId
  for (const { id, attributes } of found)
    if (attributes.unitTypeId === unitTypeId) unitIds[attributes.name] = id
})
beforeEach(() => idle(house))
after(() => house.stop())

interface Guest {
  path: string
  externalId: string
  reservation: string
}
let numbers = 0

/** A stay that has the unit on these nights of June. */
async function booked(unitName: string, from: number, to: number, also?: Guest): Promise<Guest> {
  const day = (date: number) => `2026-06-${String(date).padStart(2, '0')}`
  const externalId = `GUARD-${++numbers}`
  const stay = {
    status: 'Confirmed',
    reservationIds: [],
    startDate: day(from),
    endDate: day(to),
    personCount: { adults: 1, children: 0 },
    units: [{ unitTypeId, unitId: unitIds[unitName] }],
    externalId,
  }
  const made = also
    ? await house.ask('POST', `${also.reservation}/stays`, { body: stay })
    : await house.ask('POST', '/api/v2/reservations', { body: { stays: [stay] } })
  assert.equal(made.status, 201, made.text)
  const reservation = also?.reservation ?? `/api/v2/reservations/${made.body.data.id}`
  const { body } = await house.ask('GET', `/api/v2/stays?filter[externalId]=${externalId}`)
  return { path: `${reservation}/stays/${body.data[0].id}`, externalId, reservation }
}

async function become({ path }: Guest, status: string): Promise<void> {
  const answer = await house.ask('PATCH', path, { body: { status } })
  assert.equal(answer.status, 204, answer.text)
}

/** A guest in house who should have left today, and the stay that has the unit from today on. */
async function lateGuest(unitName: string): Promise<{ late: Guest; next: Guest }> {
  const late = await booked(unitName, 1, 2)
  await become(late, 'InHouse')
  return { late, next: await booked(unitName, 2, 4) }
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
      for (const role of ['kiosk', 'frontdesk'])
        await expectRefused(() => asked(unitName, { ...nextNights, externalId }, role))
      const refused = await expectRefused(() =>
        house.ask(
          'PUT',
          `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${externalId}`,
          {
            body: { ...firstCard(unitName), ...nextNights },
            token: tokens.kiosk!,
          },
        ),
      )
      assert.deepEqual(refused.body.errors[0].meta.stayIds, [late.path.split('/').at(-1)], name)
      // The guest who sleeps gets a card.
      const own = await serve(house, unitName, { ...nextNights, externalId: late.externalId })
      assert.match(house.present(own.card, unitName), /^opened/)
      await become(late, 'CheckedOut')
      const card = await serve(house, unitName, { ...nextNights, externalId })
      assert.match(house.present(card.card, unitName), /^opened/, name)
    }
  })
})

describe('a card for an occupied unit', () => {
  it('is made for nobody else, also as an extra unit, as a spare or for one use, unless that is confirmed', async () => {
    const guest = await booked('206', 2, 4)
    await become(guest, 'InHouse')
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

  it('is a copy for the guest, and for nobody whose stay is not there', async () => {
    const guest = await booked('207', 2, 4)
    await become(guest, 'InHouse')
    const next = await booked('207', 4, 6)
    const { externalId } = guest
    await serve(house, '207', { externalId, ...nextNights })
    await serve(house, '207', { externalId, ...nextNights, original: false })
    await serve(house, '207', { ...nextNights, original: false })
    const copy = await asked('207', { externalId: next.externalId, ...nextNights, original: false })
    assert.equal(codeOf(copy), '409 no-original-key')
  })

  it('may be made with a clerk’s word for another stay of the reservation', async () => {
    const parent = await booked('208', 2, 4)
    await become(parent, 'InHouse')
    const child = await booked('209', 2, 4, parent)
    await become(child, 'InHouse')
    const { externalId } = parent
    await expectRefused(() => asked('209', { externalId, ...nextNights }, 'frontdesk'), 'keys.issue')
    const word = { meta: { confirm: true, reason: 'The father fetches the child.' } }
    const made = await asked('209', { externalId, ...nextNights, ...word }, 'frontdesk')
    assert.equal(made.status, 201, made.text)
  })

  it('that would end the card of a guest who comes today needs a clerk’s word', async () => {
    const coming = await booked('210', 2, 4)
    const { card } = await serve(house, '210', { externalId: coming.externalId, ...nextNights })
    await expectRefused(() => asked('210', nextNights, 'frontdesk'), 'keys.issue')
    assert.match(house.present(card, '210'), /^opened/)
    await serve(house, '210', { externalId: coming.externalId, ...nextNights })
  })
})

describe('a guest who checks in while a card of the unit is made', () => {
  it('is the only one who gets in: the card is not handed out', async () => {
    const guest = await booked('211', 2, 4)
    const bin = house.lobby.dispenser.bin.length
    house.lobby.encoder.pace = 40
    const pending = asked('211', nextNights)
    try {
      await until(
        'a key on its way',
        () => house.ask('GET', '/api/v2/access/keys?filter[unitName]=211&filter[status]=pendingWrite'),
        ({ body }) => body.data.length === 1,
      )
      await become(guest, 'InHouse')
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
  const guest = await booked('212', 2, 4)
  await become(guest, 'InHouse')
  house.desk.card = blank()
  assert.equal(codeOf(await house.desk.make('212', nextNights)), '409 unit-occupied')
})
