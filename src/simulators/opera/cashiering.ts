import type { Bookings, SimulatedStay } from './bookings.ts'
import { type Body, type Operation, refusal } from './gateway.ts'
import { onStay } from './reservations.ts'

const one = '/csh/v1/hotels/{hotelId}/reservations/{reservationId}'
const cents = 100

/** Payments, folios and check-out. Amounts are kept in cents. */
export function cashiering(house: Bookings): Record<string, Operation> {
  let lastNumber = 700

  /** An operation of a cashier, whose id is in a member of the body, or in the body itself. */
  const byCashier = (
    member: string | null,
    run: (stay: SimulatedStay, details: Body) => ReturnType<Operation>,
  ) =>
    onStay(house, (stay, { body }) => {
      const details = ((member === null ? body : body[member]) ?? {}) as Body
      const isOpen = house.cashiers.has(details.cashierId as number)
      return isOpen ? run(stay, details) : refusal('CSH00010', 'The cashier is not open.')
    })

  return {
    [`POST ${one}/payments`]: byCashier('criteria', (stay, criteria) => {
      const { paymentMethod = '' } = (criteria.paymentMethod ?? {}) as { paymentMethod?: string }
      if (!house.codes.payment.has(paymentMethod))
        return refusal('CSH00011', `The payment method ${paymentMethod} is not valid.`)
      const { amount = 0 } = (criteria.postingAmount ?? {}) as { amount?: number }
      const minor = Math.round(amount * cents)
      const transactionNo = ++lastNumber
      const reference = String(criteria.postingReference ?? '')
      const payment = { transactionNo, stayId: stay.id, method: paymentMethod, amount: minor, reference }
      house.payments.push(payment)
      house.change(stay.id, { balance: stay.balance - minor })
      return [201, { postings: [{ transactionNo, reference }] }]
    }),

    [`GET ${one}/folios`]: onStay(house, (stay) => {
      const own = house.payments.filter(({ stayId }) => stayId === stay.id)
      const postings = own.map(({ transactionNo, reference, amount }) => ({
        transactionNo,
        reference,
        creditAmount: { amount: amount / cents, currencyCode: 'EUR' },
      }))
      const folioWindows = [{ folioWindowNo: 1, folios: [{ postings }] }]
      return [200, { reservationFolioInformation: { folioWindows } }]
    }),

    [`POST ${one}/folios`]: byCashier('criteria', (stay) => {
      if (stay.status !== 'InHouse') return refusal('CSH00012', `The reservation is ${stay.status}.`)
      house.change(stay.id, { hasFolio: true })
      return [201, { folioWindows: [] }]
    }),

    [`PUT ${one}/earlyDeparture`]: byCashier('criteria', (stay) => {
      if (stay.status !== 'InHouse') return refusal('CSH00013', `The reservation is ${stay.status}.`)
      house.change(stay.id, { departure: house.businessDate })
      return [200, {}]
    }),

    [`POST ${one}/checkOuts`]: byCashier('reservation', (stay) => {
      if (stay.status !== 'InHouse' || stay.departure !== house.businessDate)
        return refusal('CSH00014', 'The reservation is not due out.')
      if (stay.balance !== 0) return refusal('CSH00015', 'The folio has an open balance.')
      if (!stay.hasFolio) return refusal('CSH00016', 'No folio was generated.')
      house.change(stay.id, { status: 'CheckedOut' })
      const room = house.rooms.get(stay.roomId ?? '')
      if (room) room.status = 'Dirty'
      return [201, {}]
    }),

    [`PUT ${one}/checkOuts/reinstate`]: byCashier(null, (stay) => {
      const isToday = stay.status === 'CheckedOut' && stay.departure === house.businessDate
      if (!isToday) return refusal('CSH00017', 'The reservation was not checked out today.')
      house.change(stay.id, { status: 'InHouse' })
      return [200, {}]
    }),
  }
}
