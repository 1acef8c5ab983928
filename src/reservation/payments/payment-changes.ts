import { command, type Document, type Transaction } from '../../resource/command.ts'
import { toDecimal } from '../../resource/currency.ts'
import { expectRevision, type Written } from '../../resource/plain-changes.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import type { Attributes } from '../../resource/resource.ts'
import { refreshReservation } from '../reservations/refresh-reservation.ts'
import { type Payment, payment } from '../resources/payment.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import { stayOf, staysOf } from '../stays/find-stays.ts'

/** What is said of a payment when it is recorded. */
export type PaymentInput = Omit<
  Attributes<typeof payment.fields>,
  'reservationId' | 'stayId' | 'allotments' | 'voidedAt' | 'voided'
>

/** A payment, and what is left to be paid where it was recorded: on the stay, or on the reservation. */
export interface Recorded {
  document: Document
  outstanding: number
  currency: string
}

/** Some or all of what is outstanding on one stay. */
export const recordStayPayment = command(
  'record-stay-payment',
  (
    tx,
    input: {
      reservationId: string
      stayId: string
      /** Of the stay, as the caller has read it. */
      revision?: number | undefined
      payment: PaymentInput
    },
  ): Recorded => {
    const { id, reservationId, ...balance } = stayOf(tx, input)
    expectRevision(tx, stay, { type: stay.type, id, revision: input.revision })
    refuseRepeated(tx, input.payment, paidFor(id))
    const { amount } = input.payment
    const { outstanding, currency } = knownBalance(balance, input.payment, 'the stay')
    if (amount > outstanding) {
      const detail =
        outstanding > 0
          ? `At most ${toDecimal(outstanding, currency)} ${currency} is outstanding on the stay.`
          : 'Nothing is outstanding on the stay.'
      throw wrongAmount('payment-exceeds-outstanding', detail, { outstanding, currency })
    }
    const document = insert(tx, {
      ...input.payment,
      reservationId,
      stayId: id,
      allotments: [{ stayId: id, share: amount }],
    })
    return { document, outstanding: tx.find(stay, id).outstanding ?? 0, currency }
  },
)

/** All that is outstanding on a reservation, for each of its stays what is outstanding on it. */
export const recordReservationPayment = command(
  'record-reservation-payment',
  (
    tx,
    input: {
      reservationId: string
      /** Of the reservation, as the caller has read it. */
      revision?: number | undefined
      payment: PaymentInput
    },
  ): Recorded => {
    const { id, ...balance } = tx.find(reservation, input.reservationId)
    expectRevision(tx, reservation, { type: reservation.type, id, revision: input.revision })
    refuseRepeated(tx, input.payment, { path: 'reservationId', operator: 'eq', value: id }, forTheWhole)
    const shares = openShares(tx, id)
    for (const { stayId } of shares) refuseRepeated(tx, input.payment, paidFor(stayId))
    const { outstanding, currency } = knownBalance(balance, input.payment, 'the reservation')
    if (input.payment.amount !== outstanding || outstanding <= 0) {
      const detail =
        outstanding > 0
          ? `Exactly ${toDecimal(outstanding, currency)} ${currency} is outstanding on the reservation; a part of it is paid on a stay.`
          : 'Nothing is outstanding on the reservation.'
      throw wrongAmount('payment-amount-mismatch', detail, { outstanding, currency })
    }
    const document = insert(tx, { ...input.payment, reservationId: id, allotments: shares })
    return { document, outstanding: tx.find(reservation, id).outstanding ?? 0, currency }
  },
)

/**
 * Takes back what was recorded: the payment stays, with the moment, and what it paid is outstanding again. One that was
 * voided before stays as it is, so that a caller who has lost the answer may ask again.
 */
export const voidPayment = command(
  'void-payment',
  (tx, { id, revision }: { id: string; revision?: number | undefined }): Written => {
    expectRevision(tx, payment, { type: payment.type, id, revision })
    const { voidedAt, ...found } = tx.find(payment, id)
    if (typeof voidedAt === 'number') return { id: found.id, revision: found.revision }
    const row = tx.patch(payment, found.id, { voidedAt: tx.now })
    refreshReservation(tx, row.reservationId)
    return { id: row.id, revision: row.revision }
  },
)

export const paymentChanges = [recordStayPayment, recordReservationPayment, voidPayment]

function insert(tx: Transaction, attributes: Attributes<typeof payment.fields>): Document {
  const { id, reservationId } = tx.insert(payment, attributes)
  refreshReservation(tx, reservationId)
  return tx.document(payment, id)
}

/** Where something is outstanding on a reservation, no stay of it was paid too much: these shares sum up to the whole. */
function openShares(tx: Transaction, reservationId: string): NonNullable<Payment['allotments']> {
  return staysOf(tx, reservationId).flatMap(({ id, outstanding }) =>
    outstanding ? [{ stayId: id, share: outstanding }] : [],
  )
}

interface Balance {
  currency?: string | null
  outstanding?: number | null
}

function knownBalance({ currency, outstanding }: Balance, given: PaymentInput, on: string) {
  if (typeof outstanding !== 'number' || !currency) {
    const detail = `What is due on ${on} is not known: it has no price, or prices in several currencies.`
    throw new Problem('payment-due-unknown', detail, { pointer: '/amount' })
  }
  if (given.currency === currency) return { outstanding, currency }
  throw new Problem('payment-currency-mismatch', `What is due on ${on} is in ${currency}.`, {
    pointer: '/currency',
    meta: { outstanding, currency },
  })
}

const forTheWhole: Filter = { path: 'stayId', operator: 'isnull', value: null }

/** Payments of the stay, and those of its reservation that paid for it. */
function paidFor(stayId: string): Filter {
  return { path: 'allotments.stayId', operator: 'eq', value: stayId }
}

/** What the terminal has done once is one payment, however often it is told. One that was voided can be recorded again. */
function refuseRepeated(tx: Transaction, given: PaymentInput, ...where: Filter[]): void {
  const { terminalTransactionId } = given
  if (!terminalTransactionId) return
  const same: Filter[] = [
    ...where,
    { path: 'terminalTransactionId', operator: 'eq', value: terminalTransactionId },
    { path: 'voidedAt', operator: 'isnull', value: null },
  ]
  const [before] = tx.select(payment, same, [], 1)
  if (!before) return
  throw new Problem('payment-duplicate', 'This transaction of the terminal is recorded already.', {
    pointer: '/terminalTransactionId',
    meta: { paymentId: before.id },
  })
}

function wrongAmount(
  code: 'payment-exceeds-outstanding' | 'payment-amount-mismatch',
  detail: string,
  meta: { outstanding: number; currency: string },
): Problem {
  return new Problem(code, detail, { pointer: '/amount', meta })
}
