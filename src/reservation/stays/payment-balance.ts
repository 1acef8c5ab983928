import { amountOf } from '../values/money.ts'

/** The amount due for a stay and the amount received for it, in minor units of `currency`. */
export interface Owed {
  currency: string | null
  /** Null when the amount due is unknown. `received` is then 0. */
  due: number | null
  /** The payments on the stay plus its shares of the payments on the whole reservation. */
  received: number
}

/** Amounts in minor units of `currency`. Null means unknown. */
export interface Balance {
  currency: string | null
  due: number | null
  paid: number
  outstanding: number | null
}

export type ReservationBalance = { [Name in keyof Balance]: Balance[Name] | null }

/**
 * Returns the balance of each stay of a reservation. `outstanding` is negative for an overpaid stay. A surplus, for
 * example of a canceled stay, moves to the underpaid stays of the same currency, in the order of the stays. For
 * example, A owes 0 and received 100; B owes 80 and received 0. B is then paid with 80, and A has 20 too much.
 */
export function stayBalances(stays: readonly Owed[]): Balance[] {
  // No stay has a surplus that could move to another.
  if (stays.every(({ received, due }) => received === 0 && (due ?? 0) >= 0))
    return stays.map(({ currency, due }) => ({ currency, due, paid: 0, outstanding: due }))
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
 * Returns the balance of all stays together. It is unknown while no stay has a price, or when the amounts are in
 * several currencies. Stays that owe nothing and received nothing are ignored for the currency, unless there are no
 * others.
 */
export function reservationBalance(stays: readonly Partial<ReservationBalance>[]): ReservationBalance {
  const priced = stays.filter(({ due }) => typeof due === 'number')
  const moving = priced.filter(({ due, paid }) => due !== 0 || paid !== 0)
  const counted = moving.length > 0 ? moving : priced
  const [currency = null, ...others] = new Set(counted.map((stay) => stay.currency))
  if (others.length > 0) return { currency: null, due: null, paid: null, outstanding: null }
  const paid = sum(counted, 'paid')
  if (currency === null) return { currency, due: null, paid, outstanding: null }
  return { currency, due: sum(counted, 'due'), paid, outstanding: sum(counted, 'outstanding') }
}

function sum(balances: readonly Partial<ReservationBalance>[], name: 'due' | 'paid' | 'outstanding'): number {
  let total = 0n
  for (const balance of balances) total += BigInt(balance[name] ?? 0)
  return amountOf(total, '')
}
