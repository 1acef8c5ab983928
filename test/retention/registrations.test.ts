import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { openHouse, type ReservationHouse, today } from '../reservation/api/house.ts'
import { configure, whole } from '../reservation/api/registering.ts'

const day = 86_400_000
const dayAfter = (days: number) => new Date(Date.parse(today) + days * day).toISOString().slice(0, 10)

/** After how many days each guest departs. */
const departures = [1, 11, 21, 31, 61]
const registrationDays = 40

interface Guest {
  reservation: string
  profile: string
  departure: number
}

describe('the registration of a guest', () => {
  let house: ReservationHouse
  const guests: Guest[] = []
  before(async () => {
    house = await openHouse()
    await configure(house, {
      registrationFields: ['lastName'],
      registrationDays,
      recordDays: 30,
      personalDataDays: 30,
    })
    for (const departure of departures) {
      const { id, path, reservation } = await house.stay({
        endDate: dayAfter(departure),
        profiles: [{ role: 'PrimaryGuest', firstName: `Guest ${departure}`, lastName: 'Zwiebelhuber' }],
      })
      const { profiles } = await house.attributes(path)
      const put = await house.ask('PUT', `/api/v2/stays/${id}/registrations/${profiles[0].id}`, {
        body: whole,
      })
      assert.equal(put.status, 204, put.text)
      guests.push({ reservation, profile: `/api/v2/profiles/${profiles[0].id}`, departure })
    }
  })
  after(() => house.stop())

  const count = async () => (await house.ask('GET', '/api/v2/registrations')).body.data.length
  const isThere = async (path: string) => (await house.ask('GET', path)).status === 200

  it('is kept as long as the settings say after the departure, and the booking with it', async () => {
    assert.equal(await count(), departures.length)
    let passed = 0
    // Just before and just after each of them is old, in every time zone.
    for (const departure of departures)
      for (const [until_, isOld] of [
        [departure + registrationDays, false],
        [departure + registrationDays + 3, true],
      ] as const) {
        house.clock.advance((until_ - passed) * day)
        passed = until_
        await house.restart()
        const left = departures.filter((each) => each > departure || (each === departure && !isOld))
        await until(
          `${left.length} registrations after ${passed} days`,
          count,
          (found) => found === left.length,
        )
        const own = guests.find((each) => each.departure === departure)!
        await until(
          `the booking after ${passed} days`,
          () => isThere(own.reservation),
          (found) => found !== isOld,
        )
      }
    assert.equal(await count(), 0)
  })

  it('leaves nothing that refers to it: the profiles go too', async () => {
    house.clock.advance(2 * day)
    await house.restart()
    for (const { profile } of guests)
      await until(
        'no profile',
        () => isThere(profile),
        (found) => !found,
      )
    const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
    assert.equal(checks['storage:retention'], undefined)
  })
})
