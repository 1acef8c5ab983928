import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import fc from '../seed.ts'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins
let guests: GuestsOfUnits
before(async () => {
  house = await houseWithPins()
  guests = await guestsOfUnits(house.ask)
})
beforeEach(() => house.clock.set(today))
after(() => house.stop())

const today = Date.UTC(2026, 5, 1, 16)
const ahead = Date.UTC(2026, 5, 8, 16)
let stays = 0
const newStay = () => `AHEAD-${++stays}`

type Made = { id: string; pin: string }

async function made(body: Record<string, unknown> = {}): Promise<Made> {
  const answer = await house.make(body)
  assert.equal(answer.status, 201, answer.text)
  const { id, attributes } = answer.body.data
  return { id, pin: attributes.pin }
}

const path = (id: string) => `/api/v2/access/keys/${id}`
const hasStatus = (id: string, wanted: string) =>
  until(
    wanted,
    () => house.key(id),
    ({ status }) => status === wanted,
  )

/** Sets the clock ahead until the key has expired, does something, and sets the clock back. */
async function whileAhead(id: string, work: () => Promise<unknown>): Promise<void> {
  house.clock.set(ahead)
  await hasStatus(id, 'expired')
  await work()
  house.clock.set(today + 3_600_000)
}

/** The key when its lock system has confirmed that it ended. */
const ended = (id: string) =>
  until(
    'the end of the key',
    () => house.key(id),
    ({ proof }) => proof === 'lock-acknowledged',
  )

const ways = {
  delete: (id: string) => house.ask('DELETE', path(id)),
  block: (id: string) => house.ask('POST', `${path(id)}/actions/block`),
  past: (id: string) =>
    house.ask('PUT', path(id), {
      body: { type: 'key', unitName: '301', original: true, startDate: '2026-05-30', endDate: '2026-05-31' },
    }),
}
type Way = keyof typeof ways
const allWays = Object.keys(ways) as Way[]

/** The status that each way gives a key that is still open, and one that has expired. */
const statusBy = { delete: 'removed', block: 'blocked', past: 'invalidated' } as const

describe('a PIN that a person ends while the clock is ahead', () => {
  for (const way of allWays)
    it(`does not open again when the clock is set back: ${way}`, async () => {
      const { id, pin } = await made({ externalId: newStay() })
      await whileAhead(id, async () => {
        const { status, text } = await ways[way](id)
        assert.ok(status === 200 || status === 204, text)
        const key = await house.key(id)
        assert.deepEqual([key.status, key.mayOpen, key.proof], [statusBy[way], false, 'validity-over'])
      })
      assert.equal((await ended(id)).status, statusBy[way])
      assert.equal(house.opens('301', pin), false)
    })

  it('ends however often, and in whatever order, it is asked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...allWays), { maxLength: 4 }), async (asked) => {
        house.clock.set(today)
        const { id, pin } = await made({ externalId: newStay() })
        await whileAhead(id, async () => {
          for (const way of asked) await ways[way](id)
        })
        if (asked[0]) assert.equal((await ended(id)).status, statusBy[asked[0]])
        else assert.equal((await hasStatus(id, 'live')).mayOpen, true)
        assert.equal(house.opens('301', pin), asked.length === 0)
      }),
      { numRuns: 8 },
    )
  })

  it('was never made where it was virtual, and is gone at once', async () => {
    const later = { startDate: '2026-06-05', endDate: '2026-06-07' }
    const { id } = await made({ ...later, externalId: newStay() })
    assert.equal((await house.key(id)).status, 'virtual')
    await whileAhead(id, () => ways.delete(id))
    const still = await made({ ...later, externalId: newStay() })
    await whileAhead(still.id, async () => {})
    await hasStatus(still.id, 'virtual')
    const { status, mayOpen, proof } = await house.key(id)
    assert.deepEqual([status, mayOpen, proof], ['removed', false, 'never-made'])
  })
})

describe('a PIN at whose door something happened while the clock was ahead', () => {
  it('does not open for the guest before when the next guest is in house', async () => {
    const { id, pin } = await made({ unitName: '302', endDate: '2026-06-02' })
    const next = await guests.booked('302', 8, 10)
    await whileAhead(id, () => guests.become(next, 'InHouse'))
    await ended(id)
    assert.equal(house.opens('302', pin), false)
    await guests.become(next, 'CheckedOut')
  })

  it('does not open the unit that its guest has left for another', async () => {
    const guest = await guests.booked('301', 1, 3)
    const other = await guests.booked('302', 20, 22)
    await guests.become(guest, 'InHouse')
    const { id, pin } = await made({ externalId: guest.externalId })
    await whileAhead(id, async () => {
      const { units } = (await house.ask('GET', other.path)).body.data.attributes
      const [{ unitId, unitTypeId }] = units
      const moved = await house.ask('PATCH', guest.path, { body: { units: [{ unitId, unitTypeId }] } })
      assert.equal(moved.status, 204, moved.text)
    })
    await ended(id)
    assert.equal(house.opens('301', pin), false)
    await guests.become(guest, 'CheckedOut')
  })

  it('opens again for the guest who is still there', async () => {
    const guest = await guests.booked('301', 1, 3)
    await guests.become(guest, 'InHouse')
    const { id, pin } = await made({ externalId: guest.externalId })
    await whileAhead(id, async () => {})
    await hasStatus(id, 'live')
    assert.equal(house.opens('301', pin), true)
    await guests.become(guest, 'CheckedOut')
  })

  it('does not open for a guest who has checked out', async () => {
    const guest = await guests.booked('301', 1, 3)
    await guests.become(guest, 'InHouse')
    const { id, pin } = await made({ externalId: guest.externalId })
    await whileAhead(id, () => guests.become(guest, 'CheckedOut'))
    await ended(id)
    assert.equal(house.opens('301', pin), false)
  })
})
