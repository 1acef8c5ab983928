import { type BookedService, servicePrice } from '../pricing/service-price.ts'
import type { StayStatus } from '../stays/status.ts'
import { amountOf, type Money } from './money.ts'

/** What has a price on a stay, in minor units. */
export interface Prices {
  status: StayStatus
  nights: number
  /** Adults and children. */
  persons: number
  amount: { currency: string; amountWithTax: number } | null
  services: readonly (BookedService & { currency: string })[]
}

/**
 * What a stay costs with its services; nothing once it is canceled or nobody has shown up, because the cancellation fee
 * is no part of what is due: it is told beside it, for whoever keeps the guest's bill. Null when it is not known:
 * nothing has a price, or the prices are in several currencies. Throws 422 `validation-failed` for more than an exact
 * integer holds.
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
