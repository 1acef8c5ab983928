import type { Transaction } from '../resource/change.ts'
import { dueOf, type PricedStay } from './due.ts'
import { toMinor } from './money.ts'
import { reservation } from './resources/reservation.ts'
import { service } from './resources/service.ts'
import { type Stay, stay } from './resources/stay.ts'
import type { PricingType } from './service-price.ts'
import { reservationStatus, type StayStatus } from './status.ts'

/** Brings what is said of a reservation as a whole in line with its stays. */
export function refreshReservation(tx: Transaction, reservationId: string): void {
  const stays = tx.select(stay, [{ path: 'reservationId', operator: 'eq', value: reservationId }]) as Stay[]
  const { paid } = tx.find(reservation, reservationId)
  tx.patch(reservation, reservationId, summaryOf(tx, stays, paid ?? 0))
}

/** Status, dates and money of a reservation with these stays. Canceled stays and those never begun give no dates. */
export function summaryOf(tx: Transaction, stays: Stay[], paid: number) {
  const live = stays.filter(({ status }) => status !== 'Canceled' && status !== 'NoShow')
  const dated = live.length > 0 ? live : stays
  const due = dueOf(stays.map((each) => priced(tx, each)))
  return {
    status: reservationStatus(stays.map(({ status }) => status as StayStatus)),
    arrival: dated.map(({ startDate }) => startDate).sort()[0] ?? null,
    departure:
      dated
        .map(({ endDate }) => endDate)
        .sort()
        .at(-1) ?? null,
    due: due?.amount ?? null,
    paid,
    outstanding: due ? due.amount - paid : null,
    currency: due?.currency ?? null,
  }
}

function priced(tx: Transaction, row: Stay): PricedStay {
  const { amount, personCount, nights, services } = row
  const { adults, children, childrenAges } = personCount
  return {
    status: row.status as StayStatus,
    nights: nights ?? 0,
    persons: adults + (children ?? childrenAges?.length ?? 0),
    amount: amount
      ? {
          currency: amount.currency,
          amountWithTax: toMinor(amount.amountWithTax, amount.currency, '/amount'),
        }
      : null,
    services: (services ?? []).map(({ serviceId, count }) => {
      const { currencyCode, amountWithTax, pricingType } = tx.find(service, serviceId)
      return {
        currency: currencyCode,
        amountWithTax: toMinor(amountWithTax, currencyCode, '/services'),
        pricingType: pricingType as PricingType,
        count: count ?? 1,
      }
    }),
  }
}
