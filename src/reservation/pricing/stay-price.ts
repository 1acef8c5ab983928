import type { Transaction } from '../../resource/command.ts'
import { dueOf } from '../payments/due.ts'
import { type Money, toMinor } from '../payments/money.ts'
import { personCount } from '../profiles/persons.ts'
import type { Stay, StayDraft } from '../resources/stay.ts'
import { bookedServices } from '../stays/booked-services.ts'
import { nights } from '../stays/stay-dates.ts'
import type { PricingType } from './service-price.ts'

/**
 * Returns the services and the balance of a stay. After check-out the amount due no longer changes: a guest who leaves
 * early still owes the nights of the booking, and is not reported as overpaid afterwards.
 */
export function pricedStay(
  tx: Transaction,
  after: StayDraft,
  before: Stay | null,
): Pick<StayDraft, 'services' | 'currency' | 'due' | 'paid' | 'outstanding'> {
  const services = after.services && bookedServices(tx, after.services, before?.services ?? [])
  const hasLeft = before !== null && after.status === 'CheckedOut'
  const { currency = null, due = null } = hasLeft ? after : dueAs(tx, after, before)
  const paid = after.paid ?? 0
  return { ...(services && { services }), currency, due, paid, outstanding: due === null ? null : due - paid }
}

/**
 * Returns the amount due on a stay that becomes `after`; null when unknown. If a paid stay loses its price, the amount
 * due is 0 in the former currency, so that the whole payment is to be refunded.
 */
export function dueAs(
  tx: Transaction,
  after: StayDraft,
  before: Stay | null,
): Pick<StayDraft, 'currency' | 'due'> {
  const services = bookedServices(tx, after.services ?? [], before?.services ?? [])
  const due = dueWith({ ...after, services })
  if (due) return { currency: due.currency, due: due.amount }
  return { currency: before?.currency ?? null, due: !isPriced(after) && before?.paid ? 0 : null }
}

/** Returns whether the stay has an amount or a service. */
export function isPriced({ amount, services }: Pick<StayDraft, 'amount' | 'services'>): boolean {
  return Boolean(amount) || (services ?? []).length > 0
}

/** Returns the amount that would be outstanding if a stay became `after`; null when unknown. */
export function outstandingAs(tx: Transaction, before: Stay, after: StayDraft): number | null {
  const { due } = dueAs(tx, after, before)
  return typeof due === 'number' ? due - (before.paid ?? 0) : null
}

function dueWith({ status, amount, services, ...stay }: StayDraft): Money | null {
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
