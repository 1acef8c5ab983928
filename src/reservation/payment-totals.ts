import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { type OwingStay, type StayBalance, stayBalances } from './payment-balance.ts'
import { type Stay, stay } from './resources/stay.ts'
import { isPriced } from './stay-price.ts'

/** Writes down on the stays of a reservation, which must be all of them, what of its payments is for each. */
export function settledStays(tx: Transaction, stays: readonly Stay[]): StayBalance[] {
  const balances = stayBalances(stays.map((each) => owing(tx, each)))
  for (const [index, balance] of balances.entries()) {
    if (!isKept(stays[index]!, balance)) tx.patch(stay, stays[index]!.id, { ...balance })
  }
  return balances
}

function isKept(row: Stay, balance: StayBalance): boolean {
  const names = Object.keys(balance) as (keyof StayBalance)[]
  return names.every((name) => (row[name] ?? null) === balance[name])
}

/** A stay that was paid for and has no price any more owes nothing. */
function owing(tx: Transaction, row: Stay): OwingStay {
  const hasPrice = isPriced(row)
  const due = hasPrice ? (row.due ?? null) : null
  const currency = row.currency ?? null
  const received = paidOn(tx, row.id)
  if (received === 0) return { due, currency: due === null ? null : currency, received }
  if (paidInAnother(tx, row.id, currency) || (due === null && hasPrice)) {
    throw new Problem(
      'payment-currency-mismatch',
      'The stay was paid in another currency: void that first.',
      {
        pointer: '/amount/currency',
        meta: { stayId: row.id },
      },
    )
  }
  return { due: due ?? 0, currency, received }
}

const onStay = `FROM payment_allotment AS part JOIN payment ON payment.rid = part.owner
  WHERE part.stayId = (SELECT rid FROM stay WHERE id = unhex(replace(?, '-', ''))) AND payment.voidedAt IS NULL`

/** The payments of a stay, with its part of those of its reservation; those that were voided do not count. */
function paidOn(tx: Transaction, stayId: string): number {
  return tx.count(`SELECT coalesce(sum(part.share), 0) ${onStay}`, stayId)
}

function paidInAnother(tx: Transaction, stayId: string, currency: string | null): boolean {
  return tx.count(`SELECT count(*) ${onStay} AND payment.currency IS NOT ?`, stayId, currency) > 0
}

/** Whether anything was ever paid for the stay, even if it was voided: such a stay is kept. */
export function wasPaidFor(tx: Transaction, stayId: string): boolean {
  const sql = `SELECT count(*) FROM payment_allotment
    WHERE stayId = (SELECT rid FROM stay WHERE id = unhex(replace(?, '-', '')))`
  return tx.count(sql, stayId) > 0
}
