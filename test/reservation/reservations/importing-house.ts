import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openHouse, type ReservationHouse, today } from '../api/house.ts'

export type Values = Record<string, unknown>

/** A house for the tests of a file that import bookings again, with two unit types of 40 units. */
export function importingHouse() {
  let house: ReservationHouse
  let single: Awaited<ReturnType<ReservationHouse['rooms']>>
  let double: Awaited<ReturnType<ReservationHouse['rooms']>>
  before(async () => {
    house = await openHouse()
    single = await house.rooms(40)
    double = await house.rooms(40)
  })
  after(() => house.stop())

  let count = 0
  const fresh = () => `AGAIN-${++count}`

  /** A booking as a file of another system has it. */
  const booking = (externalId: string, stay: Values = {}, more: Values = {}) => ({
    externalId,
    channel: 'Website',
    ...more,
    stays: [
      {
        externalId,
        status: 'Confirmed',
        startDate: today,
        endDate: '2026-06-03',
        personCount: { adults: 1 },
        units: [{ unitTypeId: single.unitTypeId }],
        reservationIds: [{ type: 'Confirmation', value: externalId }],
        amount: { currency: 'EUR', amountWithTax: 218 },
        comment: 'Quiet room',
        profiles: [
          {
            role: 'PrimaryGuest',
            firstName: 'Sofía',
            lastName: 'García',
            emails: [{ address: 's@example.com' }],
          },
        ],
        ...stay,
      },
    ],
  })
  async function send(data: unknown[], query = '', token = 'demo') {
    const reply = await house.ask('POST', `/api/config/v1/imports${query}`, { body: { data }, token })
    assert.equal(reply.status, 200, reply.text)
    return reply.body.meta
  }

  async function row(data: object, query = '', token = 'demo') {
    const { rows } = await send([data], query, token)
    return rows[0]
  }

  /** The reservation, its only stay, and its first guest, as they are read. */
  async function stored(id: string) {
    const reservation = await house.attributes(`/api/v2/reservations/${id}`)
    const [stay] = reservation.stays
    const path = `/api/v2/reservations/${id}/stays/${stay.id}`
    const guest = stay.profiles[0] && (await house.attributes(`/api/v2/profiles/${stay.profiles[0].id}`))
    return { reservation, stay, path, guest }
  }

  return {
    fresh,
    booking,
    send,
    row,
    stored,
    /** The externalId that `fresh` gave last. */
    get latest() {
      return `AGAIN-${count}`
    },
    get house() {
      return house
    },
    get single() {
      return single
    },
    get double() {
      return double
    },
  }
}

/** The members in which a row differs. */
export const fieldsOf = (result: { differences: { field: string }[] }) =>
  result.differences.map(({ field }) => field)
