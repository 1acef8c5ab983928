import { command, type Document, type Transaction } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import type { Attributes } from '../../resource/resource.ts'
import { toDecimal } from '../../resource/values/currency.ts'
import { type Payment, payment } from '../resources/payment.ts'
import { reservation } from '../resources/reservation.ts'
import { stay } from '../resources/stay.ts'
import { stayOf, staysOf } from '../stays/find-stays.ts'
import { refreshReservation } from '../stays/refresh-reservation.ts'
import { kindOf, type PaymentKind } from '../values/payment-kind.ts'
import { expectNotPaidTwice } from './open-at-terminal.ts'
import { expectNoRefund, expectNotGivenBack, refundShares } from './refund-of-payment.ts'

/** The attributes of a payment that the caller sets. */
export type PaymentInput = Omit<
  Attributes<typeof payment.fields>,
  'reservationId' | 'stayId' | 'allotments' | 'kind' | 'voidedAt' | 'voided'
>

/**
 * The payment, and the amount still outstanding on the stay or the reservation on which it was recorded, in minor
 * units.
 */
export interface Recorded {
  document: Document
  outstanding: number
  currency: string
}

interface OnStay {
  reservationId: string
  stayId: string
  /** The revision of the stay that the caller read. */
  revision?: number | undefined
  payment: PaymentInput
}

/** Records a payment of a part or all of the amount outstanding on one stay. */
export const recordStayPayment = command('record-stay-payment', (tx, input: OnStay) =>
  recordOnStay(tx, input, 'Payment'),
)

/**
 * Records that the guest has got back a part or all of what is paid too much on one stay, or with `refundOf`, of a payment of its
 * reservation. Throws `refund-exceeds-surplus` or `refund-exceeds-payment` for more than that, and `payment-duplicate` when a
 * refund with this transaction of the terminal is recorded already.
 */
export const recordStayRefund = command('record-stay-refund', (tx, input: OnStay) =>
  input.payment.refundOf ? refundPayment(tx, input) : recordOnStay(tx, input, 'Refund'),
)

/** A refund is for what is outstanding below zero, and has a share below zero. */
function recordOnStay(tx: Transaction, input: OnStay, kind: PaymentKind): Recorded {
  const { id, reservationId, ...balance } = stayOf(tx, input)
  tx.expectRevision(stay, { id, revision: input.revision })
  refuseRepeated(tx, input.payment, kind, paidFor(id))
  if (kind === 'Payment') expectNoRefund(input.payment)
  const { amount } = input.payment
  const known = knownBalance(balance, input.payment, 'the stay')
  const sign = kind === 'Refund' ? -1 : 1
  if (amount > sign * known.outstanding) throw tooMuch(kind, known)
  if (kind === 'Payment') expectNotPaidTwice(tx, { ...input.payment, ...known, stayId: id })
  const document = insertPayment(tx, {
    ...input.payment,
    reservationId,
    stayId: id,
    allotments: [{ stayId: id, share: sign * amount }],
  })
  return { document, outstanding: tx.find(stay, id).outstanding ?? 0, currency: known.currency }
}

/** Gives back a part or all of one payment, also where nothing is paid too much: the stay owes it again. */
function refundPayment(tx: Transaction, input: OnStay): Recorded {
  const { id, reservationId } = stayOf(tx, input)
  tx.expectRevision(stay, { id, revision: input.revision })
  refuseRepeated(tx, input.payment, 'Refund', paidFor(id))
  // The refund has no share of this stay where the payment has none.
  refuseRepeated(tx, input.payment, 'Refund', refundOf(input.payment))
  const allotments = refundShares(tx, { reservationId, stayId: id, refund: input.payment })
  const document = insertPayment(tx, { ...input.payment, reservationId, stayId: id, allotments })
  return { document, outstanding: tx.find(stay, id).outstanding ?? 0, currency: input.payment.currency }
}

function tooMuch(kind: PaymentKind, balance: { outstanding: number; currency: string }): Problem {
  const { outstanding, currency } = balance
  if (kind === 'Refund') {
    const detail =
      outstanding < 0
        ? `At most ${toDecimal(-outstanding, currency)} ${currency} is to be given back for the stay.`
        : 'Nothing is to be given back for the stay.'
    return wrongAmount('refund-exceeds-surplus', detail, balance)
  }
  const detail =
    outstanding > 0
      ? `At most ${toDecimal(outstanding, currency)} ${currency} is outstanding on the stay.`
      : 'Nothing is outstanding on the stay.'
  return wrongAmount('payment-exceeds-outstanding', detail, balance)
}

/**
 * Records a payment of the whole amount outstanding on a reservation. Each stay gets its outstanding amount as its
 * share.
 */
export const recordReservationPayment = command(
  'record-reservation-payment',
  (
    tx,
    input: {
      reservationId: string
      /** The revision of the reservation that the caller read. */
      revision?: number | undefined
      payment: PaymentInput
    },
  ): Recorded => {
    const { id, ...balance } = tx.find(reservation, input.reservationId)
    tx.expectRevision(reservation, { id, revision: input.revision })
    expectNoRefund(input.payment)
    const onReservation: Filter = { path: 'reservationId', operator: 'eq', value: id }
    refuseRepeated(tx, input.payment, 'Payment', onReservation, forTheWhole)
    const shares = openShares(tx, id)
    for (const { stayId } of shares) refuseRepeated(tx, input.payment, 'Payment', paidFor(stayId))
    const { outstanding, currency } = knownBalance(balance, input.payment, 'the reservation')
    if (input.payment.amount !== outstanding || outstanding <= 0) {
      const detail =
        outstanding > 0
          ? `Exactly ${toDecimal(outstanding, currency)} ${currency} is outstanding on the reservation; pay a part of it on a stay.`
          : 'Nothing is outstanding on the reservation.'
      throw wrongAmount('payment-amount-mismatch', detail, { outstanding, currency })
    }
    for (const { stayId, share } of shares)
      expectNotPaidTwice(tx, { ...input.payment, amount: share, outstanding: share, stayId })
    const document = insertPayment(tx, { ...input.payment, reservationId: id, allotments: shares })
    return { document, outstanding: tx.find(reservation, id).outstanding ?? 0, currency }
  },
)

