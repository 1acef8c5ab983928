import type { Money } from './money.ts'
import { type BookedService, servicePrice } from './service-price.ts'
import type { StayStatus } from './status.ts'

/** What a stay costs; amounts are minor units. */
export interface PricedStay {
  status: StayStatus
  nights: number
  /** Adults and children. */
  persons: number
  amount: { currency: string; amountWithTax: number } | null
  services: readonly (BookedService & { currency: string })[]
}

/**
 * What stays cost together, those canceled or not shown up for nothing. Null when it is not known: nothing has a
 * price, or the prices are in several currencies.
 */
export function dueOf(stays: readonly PricedStay[]): Money | null {
  const prices = stays.flatMap(pricesOf)
  return inOneCurrency(prices.map(({ currency }) => currency))
    ? { currency: prices[0]!.currency, amount: prices.reduce((total, { amount }) => total + amount, 0) }
    : null
}

function pricesOf(stay: PricedStay): Money[] {
  const { amount, services, status } = stay
  const prices = services.map((service) => ({
    currency: service.currency,
    amount: servicePrice(service, stay),
  }))
  if (amount) prices.push({ currency: amount.currency, amount: amount.amountWithTax })
  const owesNothing = status === 'Canceled' || status === 'NoShow'
  return owesNothing ? prices.map(({ currency }) => ({ currency, amount: 0 })) : prices
}

export interface RecordedPayment extends Money {
  voided: boolean
}

/**
 * What is still to be paid, negative when too much was; payments that were voided do not count. Null when what is
 * due is not known or a payment is in another currency.
 */
export function outstandingOf(due: Money | null, payments: readonly RecordedPayment[]): Money | null {
  const counted = payments.filter(({ voided }) => !voided)
  if (!due || !inOneCurrency([due.currency, ...counted.map(({ currency }) => currency)])) return null
  return { ...due, amount: counted.reduce((rest, { amount }) => rest - amount, due.amount) }
}

function inOneCurrency(currencies: readonly string[]): boolean {
  return new Set(currencies).size === 1
}
