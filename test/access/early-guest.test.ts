import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Reply } from '../appliance.ts'
import fc from '../seed.ts'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

const override = { confirm: true, reason: 'a key for the next guest' }

/** The sample property is in Lisbon, whose check-in time of 15:00 is 14:00 UTC. */
const ten = Date.UTC(2026, 5, 1, 9)
const checkIn = '2026-06-01T14:00:00.000Z'

let house: HouseWithPins
let guests: GuestsOfUnits
before(async () => {
  house = await houseWithPins()
  guests = await guestsOfUnits(house.ask)
})
after(() => house.stop())
beforeEach(() => house.clock.set(ten))

async function withGuest(unitName: string, status: string | null, work: (guest: Guest) => Promise<void>) {
  const guest = await guests.booked(unitName, 1, 3)
  if (status) await guests.become(guest, status)
  try {
    await work(guest)
  } finally {
    if (status === 'InHouse') await guests.become(guest, 'CheckedOut')
    else await guests.become(guest, 'Canceled')
  }
}

function expectBegins({ status, body, text }: Reply, from: string, begins: string): string {
  assert.ok(status === 200 || status === 201, text)
  assert.deepEqual([body.data.attributes.validFrom, body.meta.begins], [from, begins])
  return body.data.attributes.pin
}

const now = () => new Date(Math.floor(house.clock.now() / 60_000) * 60_000).toISOString()

describe('A key of today without a time, before check-in time', () => {
  it('opens at once where the stay that its externalId names is in house', () =>
    withGuest('301', 'InHouse', async ({ externalId }) => {
      const pin = expectBegins(await house.make({ externalId }), now(), 'inHouse')
      assert.ok(house.opens('301', pin))
    }))

  it('opens at once where the id of the stay names it', () =>
    withGuest('301', 'InHouse', async ({ id }) => {
      expectBegins(await house.make({ externalId: id }), now(), 'inHouse')
    }))

  it('opens at once where it names no stay, and a guest is in house in its unit', () =>
    withGuest('302', 'InHouse', async () => {
      const meta = { confirm: true, reason: 'a key for a visitor' }
      const pin = expectBegins(await house.make({ unitName: '302', meta }), now(), 'inHouse')
      assert.ok(house.opens('302', pin))
    }))

  for (const [leaves, until] of [
    [2, 4],
    [2, 3],
    [3, 4],
  ] as const)
    it(`opens at check-in time where it names no stay, ends on the ${until}th, and the guest in its unit leaves on the ${leaves}th`, async () => {
      house.clock.set(ten)
      const guest = await guests.booked('302', 1, leaves)
      await guests.become(guest, 'InHouse')
      house.clock.set(ten + 86_400_000)
      const dates = { startDate: '2026-06-02', endDate: `2026-06-0${until}` }
      const made = await house.make({ unitName: '302', ...dates, ...(leaves === 3 && { meta: override }) })
      const pin = expectBegins(made, '2026-06-02T14:00:00.000Z', 'checkInTime')
      assert.ok(!house.opens('302', pin))
      await guests.become(guest, 'CheckedOut')
    })

  it('opens at once as the key of a stay, and the same request later changes nothing', () =>
    withGuest('301', 'InHouse', async ({ externalId }) => {
      expectBegins(await house.reconcile(externalId), now(), 'inHouse')
      const [from, reported] = [now(), house.told()]
      house.clock.advance(600_000)
      expectBegins(await house.reconcile(externalId), from, 'inHouse')
      assert.equal(house.told(), reported)
    }))

  it('opens at once as a copy', () =>
    withGuest('301', 'InHouse', async ({ externalId }) => {
      await house.make({ externalId })
      const pin = expectBegins(await house.make({ externalId, original: false }), now(), 'inHouse')
      assert.ok(house.opens('301', pin))
    }))

  it('opens at once when it was made before the guest was let in, and is asked for again', () =>
    withGuest('301', null, async (guest) => {
      const { externalId } = guest
      const pin = expectBegins(await house.reconcile(externalId), checkIn, 'checkInTime')
      assert.ok(!house.opens('301', pin))
      await guests.become(guest, 'InHouse')
      expectBegins(await house.reconcile(externalId), now(), 'inHouse')
      assert.ok(house.opens('301', pin))
      await guests.become(guest, 'Confirmed')
    }))

  it('is changed as the key of its own stay, also when another stay has got the same externalId', () =>
    withGuest('301', 'InHouse', async ({ externalId }) => {
      const made = [await house.make({ externalId }), await house.make({ externalId, original: false })]
      const other = await guests.booked('301', 5, 7)
      assert.equal((await house.ask('PATCH', other.path, { body: { externalId } })).status, 204)
      for (const { body } of made) {
        const { id, attributes } = body.data
        const { unitName, original, startDate } = attributes
        const change = { type: 'pinCode', unitName, original, startDate, endDate: '2026-06-02', externalId }
        const put = await house.ask('PUT', `/api/v2/access/keys/${id}`, { body: change })
        assert.equal(put.status, 204, put.text)
        assert.ok(house.opens('301', attributes.pin))
      }
      await guests.become(other, 'Canceled')
    }))

  it('opens at check-in time where its stay is only expected', () =>
    withGuest('301', null, async ({ externalId }) => {
      const pin = expectBegins(await house.make({ externalId }), checkIn, 'checkInTime')
      assert.ok(!house.opens('301', pin))
      assert.ok(house.opens('301', pin, Date.parse(checkIn)))
    }))

  it('opens at check-in time in a unit without a guest', async () => {
    expectBegins(await house.make({ externalId: 'UNKNOWN' }), checkIn, 'checkInTime')
  })

  it('opens at its own time where it has one', () =>
    withGuest('301', 'InHouse', async ({ externalId }) => {
      const made = await house.make({ externalId, startTime: '12:00' })
      expectBegins(made, '2026-06-01T11:00:00.000Z', 'startTime')
    }))

  it('opens at check-in time of its own day where that is tomorrow', () =>
    withGuest('301', 'InHouse', async ({ externalId }) => {
      const made = await house.make({ externalId, startDate: '2026-06-02' })
      expectBegins(made, '2026-06-02T14:00:00.000Z', 'checkInTime')
    }))

  it('opens at once at any minute from midnight on', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 15 * 60 - 1 }), async (minute) => {
        house.clock.set(Date.UTC(2026, 4, 31, 23, minute))
        await withGuest('302', 'InHouse', async ({ externalId }) => {
          expectBegins(await house.make({ unitName: '302', externalId }), now(), 'inHouse')
        })
      }),
      { numRuns: 8 },
    ))
})

describe('A card of today without a time, before check-in time', () => {
  it('opens at once where its guest is in house, and the answer says so', async () => {
    const controllers = (await house.ask('GET', '/api/v2/access/controllers')).body.data
    const { id } = controllers.find(
      ({ attributes }: { attributes: { keyType: string } }) => attributes.keyType === 'keyCard',
    )
    await withGuest('201', 'InHouse', async ({ externalId }) => {
      const card = {
        type: 'keyCard',
        unitName: '201',
        original: true,
        startDate: '2026-06-01',
        endDate: '2026-06-03',
        externalId,
      }
      const made = await house.ask('POST', `/api/v2/access/controllers/${id}/key`, { body: card })
      expectBegins(made, now(), 'inHouse')
    })
  })
})
