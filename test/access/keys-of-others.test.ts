import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { type Ask, startAppliance } from '../appliance.ts'
import fc from '../seed.ts'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'
import { lockPcDesk } from './lock-pc-desk.ts'
import { sockets } from './sockets.ts'

/** The units and keys of the list, where a guest is in house in the unit and the key of another opens it. */
const ofOthers = async (ask: Ask): Promise<[unitName: string, keyId: string][]> =>
  (await ask('GET', '/api/v2/access/units-with-older-keys')).body.data.flatMap(
    ({
      attributes: { unitName, keys, messages },
    }: {
      attributes: { unitName: string; keys: { keyId: string }[]; messages: { code: string }[] }
    }) =>
      messages.some(({ code }) => code === 'key-of-other-guest')
        ? keys.map(({ keyId }) => [unitName, keyId])
        : [],
  )

describe('a live PIN that opens a unit of another guest', () => {
  let house: HouseWithPins
  let guests: GuestsOfUnits
  before(async () => {
    house = await houseWithPins()
    guests = await guestsOfUnits(house.ask)
  })
  afterEach(() => house.clock.set(Date.UTC(2026, 5, 1, 16)))
  after(() => house.stop())

  const pinFrom = async (unitName: string, externalId: string) => {
    const made = await house.reconcile(externalId, {
      unitName,
      startDate: '2026-06-03',
      endDate: '2026-06-05',
    })
    assert.equal(made.body.data?.attributes.status, 'live', made.text)
    return String(made.body.data.id)
  }

  it('is listed while the guest before has not left, and no longer', async () => {
    const late = await guests.booked('301', 1, 3)
    await guests.become(late, 'InHouse')
    const next = await guests.booked('301', 3, 5)
    const id = await pinFrom('301', next.externalId)
    assert.deepEqual(await ofOthers(house.ask), [])
    house.clock.set(Date.UTC(2026, 5, 3, 20))
    assert.deepEqual(await ofOthers(house.ask), [['301', id]])
    await guests.become(late, 'CheckedOut')
    assert.deepEqual(await ofOthers(house.ask), [])
    await guests.become(next, 'InHouse')
    assert.deepEqual(await ofOthers(house.ask), [])
    await guests.become(next, 'CheckedOut')
  })

  it('is listed where its arrival was postponed and the guest before stays longer', async () => {
    const before = await guests.booked('302', 1, 3)
    await guests.become(before, 'InHouse')
    const next = await guests.booked('302', 3, 5)
    const id = await pinFrom('302', next.externalId)
    const change = async (path: string, body: object) =>
      assert.equal((await house.ask('PATCH', path, { body })).status, 204)
    await change(next.path, { startDate: '2026-06-05', endDate: '2026-06-07' })
    await change(before.path, { endDate: '2026-06-05' })
    house.clock.set(Date.UTC(2026, 5, 3, 20))
    assert.deepEqual(await ofOthers(house.ask), [['302', id]])
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    assert.deepEqual(await ofOthers(house.ask), [])
    await guests.become(before, 'CheckedOut')
    await guests.become(next, 'Canceled')
  })

  it('is listed where the name by which it was ordered is that of no stay, and the guest stays longer', async () => {
    const inside = await guests.booked('302', 1, 3)
    await guests.become(inside, 'InHouse')
    const id = await pinFrom('302', 'ELSEWHERE-1')
    assert.deepEqual(await ofOthers(house.ask), [])
    const longer = await house.ask('PATCH', inside.path, { body: { endDate: '2026-06-05' } })
    assert.equal(longer.status, 204, longer.text)
    house.clock.set(Date.UTC(2026, 5, 3, 20))
    assert.deepEqual(await ofOthers(house.ask), [['302', id]])
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    await guests.become(inside, 'CheckedOut')
  })

  it('is listed exactly while it is valid and only strangers are in house', async () => {
    const cases = fc.record({
      isCompanion: fc.boolean(),
      hasLeft: fc.boolean(),
      hour: fc.integer({ min: 0, max: 23 }),
      unitName: fc.constantFrom('301', '302'),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ isCompanion, hasLeft, hour, unitName }) => {
        house.clock.set(Date.UTC(2026, 5, 1, 16))
        const inside = await guests.booked(unitName, 1, 3)
        await guests.become(inside, 'InHouse')
        const next = await guests.booked(unitName, 3, 5, isCompanion ? inside : undefined)
        const id = await pinFrom(unitName, next.externalId)
        if (hasLeft) await guests.become(inside, 'CheckedOut')
        const now = Date.UTC(2026, 5, 3, hour)
        house.clock.set(now)
        const { validFrom } = await house.key(id)
        const isListed = !isCompanion && !hasLeft && Date.parse(String(validFrom)) <= now
        assert.deepEqual(await ofOthers(house.ask), isListed ? [[unitName, id]] : [])
        if (!hasLeft) await guests.become(inside, 'CheckedOut')
        await guests.become(next, 'Canceled')
      }),
      { numRuns: 12 },
    )
  })
})

