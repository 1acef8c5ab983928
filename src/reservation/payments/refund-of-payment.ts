import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Attributes } from '../../resource/resource.ts'
import { toDecimal } from '../../resource/values/currency.ts'
import { type Payment, payment } from '../resources/payment.ts'
import { kindOf } from '../values/payment-kind.ts'

type Shares = NonNullable<Payment['allotments']>

interface RefundOfPayment {
  reservationId: string
  /** The stay on which the refund is recorded. Its share of the payment is given back first. */
  stayId: string
  refund: Pick<Attributes<typeof payment.fields>, 'refundOf' | 'reason' | 'currency' | 'amount'>
}

/**
 * Returns the shares, below zero, of a refund of one payment. Throws `refund-exceeds-payment` for more than what is left of the
 * payment, less its refunds, and for more than the house has left of all payments of the reservation: other refunds may have given
 * back a surplus. For example, of 109.00 paid, 9.00 were a surplus that was given back; at most 100.00 of the payment are left.
 */
export function refundShares(tx: Transaction, { reservationId, stayId, refund }: RefundOfPayment): Shares {
  if (!refund.reason?.trim())
    throw new Problem('validation-failed', 'A refund of a payment needs a reason.', { pointer: '/reason' })
  const id = refund.refundOf ?? ''
  if (tx.revision(payment, id) === null)
    throw new Problem('reference-unknown', `There is no ${payment.type} ${id}.`, { pointer: '/refundOf' })
  const known = tx.find(payment, id)
  if (known.reservationId !== reservationId) {
    const detail = 'The payment in refundOf is of another reservation.'
    throw new Problem('validation-failed', detail, { pointer: '/refundOf' })
  }
  const { currency } = known
  if (refund.currency !== currency)
    throw new Problem('payment-currency-mismatch', `The payment in refundOf is in ${currency}.`, {
      pointer: '/currency',
      meta: { currency },
    })
  const counted = notVoided(tx, reservationId).filter((each) => each.currency === currency)
  const shares = leftOf(known, counted)
  const left = Math.max(0, Math.min(sumOf(shares), sumOf(counted.flatMap(allotmentsOf))))
  if (refund.amount > left) {
    const detail =
      left > 0
        ? `At most ${toDecimal(left, currency)} ${currency} of the payment is left to give back.`
        : 'Nothing of the payment is left to give back.'
    throw new Problem('refund-exceeds-payment', detail, { pointer: '/amount', meta: { left, currency } })
  }
  const ownFirst = shares.toSorted((one, other) => rank(one) - rank(other))
  return taken(ownFirst, refund.amount)

  function rank(share: Shares[number]): number {
    return share.stayId === stayId ? 0 : 1
  }
}

/** Throws `validation-failed` for a payment that names another payment, as only a refund does. */
export function expectNoRefund({ refundOf }: Pick<Attributes<typeof payment.fields>, 'refundOf'>): void {
  if (!refundOf) return
  const detail = 'Only a refund names a payment in refundOf. Use the action record-refund.'
  throw new Problem('validation-failed', detail, { pointer: '/refundOf' })
}

/** Throws `payment-refunded` when refunds name this payment, which would then be of nothing. */
export function expectNotGivenBack(
  tx: Transaction,
  { id, reservationId }: Pick<Payment, 'id' | 'reservationId'>,
): void {
  const refundIds = notVoided(tx, reservationId).flatMap((each) => (each.refundOf === id ? [each.id] : []))
  if (refundIds.length === 0) return
  throw new Problem('payment-refunded', 'A refund of this payment is recorded. Void the refund first.', {
    meta: { refundIds },
  })
}

function notVoided(tx: Transaction, reservationId: string): Payment[] {
  return tx.select(payment, [
    { path: 'reservationId', operator: 'eq', value: reservationId },
    { path: 'voidedAt', operator: 'isnull', value: null },
  ])
}

/** Returns what is left of each share of a payment, less its refunds; nothing of a voided payment, and of a refund. */
function leftOf(known: Payment, counted: readonly Payment[]): Shares {
  if (kindOf(known) === 'Refund' || typeof known.voidedAt === 'number') return []
  const refunds = counted.filter(({ refundOf }) => refundOf === known.id).flatMap(allotmentsOf)
  return allotmentsOf(known).map(({ stayId, share }) => ({
    stayId,
    share: share + sumOf(refunds.filter((each) => each.stayId === stayId)),
  }))
}

/** Takes an amount from shares, one after the other, and returns it as shares below zero. */
function taken(shares: Shares, amount: number): Shares {
  let open = amount
  return shares.flatMap(({ stayId, share }) => {
    const part = Math.min(open, share)
    open -= part
    return part > 0 ? [{ stayId, share: -part }] : []
  })
}

function allotmentsOf({ allotments }: Payment): Shares {
  return allotments ?? []
}

function sumOf(shares: Shares): number {
  return shares.reduce((sum, { share }) => sum + share, 0)
}
