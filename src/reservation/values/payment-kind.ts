/** Whether the guest has paid, or has got back what was paid too much. */
export const paymentKinds = ['Payment', 'Refund'] as const
export type PaymentKind = (typeof paymentKinds)[number]

/**
 * The kind of a row of `payment` as SQL. A refund is the payment whose shares are below zero, so that releases that know no refunds
 * and only add up the shares compute the right balance.
 */
export const kindSql = `CASE WHEN EXISTS (SELECT 1 FROM payment_allotment WHERE owner = payment.rid AND share < 0)
  THEN 'Refund' ELSE 'Payment' END`

/** Returns the kind of a stored payment, which is a row of `payment`. */
export function kindOf(row: object): PaymentKind {
  const { allotments } = row as { allotments?: readonly { share: number }[] | null }
  return (allotments ?? []).some(({ share }) => share < 0) ? 'Refund' : 'Payment'
}

/**
 * Returns the function that names an event of a payment. Events of refunds have names of their own: who reads the payments, such as
 * a PMS that posts them, would take a refund for money that the guest has paid.
 */
export function named(ofPayment: string, ofRefund: string): (row: Record<string, unknown>) => string {
  return (row) => (kindOf(row) === 'Refund' ? ofRefund : ofPayment)
}
