import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { ridOf, uuidText } from '../../resource/uuid-sql.ts'
import { type Reservation, reservation } from '../resources/reservation.ts'
import { type StayInput, stay } from '../resources/stay.ts'
import {
  type Balance,
  type Owed,
  type ReservationBalance,
  reservationBalance,
  stayBalances,
} from './payment-balance.ts'
import type { StayStatus } from './rules/status-rules.ts'

type DatedStay = Pick<StayInput, 'status' | 'startDate' | 'endDate'>

/** A stay as it is stored, with the sum of its payments, without voided ones, in minor units. */
interface PaidStay extends Balance {
  id: string
  status: StayStatus
  startDate: string
  endDate: string
  hasPrice: 0 | 1
  payments: number
  /** How many of the payments are in another currency than the stay. */
  inAnother: number
  received: number
  /** The currency of a payment that is open at a payment terminal. */
  beingPaidIn: string | null
}

const paidStays = `SELECT ${uuidText('stay.id')} AS id, stay.status, startDate, endDate, due, paid, outstanding,
    stay.currency, stay.amount IS NOT NULL OR EXISTS (SELECT 1 FROM stay_service WHERE owner = stay.rid) AS hasPrice,
    count(payment.rid) AS payments, count(payment.rid) FILTER (WHERE payment.currency IS NOT stay.currency) AS inAnother,
    coalesce(sum(share) FILTER (WHERE payment.rid IS NOT NULL), 0) AS received,
    (SELECT currency FROM terminal_payment WHERE stayId = ${uuidText('stay.id')} AND state = 'open') AS beingPaidIn
  FROM stay LEFT JOIN payment_allotment AS part ON part.stayId = stay.rid
    LEFT JOIN payment ON payment.rid = part.owner AND voidedAt IS NULL
  WHERE stay.reservationId = ${ridOf('reservation')} GROUP BY stay.rid ORDER BY stay.rid`

/** Recomputes status, dates and balance of a reservation from its stays, and the balance of each stay from the payments. */
export function refreshReservation(tx: Transaction, reservationId: string): Reservation {
  const stays = tx.all<PaidStay>(paidStays, reservationId)
  const balances = stayBalances(stays.map(owed))
  for (const [index, balance] of balances.entries()) {
    const { id, currency, due, paid, outstanding } = stays[index]!
    const isKept = due === balance.due && paid === balance.paid && outstanding === balance.outstanding
    if (!isKept || currency !== balance.currency) tx.patch(stay, id, { ...balance })
  }
  return writeSummary(tx, reservationId, stays, balances)
}

/** Writes status, dates and balance of a reservation. `stays` are all its stays, with the balance of each. */
export function writeSummary(
  tx: Transaction,
  reservationId: string,
  stays: Parameters<typeof summaryOf>[0],
  balances: Parameters<typeof summaryOf>[1],
): Reservation {
  const before = tx.find(reservation, reservationId)
  const after = tx.patch(reservation, before.id, summaryOf(stays, balances))
  if (after.status === 'Canceled' && before.status !== 'Canceled') {
    tx.journal('reservation.canceled', `reservations/${after.id}`, { revision: after.revision })
  }
  return after
}

/** Returns status, dates and balance of a reservation. `stays` are all its stays, with the balance of each. */
export function summaryOf(
  stays: readonly (DatedStay & { status: StayStatus })[],
  balances: readonly Partial<ReservationBalance>[],
) {
  return {
    status: reservationStatus(stays.map(({ status }) => status)),
    ...datesOf(stays),
    ...reservationBalance(balances),
  }
}

const statusesByRank = [
  'InHouse',
  'Confirmed',
  'Tentative',
  'Waitlisted',
  'CheckedOut',
  'Canceled',
  'NoShow',
] as const satisfies StayStatus[]

/** Returns the status of a reservation: the first of the order in which one of its stays is. Without stays it is Tentative. */
export function reservationStatus(statuses: readonly StayStatus[]): StayStatus {
  return statusesByRank.find((status) => statuses.includes(status)) ?? 'Tentative'
}

/** Returns the first arrival and the last departure. Canceled stays and no-shows count only when there are no others. */
export function datesOf(stays: readonly DatedStay[]) {
  const live = stays.filter(({ status }) => status !== 'Canceled' && status !== 'NoShow')
  const dates = { arrival: null as string | null, departure: null as string | null }
  for (const { startDate, endDate } of live.length > 0 ? live : stays) {
    if (startDate && !(dates.arrival && dates.arrival <= startDate)) dates.arrival = startDate
    if (endDate && !(dates.departure && dates.departure >= endDate)) dates.departure = endDate
  }
  return dates
}

/** Returns whether the stay was ever paid for, including voided payments. Such a stay must be kept. */
export function wasPaidFor(tx: Transaction, stayId: string): boolean {
  return tx.count(`SELECT count(*) FROM payment_allotment WHERE stayId = ${ridOf('stay')}`, stayId) > 0
}

/**
 * A stay that was paid for but has no price any more has 0 due. An open payment at a terminal counts like one of 0: it
 * could not be recorded on a stay in another currency, although the guest may have been charged.
 */
function owed(stay: PaidStay): Owed {
  const { id, hasPrice, due: stored, currency, payments, inAnother, received, beingPaidIn } = stay
  const due = hasPrice ? stored : null
  if (payments === 0 && beingPaidIn === null)
    return { due, currency: due === null ? null : currency, received }
  const isBeingPaid = beingPaidIn !== null && (beingPaidIn !== currency || (hasPrice && due === null))
  if (inAnother === 0 && !isBeingPaid && (due !== null || !hasPrice))
    return { due: payments === 0 ? due : (due ?? 0), currency, received }
  throw new Problem(
    'payment-currency-mismatch',
    isBeingPaid
      ? `A payment of the stay in ${beingPaidIn} is under way at a payment terminal. Wait until it has ended.`
      : 'The stay has payments in another currency. Void them first.',
    { pointer: '/amount/currency', meta: { stayId: id } },
  )
}
