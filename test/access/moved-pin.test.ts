import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import fc from '../seed.ts'
import { passTime } from '../test-clock.ts'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins
let guests: GuestsOfUnits
const first = Date.UTC(2026, 5, 1, 16)
const due = Date.UTC(2026, 5, 10, 16)

before(async () => {
  house = await houseWithPins()
  guests = await guestsOfUnits(house.ask)
  await sendAutomatically(true)
})
afterEach(() => {
  house.cloud.misbehaviours.length = 0
  house.clock.set(first)
})
after(() => house.stop())

async function sendAutomatically(autoMaterialize: boolean) {
  const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  const answer = await house.ask('PATCH', `/api/config/v1/settings/${id}`, { body: { autoMaterialize } })
  assert.equal(answer.status, 204, answer.text)
}

async function held(unitName = '301') {
  const guest = await guests.booked(unitName, 10, 12)
  const dates = { unitName, startDate: '2026-06-10', endDate: '2026-06-12' }
  const { body, text } = await house.reconcile(guest.externalId, dates)
  assert.equal(body.data?.attributes.status, 'virtual', text)
  return { guest, id: String(body.data.id), pin: body.data.attributes.pin }
}

async function moveTo({ path }: Guest, ...names: string[]) {
  const units = await Promise.all(
    names.map(async (name) => {
      const [unit] = (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data
      return { unitId: unit.id, unitTypeId: unit.attributes.unitTypeId }
    }),
  )
  const answer = await house.ask('PATCH', path, { body: { units } })
  assert.equal(answer.status, 204, answer.text)
}

const live = (id: string) =>
  until(
    'a live PIN',
    () => house.key(id),
    ({ status }) => status === 'live',
  )
const listed = async (id: string): Promise<string[]> =>
  (await house.ask('GET', '/api/v2/access/units-with-older-keys')).body.data.flatMap(
    ({
      attributes: { keys, messages },
    }: {
      attributes: { keys: { keyId: string }[]; messages: { code: string }[] }
    }) => (keys.some(({ keyId }) => keyId === id) ? messages.map(({ code }) => code) : []),
  )
async function over({ path }: Guest) {
  const { status } = (await house.ask('GET', path)).body.data.attributes
  await guests.become({ path } as Guest, status === 'InHouse' ? 'CheckedOut' : 'Canceled')
}

describe('a PIN that waits for a stay which is moved', () => {
  it('is sent for the new unit when it is due, with the same digits', async () => {
    const { guest, id, pin } = await held()
    await moveTo(guest, '302')
    house.clock.set(due)
    await guests.become(guest, 'InHouse')
    const { unitName } = await live(id)
    assert.deepEqual([unitName, house.opens('302', pin), house.opens('301', pin)], ['302', true, false])
    assert.deepEqual(await listed(id), [])
    await over(guest)
  })

  it('is sent for the new unit of a guest who has not arrived', async () => {
    const { guest, id, pin } = await held('302')
    await moveTo(guest, '301')
    house.clock.set(due)
    await live(id)
    assert.deepEqual([house.opens('301', pin), house.opens('302', pin)], [true, false])
    await over(guest)
  })

  it('is sent for its unit where the stay has come back to it', async () => {
    const { guest, id, pin } = await held()
    await moveTo(guest, '302')
    await moveTo(guest, '301')
    house.clock.set(due)
    await live(id)
    assert.deepEqual([house.opens('301', pin), house.opens('302', pin)], [true, false])
    await over(guest)
  })

  it('is sent for its unit under the new name of that', async () => {
    const { guest, id, pin } = await held()
    const [unit] = (await house.ask('GET', '/api/v2/units?filter[name]=301')).body.data
    const rename = (name: string) => house.ask('PATCH', `/api/v2/units/${unit.id}`, { body: { name } })
    assert.equal((await rename('Room 301')).status, 204)
    house.clock.set(due)
    assert.equal((await live(id)).unitName, 'Room 301')
    assert.equal(house.opens('301', pin), true)
    assert.equal((await rename('301')).status, 204)
    await over(guest)
  })

  it('waits for a person where the stay has several units, or one without a lock', async () => {
    const { guest: several, id: one } = await held()
    await moveTo(several, '302', '303')
    const { guest: elsewhere, id: other } = await held()
    await moveTo(elsewhere, '304')
    assert.deepEqual([await listed(one), await listed(other)], [[], []])
    house.clock.set(due)
    await passTime(40_000)
    for (const id of [one, other]) {
      assert.equal((await house.key(id)).status, 'virtual')
      assert.deepEqual(await listed(id), ['pin-not-sent'])
    }
    const dates = { unitName: '302', startDate: '2026-06-10', endDate: '2026-06-12' }
    assert.equal((await house.reconcile(several.externalId, dates)).status, 200)
    await live(one)
    assert.deepEqual(await listed(one), [])
    await over(several)
    await over(elsewhere)
    assert.deepEqual(await listed(other), [])
  })

  it('is listed where its orderer sends it, until that has named the new unit', async () => {
    await sendAutomatically(false)
    const { guest: moved, id } = await held()
    await moveTo(moved, '302')
    const { guest: there, id: unmoved } = await held()
    house.clock.set(due)
    assert.deepEqual([await listed(id), await listed(unmoved)], [['pin-not-sent'], []])
    const dates = { unitName: '302', startDate: '2026-06-10', endDate: '2026-06-12' }
    assert.equal((await house.reconcile(moved.externalId, dates)).status, 200)
    assert.deepEqual(await listed(id), [])
    await over(moved)
    await over(there)
    await sendAutomatically(true)
  })

  it('is listed while a guest in the new unit has not left', async () => {
    const inside = await guests.booked('302', 1, 3)
    await guests.become(inside, 'InHouse')
    const { guest, id, pin } = await held()
    await moveTo(guest, '302')
    house.clock.set(due)
    await until(
      'the list',
      () => listed(id),
      (codes) => codes.includes('pin-not-sent'),
    )
    assert.equal(house.opens('302', pin), false)
    await guests.become(inside, 'CheckedOut')
    await live(id)
    assert.equal(house.opens('302', pin), true)
    await over(guest)
  })

  it('opens the last unit of its stay and no other, after any moves', async () => {
    const moves = fc.array(fc.constantFrom('301', '302'), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('301', '302'), moves, async (from, ways) => {
        house.clock.set(first)
        const { guest, id, pin } = await held(from)
        for (const name of ways) await moveTo(guest, name)
        house.clock.set(due)
        await live(id)
        const opened = ['301', '302'].filter((name) => house.opens(name, pin))
        assert.deepEqual(opened, [ways.at(-1)])
        await over(guest)
        await until(
          'the end of the PIN',
          () => house.key(id),
          ({ mayOpen }) => mayOpen === false,
        )
      }),
      { numRuns: 5 },
    )
  })
})

