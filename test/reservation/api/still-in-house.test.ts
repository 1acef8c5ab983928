import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { monday, type Reply } from '../../appliance.ts'
import { guestFound } from '../../guest-found.ts'
import fc from '../../seed.ts'
import { type MadeStay, openHouse, type ReservationHouse, refused, today, tomorrow } from './house.ts'

const day = 24 * 3_600_000

describe('A guest who should have left is in house in the room of the next one', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())
  afterEach(() => void house.clock.set(monday))

  const checkIn = (path: string, token?: string) =>
    house.ask('PATCH', path, { body: { status: 'InHouse' }, ...(token && { token }) })

  interface Given {
    former: MadeStay
    next: MadeStay
    /** The units of one type; the former guest is in the first. */
    unitIds: string[]
  }

  /** The former guest was to leave today, and the next one arrives today for the same room, of so many of its type. */
  async function given(
    rooms: number,
    former: Record<string, unknown> = { firstName: 'Anna', lastName: 'Meier' },
  ): Promise<Given> {
    house.clock.set(monday)
    const { unitTypeId, unitIds } = await house.rooms(rooms)
    const units = [{ unitTypeId, unitId: unitIds[0] }]
    const profiles = [{ role: 'PrimaryGuest', ...former }]
    const first = await house.stay({ units, startDate: today, endDate: tomorrow, profiles })
    assert.equal((await checkIn(first.path)).status, 204)
    const next = await house.stay({
      units,
      startDate: tomorrow,
      endDate: '2026-06-03',
      profiles: [{ role: 'PrimaryGuest', firstName: 'Bea', lastName: 'Novak' }],
    })
    house.clock.advance(day)
    return { former: first, next, unitIds }
  }

  const inHouseOf = ({ body }: Reply) => body.errors[0].meta.inHouse

  it('the desk hears who, since when, and which stay', async () => {
    const { former, next } = await given(1)
    const reply = await checkIn(next.path)
    refused(reply, 409, 'unit-occupied', '/data/attributes/status', { stayIds: [former.id] })
    const [other] = inHouseOf(reply)
    assert.partialDeepStrictEqual(other, {
      stayId: former.id,
      guestName: 'Anna Meier',
      since: today,
      endDate: tomorrow,
    })
    assert.match(
      reply.body.errors[0].detail,
      new RegExp(`in unit ${other.unitName} since ${today}, with departure on ${tomorrow}`),
    )
    assert.ok(former.path.includes(other.reservationId))
  })

  it('the desk hears it, too, where the room is not clean', async () => {
    const { next, unitIds } = await given(1)
    await house.ask('PATCH', `/api/v2/units/${unitIds[0]}`, { body: { status: 'Dirty' } })
    refused(await checkIn(next.path), 409, 'unit-occupied')
  })

  it('the next guest comes in when the former one is checked out', async () => {
    const { former, next, unitIds } = await given(1)
    await house.ask('PATCH', former.path, { body: { status: 'CheckedOut' } })
    await house.ask('PATCH', `/api/v2/units/${unitIds[0]}`, { body: { status: 'Clean' } })
    assert.equal((await checkIn(next.path)).status, 204)
  })

  it('a guest without a name has none in the answer', async () => {
    const { next } = await given(1, { firstName: '', lastName: 'X' })
    assert.equal(inHouseOf(await checkIn(next.path))[0].guestName, 'X')
  })

  it('the answer has the name as it is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Łukasińska', 'O’Neill', '山田', 'van der Berg', 'Ó'),
        async (lastName) => {
          const { next } = await given(1, { firstName: 'Zoë', lastName })
          assert.equal(inHouseOf(await checkIn(next.path))[0].guestName, `Zoë ${lastName}`)
        },
      ),
      { numRuns: 3 },
    )
  })

  /** A kiosk that has found the next guest. */
  async function kioskOf({ id }: MadeStay): Promise<string> {
    const token = await house.tokenOf('kiosk')
    await guestFound(house.ask, token, id)
    return token
  }

  it('a kiosk hears only that the room is not free', async () => {
    const { next } = await given(1)
    const { text, body, status } = await checkIn(next.path, await kioskOf(next))
    assert.deepEqual([status, body.errors[0].code, body.errors[0].meta.guest], [409, 'unit-occupied', 'desk'])
    assert.doesNotMatch(text, /Meier|stayId|since/)
    assert.match(body.errors[0].detail, /not free yet/)
  })

  it('a guest at a kiosk gets another clean room of the type', async () => {
    const { next, unitIds } = await given(2)
    const token = await kioskOf(next)
    const assigned = await house.ask('POST', `${next.path}/unit-assignment`, { token })
    assert.equal(assigned.status, 200, assigned.text)
    assert.equal((await house.attributes(next.path)).units[0].unitId, unitIds[1])
    assert.equal((await checkIn(next.path, token)).status, 204)
  })

  it('a guest at a kiosk is refused before the payment where no other room is ready', async () => {
    const { next, unitIds } = await given(2)
    await house.ask('PATCH', `/api/v2/units/${unitIds[1]}`, { body: { status: 'Dirty' } })
    const token = await kioskOf(next)
    const { status, body, text } = await house.ask('POST', `${next.path}/unit-assignment`, { token })
    assert.deepEqual([status, body.errors[0].code], [409, 'unit-occupied'], text)
    assert.doesNotMatch(text, /Meier/)
    assert.equal((await house.attributes(next.path)).units[0].unitId, unitIds[0], 'the stay keeps its room')
  })

  it('the desk keeps the room of the stay until a person changes it', async () => {
    const { next, unitIds } = await given(2)
    assert.equal((await house.ask('POST', `${next.path}/unit-assignment`)).status, 200)
    assert.equal((await house.attributes(next.path)).units[0].unitId, unitIds[0])
  })

  it('a guest of another day keeps the room at a kiosk', async () => {
    const { next, unitIds } = await given(2)
    house.clock.set(monday)
    const token = await kioskOf(next)
    await house.ask('POST', `${next.path}/unit-assignment`, { token })
    assert.equal((await house.attributes(next.path)).units[0].unitId, unitIds[0])
  })
})
