import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { kioskOf } from '../guest-found.ts'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

/** 12:00 UTC on the second of June, an hour after check-out time in Lisbon. */
const noon = Date.UTC(2026, 5, 2, 12)

let house: HouseWithPins
let guests: GuestsOfUnits
before(async () => {
  house = await houseWithPins()
  guests = await guestsOfUnits(house.ask)
})
after(() => house.stop())

describe('A guest at a kiosk whose room has another guest, and for whom a PIN of that room was made before', () => {
  it('hears that the room is not free, and the stay and its PIN keep that room', async () => {
    house.clock.set(noon - 86_400_000)
    const former = await guests.booked('302', 1, 2)
    await guests.become(former, 'InHouse')
    const next = await guests.booked('302', 2, 4)
    const made = await house.reconcile(next.externalId, {
      unitName: '302',
      startDate: '2026-06-02',
      endDate: '2026-06-04',
    })
    assert.equal(made.status, 200, made.text)
    assert.equal((await house.ask('GET', next.path)).body.data.attributes.units[0].locked, true)
    house.clock.set(noon)
    const token = await kioskOf(house.ask, next.id)
    const { status, body, text } = await house.ask('POST', `${next.path}/unit-assignment`, { token })
    assert.deepEqual(
      [status, body.errors[0].code, body.errors[0].meta.guest],
      [409, 'unit-occupied', 'desk'],
      text,
    )
    const all = await house.ask('POST', `${next.reservation}/unit-assignments`, { token })
    assert.equal(all.status, 200, all.text)
    const [unit] = (await house.ask('GET', next.path)).body.data.attributes.units
    assert.deepEqual([unit.unitName, (await house.key(made.body.data.id)).unitName], ['302', '302'])
    assert.partialDeepStrictEqual(all.body.meta, {
      assigned: [],
      unassigned: [{ stayId: next.id, code: 'unit-occupied' }],
    })
  })
})
