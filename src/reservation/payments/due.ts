import { type BookedService, servicePrice } from '../pricing/service-price.ts'
import type { StayStatus } from '../stays/status-rules.ts'
import { amountOf, type Money } from './money.ts'

/** The status and the prices of a stay, in minor units. */
export interface Prices {
  status: StayStatus
  nights: number
  /** The number of adults and children. */
  persons: number
  amount: { currency: string; amountWithTax: number } | null
  services: readonly (BookedService & { currency: string })[]
}

/**
 * Returns the amount due for a stay and its services. It is 0 for a canceled stay and a no-show: the cancellation fee
 * is a field of its own and not part of the amount due. Returns null when nothing has a price, or when the prices are
 * in several currencies. Throws 422 `validation-failed` when no exact integer holds the sum.
 */
export function dueOf(stay: Prices): Money | null {
  const prices = pricesOf(stay)
  const currencies = new Set(prices.map(({ currency }) => currency))
  const [currency] = currencies
  if (currency === undefined || currencies.size > 1) return null
  const owesNothing = stay.status === 'Canceled' || stay.status === 'NoShow'
  const total = prices.reduce((sum, { amount }) => sum + amount, 0n)
  return { currency, amount: owesNothing ? 0 : amountOf(total, '/amount') }
}

function pricesOf({ amount, services, ...stay }: Prices): { currency: string; amount: bigint }[] {
  const prices = services.map((service) => ({
    currency: service.currency,
    amount: servicePrice(service, stay),
  }))
  if (!amount) return prices
  return [...prices, { currency: amount.currency, amount: BigInt(amount.amountWithTax) }]
}
