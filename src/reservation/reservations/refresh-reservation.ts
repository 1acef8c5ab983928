import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { ridOf, uuidText } from '../../resource/uuid-sql.ts'
import { type Balance, reservationBalance, stayBalances } from '../payments/payment-balance.ts'
import { isPriced } from '../pricing/stay-price.ts'
import { type Reservation, reservation } from '../resources/reservation.ts'
import { type Stay, type StayInput, stay } from '../resources/stay.ts'
import { staysOf } from '../stays/find-stays.ts'
import type { StayStatus } from '../stays/status-rules.ts'

/**
 * Recomputes status, dates and balance of a reservation from its stays, and the balance of each stay from the payments.
 * `stays` are all its stays in their current state; they are read when omitted.
 */
export function refreshReservation(
  tx: Transaction,
  reservationId: string,
  stays: readonly Stay[] = staysOf(tx, reservationId),
): Reservation {
  const before = tx.find(reservation, reservationId)
  const after = tx.patch(reservation, before.id, summaryOf(tx, before.id, stays))
  if (after.status === 'Canceled' && before.status !== 'Canceled') {
    tx.journal('reservation.canceled', `reservations/${after.id}`)
  }
  return after
}

/**
 * Returns status, dates and balance of a reservation. `stays` are all its stays. Writes the balance of each stay that
 * changed.
 */
export function summaryOf(tx: Transaction, reservationId: string, stays: readonly Stay[]) {
  return {
    status: reservationStatus(stays.map(({ status }) => status)),
    ...datesOf(stays),
    ...reservationBalance(settledBalances(tx, reservationId, stays)),
  }
}

/** Returns the status of a reservation with stays of these statuses: the first match. Without stays it is Tentative. */
export function reservationStatus(statuses: readonly StayStatus[]): StayStatus {
  if (statuses.length === 0) return 'Tentative'
  const live = (['InHouse', 'Confirmed', 'Tentative', 'Waitlisted', 'CheckedOut'] as const).find((status) =>
    statuses.includes(status),
  )
  return live ?? (statuses.every((status) => status === 'NoShow') ? 'NoShow' : 'Canceled')
}

/**
 * Returns the first arrival and the last departure. Canceled stays and no-shows count only when there are no others.
 */
export function datesOf(stays: readonly Pick<StayInput, 'status' | 'startDate' | 'endDate'>[]) {
  const live = stays.filter(({ status }) => status !== 'Canceled' && status !== 'NoShow')
  const dated = live.length > 0 ? live : stays
  const arrivals = dated.map(({ startDate }) => startDate).sort()
  const departures = dated.map(({ endDate }) => endDate).sort()
  return { arrival: arrivals[0] ?? null, departure: departures.at(-1) ?? null }
}

/** Returns whether the stay was ever paid for, including voided payments. Such a stay must be kept. */
export function wasPaidFor(tx: Transaction, stayId: string): boolean {
  return tx.count(`SELECT count(*) FROM payment_allotment WHERE stayId = ${ridOf('stay')}`, stayId) > 0
}

/** The sum of the payments for a stay in one currency, in minor units. */
interface Share {
  stayId: string
  currency: string
  amount: number
}

/** Sums the payments of a reservation by stay and currency, without voided payments. */
const sharesSql = `SELECT json_group_array(json_object('stayId', ${uuidText('stay.id')}, 'currency', paidIn, 'amount', share))
  FROM (SELECT part.stayId AS paidStay, payment.currency AS paidIn, sum(part.share) AS share
    FROM payment JOIN payment_allotment AS part ON part.owner = payment.rid
    WHERE payment.reservationId = ${ridOf('reservation')} AND payment.voidedAt IS NULL GROUP BY 1, 2)
  JOIN stay ON stay.rid = paidStay`

function settledBalances(tx: Transaction, reservationId: string, stays: readonly Stay[]): Balance[] {
  const shares = JSON.parse(tx.text(sharesSql, reservationId) ?? '[]') as Share[]
  const balances = stayBalances(stays.map((row) => owed(row, shares)))
  for (const [index, balance] of balances.entries()) {
    const row = stays[index]!
    const names = Object.keys(balance) as (keyof Balance)[]
    const isKept = names.every((name) => (row[name] ?? null) === balance[name])
    if (!isKept) tx.patch(stay, row.id, { ...balance })
  }
  return balances
}

/** A stay that was paid for but has no price any more has 0 due. */
function owed(row: Stay, shares: readonly Share[]) {
  const hasPrice = isPriced(row)
  const due = hasPrice ? (row.due ?? null) : null
  const currency = row.currency ?? null
  const own = shares.filter(({ stayId }) => stayId === row.id)
  if (own.length === 0) return { due, currency: due === null ? null : currency, received: 0 }
  const isInAnother = own.some((share) => share.currency !== currency)
  if (isInAnother || (due === null && hasPrice)) {
    throw new Problem(
      'payment-currency-mismatch',
      'The stay has payments in another currency. Void them first.',
      { pointer: '/amount/currency', meta: { stayId: row.id } },
    )
  }
  return { due: due ?? 0, currency, received: own[0]!.amount }
}
