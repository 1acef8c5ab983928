import type { Bookings } from './bookings.ts'
import { type Body, type Operation, refusal } from './gateway.ts'
import { unknown } from './reservations.ts'

const one = '/csh/v1/hotels/{hotelId}/reservations/{reservationId}'
const cents = 100

/** Payments, folios and check-out. Amounts are kept in cents. */
export function cashiering(house: Bookings): Record<string, Operation> {
  const stayOf = (ids: Record<string, string>) => house.stays.get(ids.reservationId ?? '')
  const isCashier = (id: unknown) => typeof id === 'number' && house.cashiers.has(id)
  const noCashier = () => refusal('CSH00010', 'The cashier is not open.')
  let lastNumber = 700

  return {
    [`POST ${one}/payments`]: ({ ids, body }) => {
      const stay = stayOf(ids)
      if (!stay) return unknown()
      const criteria = (body.criteria ?? {}) as Body
      if (!isCashier(criteria.cashierId)) return noCashier()
      const { paymentMethod = '' } = (criteria.paymentMethod ?? {}) as { paymentMethod?: string }
      if (!house.codes.payment.has(paymentMethod))
        return refusal('CSH00011', `The payment method ${paymentMethod} is not valid.`)
      const { amount = 0 } = (criteria.postingAmount ?? {}) as { amount?: number }
      const minor = Math.round(amount * cents)
      lastNumber++
      const reference = String(criteria.postingReference ?? '')
      house.payments.push({
        transactionNo: lastNumber,
        stayId: stay.id,
        method: paymentMethod,
        amount: minor,
        reference,
      })
      house.change(stay.id, { balance: stay.balance - minor })
      return [201, { postings: [{ transactionNo: lastNumber, reference }] }]
    },

    [`GET ${one}/folios`]: ({ ids }) => {
      const stay = stayOf(ids)
      if (!stay) return unknown()
      const own = house.payments.filter(({ stayId }) => stayId === stay.id)
      const postings = own.map(({ transactionNo, reference, amount }) => ({
        transactionNo,
        reference,
        creditAmount: { amount: amount / cents, currencyCode: 'EUR' },
      }))
      const folioWindows = [{ folioWindowNo: 1, folios: [{ postings }] }]
      return [200, { reservationFolioInformation: { folioWindows } }]
    },

    [`POST ${one}/folios`]: ({ ids, body }) => {
      const stay = stayOf(ids)
      if (!stay) return unknown()
      if (!isCashier((body.criteria as Body | undefined)?.cashierId)) return noCashier()
      if (stay.status !== 'InHouse') return refusal('CSH00012', `The reservation is ${stay.status}.`)
      house.change(stay.id, { hasFolio: true })
      return [201, { folioWindows: [] }]
    },

    [`PUT ${one}/earlyDeparture`]: ({ ids, body }) => {
      const stay = stayOf(ids)
      if (!stay) return unknown()
      if (!isCashier((body.criteria as Body | undefined)?.cashierId)) return noCashier()
      if (stay.status !== 'InHouse') return refusal('CSH00013', `The reservation is ${stay.status}.`)
      house.change(stay.id, { departure: house.businessDate })
      return [200, {}]
    },

    [`POST ${one}/checkOuts`]: ({ ids, body }) => {
      const stay = stayOf(ids)
      if (!stay) return unknown()
      if (!isCashier((body.reservation as Body | undefined)?.cashierId)) return noCashier()
      if (stay.status !== 'InHouse' || stay.departure !== house.businessDate)
        return refusal('CSH00014', 'The reservation is not due out.')
      if (stay.balance !== 0) return refusal('CSH00015', 'The folio has an open balance.')
      if (!stay.hasFolio) return refusal('CSH00016', 'No folio was generated.')
      house.change(stay.id, { status: 'CheckedOut' })
      const room = house.rooms.get(stay.roomId ?? '')
      if (room) room.status = 'Dirty'
      return [201, {}]
    },

    [`PUT ${one}/checkOuts/reinstate`]: ({ ids, body }) => {
      const stay = stayOf(ids)
      if (!stay) return unknown()
      if (!isCashier(body.cashierId)) return noCashier()
      const isToday = stay.status === 'CheckedOut' && stay.departure === house.businessDate
      if (!isToday) return refusal('CSH00017', 'The reservation was not checked out today.')
      house.change(stay.id, { status: 'InHouse' })
      return [200, {}]
    },
  }
}