it('a card with the unit of the next guest as an extra unit is listed there', async (test) => {
  const house = await startAppliance()
  const plugs = sockets()
  test.after(async () => {
    await house.stop()
    plugs.close()
  })
  const { desk } = await lockPcDesk(house, plugs, { rooms: ['101', '102'], provider: { maxExtraUnits: 3 } })
  const guests = await guestsOfUnits(house.ask)
  const first = await guests.booked('101', 1, 3)
  await guests.become(first, 'InHouse')
  const made = await house.ask('POST', `/api/v2/access/controllers/${desk}/key`, {
    body: {
      type: 'keyCard',
      original: true,
      unitName: '101',
      extraUnits: ['102'],
      startDate: '2026-06-01',
      endDate: '2026-06-03',
      externalId: first.externalId,
    },
  })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(await ofOthers(house.ask), [])
  const next = await guests.booked('102', 1, 3)
  await guests.become(next, 'InHouse')
  assert.deepEqual(await ofOthers(house.ask), [['102', made.body.data.id]])
})

describe('lock codes that were exchanged by mistake, and corrected', () => {
  let house: HouseWithDesk
  let guests: GuestsOfUnits
  before(async () => {
    house = await houseWithDesk()
    guests = await guestsOfUnits(house.ask)
  })
  after(() => house.stop())

  const exchange = async (one: string, other: string) => {
    const path = `/api/config/v1/access-providers/${house.providerId}`
    const { unitMapping } = (await house.ask('GET', path)).body.data.attributes
    const codes = new Map<string, string>(
      unitMapping.map(({ unitName, externalCode }: Record<string, string>) => [unitName, externalCode]),
    )
    const changed = unitMapping.map((entry: { unitName: string }) => {
      const from = { [one]: other, [other]: one }[entry.unitName]
      return from ? { ...entry, externalCode: codes.get(from) } : entry
    })
    assert.equal((await house.ask('PATCH', path, { body: { unitMapping: changed } })).status, 204)
  }
  const cardOf = async (unitName: string, externalId: string) => {
    await idle(house)
    const path = `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/${externalId}`
    const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
    const made = await house.ask('PUT', path, {
      body: { type: 'keyCard', unitName, original: true, ...dates },
    })
    assert.equal(made.status, 200, made.text)
    await idle(house)
    return { id: String(made.body.data.id), card: house.lobby.dispenser.taken.at(-1)! }
  }

  it('leave no live card of the other door: it ends with the next card of its guest', async () => {
    await exchange('201', '202')
    const guest = await guests.booked('201', 1, 3)
    await guests.become(guest, 'InHouse')
    const wrong = await cardOf('201', guest.externalId)
    assert.equal(house.present(wrong.card, '202'), 'opened-newer')
    await exchange('201', '202')
    const right = await cardOf('201', guest.externalId)
    assert.equal(house.present(right.card, '201'), 'opened-newer')
    assert.equal((await house.key(wrong.id)).status, 'revocationPending')
    const next = await guests.booked('202', 1, 3)
    await guests.become(next, 'InHouse')
    const own = await cardOf('202', next.externalId)
    assert.equal(house.present(own.card, '202'), 'opened-newer')
    assert.equal(house.present(wrong.card, '202'), 'superseded')
    assert.equal((await house.key(right.id)).status, 'live')
  })

  it('list the card meanwhile where a guest is in house behind that door', async () => {
    await exchange('203', '204')
    const guest = await guests.booked('203', 1, 3)
    await guests.become(guest, 'InHouse')
    const wrong = await cardOf('203', guest.externalId)
    await exchange('203', '204')
    const next = await guests.booked('204', 1, 3)
    await guests.become(next, 'InHouse')
    assert.deepEqual(await ofOthers(house.ask), [['204', wrong.id]])
  })
})
