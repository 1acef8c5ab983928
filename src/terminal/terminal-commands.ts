import type { TerminalOutcome } from '../devices/payment-terminal.ts'
import { paymentBrands } from '../reservation/payments/payment-brand.ts'
import { insertPayment, type Recorded } from '../reservation/payments/payment-commands.ts'
import { payment } from '../reservation/resources/payment.ts'
import { stay } from '../reservation/resources/stay.ts'
import { command, type Transaction } from '../resource/command.ts'
import { Problem } from '../resource/problem.ts'
import { type TerminalPayment, terminalPayment } from './terminal-payment.ts'

/** Payments that were settled so long ago are removed with the next one. */
const keptMs = 90 * 86_400_000
const mostRemoved = 100

interface Begun {
  payment: TerminalPayment
  /** False for a payment that is open already: the terminal is asked what became of it, before anybody pays again. */
  isNew: boolean
}

/**
 * Stores that a stay's outstanding amount is to be paid at a terminal. A stay has one open payment. Throws not-found, and
 * payment-due-unknown and payment-exceeds-outstanding when nothing is outstanding.
 */
export const beginTerminalPayment = command(
  'begin-terminal-payment',
  (tx, { stayId, terminalId }: { stayId: string; terminalId: string }): Begun => {
    const { id, reservationId, outstanding, currency } = tx.find(stay, stayId)
    const [open] = tx.select(terminalPayment, [
      { path: 'stayId', operator: 'eq', value: id },
      { path: 'state', operator: 'eq', value: 'open' },
    ])
    if (open) return { payment: open, isNew: false }
    if (typeof outstanding !== 'number' || !currency)
      throw new Problem('payment-due-unknown', 'The amount due on the stay is not known.')
    if (outstanding <= 0)
      throw new Problem('payment-exceeds-outstanding', 'Nothing is outstanding on the stay.', {
        meta: { outstanding, currency },
      })
    removeOld(tx)
    const state = 'open' as const
    const payment = tx.insert(terminalPayment, {
      terminalId,
      reservationId,
      stayId: id,
      amount: outstanding,
      currency,
      state,
    })
    return { payment, isNew: true }
  },
)

/** Stores that the terminal does not say whether the guest has paid. The front desk hears of it once. */
export const doubtTerminalPayment = command('doubt-terminal-payment', (tx, { id }: { id: string }): null => {
  const { state, inDoubtSince, stayId, amount, currency } = tx.find(terminalPayment, id)
  if (state !== 'open' || inDoubtSince) return null
  tx.patch(terminalPayment, id, { inDoubtSince: tx.now })
  tx.journal('stay.payment-in-doubt', `stays/${stayId}`, { terminalPaymentId: id, amount, currency })
  return null
})

export interface Settled {
  id: string
  outcome: Extract<TerminalOutcome, { outcome: 'paid' | 'refused' }>
}

/**
 * Settles a payment by what the terminal says, and records the money that it took: once, however often it is settled. The money was
 * taken, so it is recorded also when less is outstanding by now. Returns null for a refused payment.
 */
export const settleTerminalPayment = command(
  'settle-terminal-payment',
  (tx, { id, outcome }: Settled): Recorded | null => {
    const { state, stayId, reservationId, amount, currency, ...row } = tx.find(terminalPayment, id)
    if (state === 'paid') return recordedAs(tx, row.paymentId!, stayId, currency)
    if (state === 'refused') return null
    const ended = { settledAt: tx.now, inDoubtSince: null }
    if (outcome.outcome === 'refused') {
      tx.patch(terminalPayment, id, { ...ended, state: 'refused', reason: outcome.reason || null })
      return null
    }
    const document = insertPayment(tx, {
      currency,
      amount,
      ...brandOf(outcome.brand),
      terminalTransactionId: outcome.transactionId,
      reservationId,
      stayId,
      allotments: [{ stayId, share: amount }],
    })
    tx.patch(terminalPayment, id, { ...ended, state: 'paid', paymentId: document.id })
    return { document, outstanding: tx.find(stay, stayId).outstanding ?? 0, currency }
  },
)

function recordedAs(tx: Transaction, paymentId: string, stayId: string, currency: string): Recorded {
  return {
    document: tx.document(payment, paymentId),
    outstanding: tx.find(stay, stayId).outstanding ?? 0,
    currency,
  }
}

function brandOf(word: string) {
  const brand = paymentBrands.find((each) => each.toLowerCase() === word.toLowerCase())
  return brand ? { brand } : { brand: 'Other' as const, brandText: word || null }
}

function removeOld(tx: Transaction): void {
  const old = [{ path: 'settledAt', operator: 'lt' as const, value: tx.now - keptMs }]
  for (const { id } of tx.select(terminalPayment, old, [], mostRemoved)) tx.remove(terminalPayment, id)
}

export const terminalCommands = [beginTerminalPayment, doubtTerminalPayment, settleTerminalPayment]
