import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import { toDecimal } from '../../resource/values/currency.ts'
import { type TerminalPayment, terminalPayment } from '../resources/terminal-payment.ts'

/** The payment of a stay of which a terminal has still to report how it ended. */
export function openAtTerminal(tx: Transaction, stayId: string): TerminalPayment | undefined {
  const [open] = tx.select(terminalPayment, having({ stayId, state: 'open' }), [], 1)
  return open
}

interface NotTwice {
  stayId: string
  /** What the payment is to be recorded of, and what is outstanding on the stay, in minor units. */
  amount: number
  outstanding: number
  /** What a terminal has charged already is recorded: a refusal gives no money back. */
  terminalTransactionId?: string | null | undefined
}

/**
 * Throws 409 `payment-under-way` when the payment and the one that is open at a terminal are together more than is outstanding
 * on the stay: the guest would pay twice.
 */
export function expectNotPaidTwice(tx: Transaction, payment: NotTwice): void {
  const open = openAtTerminal(tx, payment.stayId)
  if (!open || payment.terminalTransactionId) return
  if (payment.amount + open.amount <= payment.outstanding) return
  const { currency } = open
  const amount = toDecimal(open.amount, currency)
  throw new Problem(
    'payment-under-way',
    open.inDoubtSince
      ? `A payment terminal does not say whether ${amount} ${currency} was paid for the stay. Settle that payment by hand first, so that the guest does not pay twice.`
      : `A payment of ${amount} ${currency} for the stay is under way at a payment terminal. Wait until it has ended, or cancel it on the sheet of the stay, so that the guest does not pay twice.`,
    { meta: { terminalPaymentId: open.id, stayId: open.stayId } },
  )
}