/**
 * Voids a payment or a refund. It remains with the moment in `voidedAt`, and its amount is outstanding, or to be given back, again.
 * Voiding a voided payment changes nothing, so that a caller can repeat the request after losing the answer. Throws
 * `payment-refunded` for a payment that a refund names.
 */
export const voidPayment = command(
  'void-payment',
  (tx, { id, revision }: { id: string; revision?: number | undefined }): Written => {
    tx.expectRevision(payment, { id, revision })
    const { voidedAt, ...found } = tx.find(payment, id)
    if (typeof voidedAt === 'number') return { id: found.id, revision: found.revision }
    expectNotGivenBack(tx, found)
    const row = tx.patch(payment, found.id, { voidedAt: tx.now })
    refreshReservation(tx, row.reservationId)
    return { id: row.id, revision: row.revision }
  },
)

export const paymentCommands = [recordStayPayment, recordStayRefund, recordReservationPayment, voidPayment]

/** Records a payment, and brings the balance of its stays up to date. */
export function insertPayment(tx: Transaction, attributes: Attributes<typeof payment.fields>): Document {
  const { id, reservationId } = tx.insert(payment, attributes)
  refreshReservation(tx, reservationId)
  return tx.document(payment, id)
}

/**
 * Returns the outstanding amount of each stay. They sum up to that of the reservation, because `stayBalances` leaves no
 * surplus on a stay while another stay is underpaid.
 */
function openShares(tx: Transaction, reservationId: string): NonNullable<Payment['allotments']> {
  return staysOf(tx, reservationId).flatMap(({ id, outstanding }) =>
    outstanding ? [{ stayId: id, share: outstanding }] : [],
  )
}

interface Balance {
  currency?: string | null
  outstanding?: number | null
}

function knownBalance({ currency, outstanding }: Balance, input: PaymentInput, on: string) {
  if (typeof outstanding !== 'number' || !currency) {
    const detail = `The amount due on ${on} is not known: it has no price, or prices in several currencies.`
    throw new Problem('payment-due-unknown', detail, { pointer: '/amount' })
  }
  if (input.currency === currency) return { outstanding, currency }
  throw new Problem('payment-currency-mismatch', `The amount due on ${on} is in ${currency}.`, {
    pointer: '/currency',
    meta: { outstanding, currency },
  })
}

const forTheWhole: Filter = { path: 'stayId', operator: 'isnull', value: null }

/** Matches the payments on the stay, and the payments on its reservation that have a share for it. */
function paidFor(stayId: string): Filter {
  return { path: 'allotments.stayId', operator: 'eq', value: stayId }
}

/** Matches the refunds of the same payment, whatever stay they were recorded on. */
function refundOf({ refundOf: value = null }: PaymentInput): Filter {
  return { path: 'refundOf', operator: 'eq', value }
}

/**
 * Throws `payment-duplicate` when the transaction of the terminal is already recorded. A voided payment does not count,
 * so that its transaction can be recorded again.
 */
function refuseRepeated(tx: Transaction, input: PaymentInput, kind: PaymentKind, ...where: Filter[]): void {
  const [before] = sameTransaction(tx, input, kind, ...where)
  if (!before) return
  throw new Problem('payment-duplicate', 'This transaction of the terminal is recorded already.', {
    pointer: '/terminalTransactionId',
    meta: { paymentId: before.id },
  })
}

/** A refund may have the number of its payment: some terminals print that on the receipt of the refund. */
function sameTransaction(
  tx: Transaction,
  { terminalTransactionId }: Pick<PaymentInput, 'terminalTransactionId'>,
  kind: PaymentKind,
  ...where: Filter[]
): Payment[] {
  if (!terminalTransactionId) return []
  const same: Filter[] = [
    ...where,
    { path: 'terminalTransactionId', operator: 'eq', value: terminalTransactionId },
    { path: 'voidedAt', operator: 'isnull', value: null },
  ]
  return tx.select(payment, same).filter((each) => kindOf(each) === kind)
}

/**
 * Records a payment on a stay, unless this transaction of the terminal is recorded on it. Returns the document. A payment of another
 * amount, or for which `isAnother` returns true, has its number by chance: terminals count from one again, and each for itself.
 */
export function insertOnce(
  tx: Transaction,
  { stayId, ...input }: PaymentInput & { reservationId: string; stayId: string },
  isAnother: (payment: Payment) => boolean,
): Document {
  const before = sameTransaction(tx, input, 'Payment', paidFor(stayId)).find(
    (each) => each.amount === input.amount && each.currency === input.currency && !isAnother(each),
  )
  if (before) return tx.document(payment, before.id)
  return insertPayment(tx, { ...input, stayId, allotments: [{ stayId, share: input.amount }] })
}

function wrongAmount(
  code: 'payment-exceeds-outstanding' | 'payment-amount-mismatch' | 'refund-exceeds-surplus',
  detail: string,
  meta: { outstanding: number; currency: string },
): Problem {
  return new Problem(code, detail, { pointer: '/amount', meta })
}
