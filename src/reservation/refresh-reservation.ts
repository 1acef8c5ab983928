import type { Transaction } from '../resource/change.ts'
import { dueOf, type PricedStay } from './due.ts'
import { staysOf } from './find-stays.ts'
import { invalidValue } from './invalid-value.ts'
import { toMinor } from './money.ts'
import { reservationStatus } from './reservation-status.ts'
import { reservation } from './resources/reservation.ts'
import { service } from './resources/service.ts'
import type { Stay } from './resources/stay.ts'
import type { PricingType } from './service-price.ts'

/** Brings what is said of a reservation as a whole in line with its stays. */
export function refreshReservation(tx: Transaction, reservationId: string): void {
  const before = tx.find(reservation, reservationId)
  const after = tx.patch(
    reservation,
    reservationId,
    summaryOf(tx, staysOf(tx, reservationId), before.paid ?? 0),
  )
  if (after.status === 'Canceled' && before.status !== 'Canceled') {
    tx.journal('reservation.canceled', `reservations/${after.id}`)
  }
}

/** Status, dates and money of a reservation with these stays. */
export function summaryOf(tx: Transaction, stays: Stay[], paid: number) {
  const due = dueOf(stays.map((each) => priced(tx, each)))
  if (due && !Number.isSafeInteger(due.amount)) throw invalidValue('', 'The amount due is too large.')
  return {
    status: reservationStatus(stays.map(({ status }) => status)),
    ...datesOf(stays),
    due: due?.amount ?? null,
    paid,
    outstanding: due ? due.amount - paid : null,
    currency: due?.currency ?? null,
  }
}

/** First arrival and last departure. Canceled stays and those never begun count only when there are no others. */
export function datesOf(stays: Pick<Stay, 'status' | 'startDate' | 'endDate'>[]) {
  const live = stays.filter(({ status }) => status !== 'Canceled' && status !== 'NoShow')
  const dated = live.length > 0 ? live : stays
  const arrivals = dated.map(({ startDate }) => startDate).sort()
  const departures = dated.map(({ endDate }) => endDate).sort()
  return { arrival: arrivals[0] ?? null, departure: departures.at(-1) ?? null }
}

function priced(tx: Transaction, { status, amount, personCount, nights, services }: Stay): PricedStay {
  const { adults, children, childrenAges } = personCount
  return {
    status,
    nights: nights ?? 0,
    persons: adults + (children ?? childrenAges?.length ?? 0),
    amount: amount
      ? {
          currency: amount.currency,
          amountWithTax: toMinor(amount.amountWithTax, amount.currency, '/amount'),
        }
      : null,
    services: (services ?? []).map(({ serviceId, count }) => bookedService(tx, serviceId, count ?? 1)),
  }
}

function bookedService(tx: Transaction, serviceId: string, count: number): PricedStay['services'][number] {
  const { currencyCode, amountWithTax, pricingType } = tx.find(service, serviceId)
  return {
    currency: currencyCode,
    amountWithTax: toMinor(amountWithTax, currencyCode, '/services'),
    pricingType: pricingType as PricingType,
    count,
  }
}
