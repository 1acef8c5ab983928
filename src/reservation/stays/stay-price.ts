import type { Transaction } from '../../resource/command.ts'
import {
  type BookedService,
  checkServiceCount,
  type PricingType,
  servicePrice,
} from '../pricing/service-price.ts'
import { service } from '../resources/service.ts'
import type { Stay, StayDraft } from '../resources/stay.ts'
import { amountOf, type Money, toMinor } from '../values/money.ts'
import { personCount } from '../values/persons.ts'
import { referenced, underPointer } from '../values/value-problems.ts'
import type { StayStatus } from './rules/status-rules.ts'
import { nights } from './rules/stay-dates.ts'

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
  const { status, amount, cancellationFee, feeCharged } = after
  const services = after.services ? bookedServices(tx, after.services, before?.services ?? []) : []
  const due = dueOf({
    status,
    nights: nights(after),
    persons: personCount(after.personCount, {}).total,
    amount: amount
      ? {
          currency: amount.currency,
          amountWithTax: toMinor(amount.amountWithTax, amount.currency, '/amount/amountWithTax'),
        }
      : null,
    services: services.map(({ currencyCode, amountWithTax, pricingType, count }) => ({
      currency: currencyCode!,
      amountWithTax: toMinor(amountWithTax!, currencyCode!, '/services'),
      pricingType: pricingType as PricingType,
      count: count ?? 1,
    })),
    fee: feeCharged ? (cancellationFee ?? null) : null,
  })
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

/** The status and the prices of a stay, in minor units. */
export interface Prices {
  status: StayStatus
  nights: number
  /** The number of adults and children. */
  persons: number
  amount: { currency: string; amountWithTax: number } | null
  services: readonly (BookedService & { currency: string })[]
  /** The fee of a canceled stay or a no-show that the front desk charges; null or absent for none. */
  fee?: Money | null
}

/**
 * Returns the amount due for a stay and its services. For a canceled stay and a no-show it is the cancellation fee that the front desk
 * charges, and 0 without one. Returns null when nothing has a price, or when the prices are
 * in several currencies. Throws 422 `validation-failed` when no exact integer holds the sum.
 */
export function dueOf({ status, amount, services, fee, ...quantities }: Prices): Money | null {
  const currency = amount?.currency ?? services[0]?.currency
  if (currency === undefined) return null
  let total = BigInt(amount?.amountWithTax ?? 0)
  for (const service of services) {
    if (service.currency !== currency) return null
    total += servicePrice(service, quantities)
  }
  const isOff = status === 'Canceled' || status === 'NoShow'
  const owesFee = fee?.currency === currency ? fee.amount : 0
  return { currency, amount: isOff ? owesFee : amountOf(total, '/amount') }
}

/** A service on a stay with the price for which it was booked; amounts are decimals in major units. */
type StayService = NonNullable<Stay['services']>[number]

/**
 * Returns the services of a stay with their booked prices. A service that was booked before keeps its price, even if
 * the price of the service has changed since. A missing count is the count of the service. Throws 422
 * `reference-unknown` for an unknown service, and 422 `validation-failed` for a count that its pricing type does not
 * allow.
 */
function bookedServices(
  tx: Transaction,
  given: readonly StayService[],
  kept: readonly StayService[],
): StayService[] {
  const left = [...kept]
  return given.map((entry, index) => {
    const at = left.findIndex(({ serviceId }) => serviceId === entry.serviceId)
    const [before] = at < 0 ? [] : left.splice(at, 1)
    const isSame = before?.pricingType && entry.count === before.count
    return isSame ? before : booked(tx, entry, before, `/services/${index}`)
  })
}

function booked(
  tx: Transaction,
  { serviceId, count: given }: StayService,
  before: StayService | undefined,
  pointer: string,
): StayService {
  const product = referenced(tx, service, serviceId, `${pointer}/serviceId`)
  const priced = before?.pricingType ? before : product
  const count = given ?? product.count
  underPointer(pointer, () => checkServiceCount({ pricingType: priced.pricingType as PricingType, count }))
  return {
    serviceId,
    count,
    currencyCode: priced.currencyCode ?? null,
    amountWithTax: priced.amountWithTax ?? null,
    amountWithoutTax: priced.amountWithoutTax ?? null,
    pricingType: priced.pricingType ?? null,
  }
}
