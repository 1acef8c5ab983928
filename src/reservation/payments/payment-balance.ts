import { amountOf } from './money.ts'

/** What is owed for a stay and what was paid for it, in minor units of `currency`. */
export interface Owed {
  currency: string | null
  /** Null when it is not known; then nothing was received either. */
  due: number | null
  /** What was paid on it, and its part of what was paid on the reservation as a whole. */
  received: number
}

/** Minor units of `currency`; null is not known. */
export interface Balance {
  currency: string | null
  due: number | null
  paid: number
  outstanding: number | null
}

interface ReservationBalance extends Omit<Balance, 'paid'> {
  paid: number | null
}

/**
 * What was paid for each stay of a reservation, and what is still to be paid, negative where too much was. A stay keeps what
 * it has received as far as it owes it. What is over, because it was canceled or became cheaper, pays for the other stays
 * in their order, so that no stay is open while there is money of the same reservation that nothing else needs.
 */
export function stayBalances(stays: readonly Owed[]): Balance[] {
  // Nothing is over that could pay for another.
  if (stays.every(({ received, due }) => received === 0 && (due ?? 0) >= 0)) return stays.map(unpaid)
  const paid = stays.map(({ received }) => BigInt(received))
  const isSame = (one: number, other: number) => stays[one]!.currency === stays[other]!.currency
  const over = (index: number) => (paid[index] ?? 0n) - BigInt(stays[index]!.due ?? 0)
  for (const open of stays.keys()) {
    for (const giving of stays.keys()) {
      if (over(open) >= 0n) break
      if (over(giving) <= 0n || !isSame(open, giving)) continue
      const moved = over(giving) < -over(open) ? over(giving) : -over(open)
      paid[giving]! -= moved
      paid[open]! += moved
    }
  }
  return stays.map(({ currency, due }, index) => ({
    currency,
    due,
    paid: amountOf(paid[index]!, ''),
    outstanding: due === null ? null : amountOf(-over(index), ''),
  }))
}

/**
 * The stays together. Not known while nothing has a price, or when what is due and what was paid is in several
 * currencies; stays that owe nothing and were not paid for do not count for that.
 */
export function reservationBalance(stays: readonly Balance[]): ReservationBalance {
  const priced = stays.filter(({ due }) => due !== null)
  const moving = priced.filter(({ due, paid }) => due !== 0 || paid !== 0)
  const counted = moving.length > 0 ? moving : priced
  const [currency = null, ...others] = new Set(counted.map((stay) => stay.currency))
  if (others.length > 0) return { currency: null, due: null, paid: null, outstanding: null }
  const paid = sum(counted, 'paid')
  if (currency === null) return { currency, due: null, paid, outstanding: null }
  return { currency, due: sum(counted, 'due'), paid, outstanding: sum(counted, 'outstanding') }
}

function unpaid({ currency, due }: Owed): Balance {
  return { currency, due, paid: 0, outstanding: due }
}

function sum(balances: readonly Balance[], name: 'due' | 'paid' | 'outstanding'): number {
  let total = 0n
  for (const balance of balances) total += BigInt(balance[name] ?? 0)
  return amountOf(total, '')
}
