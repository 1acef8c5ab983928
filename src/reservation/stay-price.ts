import type { Transaction } from '../resource/change.ts'
import { bookedServices } from './booked-services.ts'
import { dueOf } from './due.ts'
import { type Money, toMinor } from './money.ts'
import { personCount } from './persons.ts'
import type { Stay } from './resources/stay.ts'
import type { PricingType } from './service-price.ts'
import { nights } from './stay-dates.ts'

type Priced = Pick<Stay, 'status' | 'personCount' | 'startDate' | 'endDate' | 'amount' | 'services'>

/** What a stay says of its price. The currency stays when the price goes, for what was paid in it. */
export function pricedStay(
  tx: Transaction,
  after: Priced & Pick<Stay, 'paid'>,
  before: Stay | null,
): Pick<Stay, 'services' | 'currency' | 'due' | 'paid' | 'outstanding'> {
  const services = after.services && bookedServices(tx, after.services, before?.services ?? [])
  const due = dueWith({ ...after, services: services ?? [] })
  const paid = after.paid ?? 0
  return {
    ...(services && { services }),
    currency: due?.currency ?? before?.currency ?? null,
    due: due?.amount ?? null,
    paid,
    outstanding: due && due.amount - paid,
  }
}

/** What would still be to be paid if a stay became `after`; null when that is not known. */
export function outstandingAs(tx: Transaction, before: Stay, after: Stay): number | null {
  return pricedStay(tx, { ...after, paid: before.paid ?? 0 }, before).outstanding ?? null
}

function dueWith({ status, amount, services, ...stay }: Priced): Money | null {
  return dueOf({
    status,
    nights: nights(stay),
    persons: personCount(stay.personCount, {}).total,
    amount: amount
      ? {
          currency: amount.currency,
          amountWithTax: toMinor(amount.amountWithTax, amount.currency, '/amount/amountWithTax'),
        }
      : null,
    services: (services ?? []).map(({ currencyCode, amountWithTax, pricingType, count }) => ({
      currency: currencyCode!,
      amountWithTax: toMinor(amountWithTax!, currencyCode!, '/services'),
      pricingType: pricingType as PricingType,
      count: count ?? 1,
    })),
  })
}
