import type { Transaction } from '../resource/change.ts'
import { staysOf } from './find-stays.ts'
import { reservationBalance, type StayBalance } from './payment-balance.ts'
import { settledStays } from './payment-totals.ts'
import { reservationStatus } from './reservation-status.ts'
import { type Reservation, reservation } from './resources/reservation.ts'
import type { Stay } from './resources/stay.ts'

/**
 * Brings what is said of a reservation as a whole in line with its stays, and what was paid for these with each other. Who
 * has them all already, as they are now, need not have them read again.
 */
export function refreshReservation(
  tx: Transaction,
  reservationId: string,
  stays: readonly Stay[] = staysOf(tx, reservationId),
): Reservation {
  const before = tx.find(reservation, reservationId)
  const summary = summaryOf(tx, stays)
  const after = tx.patch(reservation, before.id, summary)
  if (after.status === 'Canceled' && before.status !== 'Canceled') {
    tx.journal('reservation.canceled', `reservations/${after.id}`)
  }
  return after
}

/** Status, dates and money of a reservation with these stays, which are all it has. */
export function summaryOf(tx: Transaction, stays: readonly Stay[]) {
  return {
    status: reservationStatus(stays.map(({ status }) => status)),
    ...datesOf(stays),
    ...reservationBalance(settledStays(tx, stays) satisfies StayBalance[]),
  }
}

/** First arrival and last departure. Canceled stays and those never begun count only when there are no others. */
export function datesOf(stays: readonly Pick<Stay, 'status' | 'startDate' | 'endDate'>[]) {
  const live = stays.filter(({ status }) => status !== 'Canceled' && status !== 'NoShow')
  const dated = live.length > 0 ? live : stays
  const arrivals = dated.map(({ startDate }) => startDate).sort()
  const departures = dated.map(({ endDate }) => endDate).sort()
  return { arrival: arrivals[0] ?? null, departure: departures.at(-1) ?? null }
}