describe('a PIN in doubt of a guest who has another unit by now', () => {
  /** The next guest has a card of another lock system, or none yet. */
  async function moved() {
    // As a PMS leaves it that moves a guest.
    const guest = await guests.booked('302', 1, 3)
    await guests.become(guest, 'InHouse')
    house.cloud.misbehaviours.push(
      { at: 'add', does: 'late' },
      { at: 'listPasscodes', does: 'refuse', code: 'http500' },
    )
    const lost = await house.make({ externalId: guest.externalId })
    const { keyId } = lost.body.errors[0].meta
    assert.equal((await house.key(keyId)).status, 'unknown')
    const next = await guests.booked('301', 1, 3)
    await guests.become(next, 'InHouse')
    const digits = house.cloud.requests.filter(({ call }) => call === 'add').at(-1)!.fields.keyboardPwd
    assert.ok(house.opens('301', digits))
    return { guest, next, keyId: String(keyId), digits }
  }
  const leave = async (...all: Guest[]) => {
    for (const each of all) await guests.become(each, 'CheckedOut')
  }

  it('is taken away when it is found, and does not open on for the guest who is there', async () => {
    const { guest, next, keyId, digits } = await moved()
    house.clock.advance(40_000)
    const row = await until(
      'the end of the key',
      () => house.key(keyId),
      ({ status }) => status !== 'unknown' && status !== 'revocationPending',
    )
    assert.deepEqual([row.status, row.proof], ['invalidated', 'lock-acknowledged'])
    assert.ok(!house.opens('301', digits))
    await leave(guest, next)
  })

  it('is not made there by a repeat of its order', async () => {
    const { guest, next } = await moved()
    const told = house.told()
    const again = await house.reconcile(guest.externalId)
    assert.deepEqual([again.status, again.body.errors[0].code], [409, 'unit-occupied'], again.text)
    assert.equal(house.told(), told)
    // What a person has confirmed is kept when the lock system has answered.
    const word = { meta: { confirm: true, reason: 'The guests have met.' } }
    const confirmed = await house.make({ externalId: guest.externalId, original: true, ...word })
    assert.deepEqual(
      [confirmed.status, confirmed.body.data?.attributes.status],
      [201, 'live'],
      confirmed.text,
    )
    await leave(guest, next)
  })
})
