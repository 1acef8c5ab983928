import type { FinalOutcome } from '../devices/payment-terminal.ts'
import { openAtTerminal } from '../reservation/payments/open-at-terminal.ts'
import { insertOnce, type PaymentInput, type Recorded } from '../reservation/payments/payment-commands.ts'
import { type Payment, payment } from '../reservation/resources/payment.ts'
import { stay } from '../reservation/resources/stay.ts'
import {
  neverArrived,
  notCharged,
  type TerminalPayment,
  terminalPayment,
} from '../reservation/resources/terminal-payment.ts'
import { expectTimeToPay } from '../reservation/stays/time-left.ts'
import { paymentBrands } from '../reservation/values/payment-brand.ts'
import { keptMs as answersKeptMs } from '../resource/answers-since.ts'
import { command, type Document, type Transaction } from '../resource/command.ts'
import { Problem } from '../resource/problem.ts'
import { paymentTerminal } from './payment-terminal.ts'

/** How long a terminal is asked for a payment whose order has not arrived. */
export const reportsForMs = 86_400_000
/** A settled payment is removed when it is older than this, with the next payment. */
const keptMs = 90 * 86_400_000
const mostRemoved = 100

interface Begun {
  payment: TerminalPayment
  /**
   * False when the stay already has an open payment: the terminal must first report its outcome, before the guest pays
   * again.
   */
  isNew: boolean
  /** The payment that an earlier run of the same idempotent request has begun, and that was recorded without it. */
  recorded: Recorded | null
}

interface BeginPayment {
  stayId: string
  terminalId: string
  /** The same for the repeats of an idempotent request. */
  request: string | null
  /** The caller may not set a later departure, as a kiosk. */
  atKiosk: boolean
}

/**
 * Stores the intent to take a stay's outstanding amount at a terminal. A stay has at most one open payment. Throws not-found, payment-due-unknown or
 * payment-exceeds-outstanding when no amount is outstanding, and stay-status-transition at a kiosk when no time is left for a key.
 */
export const beginTerminalPayment = command(
  'begin-terminal-payment',
  (tx, { stayId, terminalId, request, atKiosk }: BeginPayment): Begun => {
    const row = tx.find(stay, stayId)
    const { id, reservationId, outstanding, currency } = row
    const open = openAtTerminal(tx, id)
    if (open) return { payment: open, isNew: false, recorded: null }
    const paid = request === null ? undefined : paidBy(tx, id, request)
    if (paid) {
      return { payment: paid, isNew: false, recorded: recordedAs(tx, paid.paymentId!, id, paid.currency) }
    }
    if (typeof outstanding !== 'number' || !currency)
      throw new Problem('payment-due-unknown', 'The amount due on the stay is not known.')
    if (outstanding <= 0)
      throw new Problem('payment-exceeds-outstanding', 'Nothing is outstanding on the stay.', {
        meta: { outstanding, currency },
      })
    if (atKiosk) expectTimeToPay(row, tx.now)
    removeOld(tx)
    const state = 'open' as const
    const payment = tx.insert(terminalPayment, {
      terminalId,
      reservationId,
      stayId: id,
      amount: outstanding,
      currency,
      state,
      request,
    })
    return { payment, isNew: true, recorded: null }
  },
)

/** The payment of a stay that a request has begun and that the guest has paid, for as long as a repeat is answered. */
function paidBy(tx: Transaction, stayId: string, request: string): TerminalPayment | undefined {
  const paid = tx.select(terminalPayment, [
    { path: 'stayId', operator: 'eq', value: stayId },
    { path: 'state', operator: 'eq', value: 'paid' },
  ])
  return paid.find((each) => each.request === request && each.createdAt > tx.now - answersKeptMs)
}

/**
 * Returns whether the terminal has still to report how a payment for the stay ended. The stay is kept until then, because
 * the payment is recorded on it. A payment that a person has settled as not charged counts too, while its terminal exists, and for a
 * day one whose order has not arrived.
 */
export function isBeingPaid(tx: Transaction, stayId: string): boolean {
  if (openAtTerminal(tx, stayId)) return true
  const said = [notCharged, neverArrived].flatMap((reason) =>
    tx.select(terminalPayment, [
      { path: 'stayId', operator: 'eq', value: stayId },
      { path: 'reason', operator: 'eq', value: reason },
      { path: 'settledAt', operator: 'gt', value: reason === neverArrived ? tx.now - reportsForMs : 0 },
    ]),
  )
  return said.some(({ terminalId }) => tx.revision(paymentTerminal, terminalId) !== null)
}

/** Stores that the terminal does not report whether the guest has paid. The front desk is notified once. */
export const doubtTerminalPayment = command('doubt-terminal-payment', (tx, { id }: { id: string }): null => {
  const { state, inDoubtSince, stayId, amount, currency } = tx.find(terminalPayment, id)
  if (state !== 'open' || inDoubtSince) return null
  tx.patch(terminalPayment, id, { inDoubtSince: tx.now })
  tx.journal('stay.payment-in-doubt', `stays/${stayId}`, { terminalPaymentId: id, amount, currency })
  return null
})

/** How long after the line was back an order may still reach a terminal that does not know it. */
const orderArrivesMs = 30_000

/**
 * Stores whether the terminal, asked over a new line, knows an open payment. An order may be on its way for a while after the
 * line has broken, so the payment has ended only when the terminal has not known it for that time. Returns whether it has ended.
 */
export const missTerminalPayment = command(
  'miss-terminal-payment',
  (tx, { id, isMissing }: { id: string; isMissing: boolean }): boolean => {
    const row = tx.find(terminalPayment, id)
    if (row.state !== 'open') return false
    const missingSince = isMissing ? (row.missingSince ?? tx.now) : null
    tx.patch(terminalPayment, id, { missingSince })
    if (missingSince === null || tx.now - missingSince < orderArrivesMs) return false
    refuse(tx, row, neverArrived)
    return true
  },
)

export interface Settled {
  id: string
  outcome: FinalOutcome
}

/**
 * Settles a payment by the terminal's report, and records the amount that the terminal took. A repeat records nothing.
 * The amount is recorded even if less is outstanding by now, because the guest has paid it. The report counts more than
 * a person who has said by hand that nothing was charged, and than that the order had not arrived. Returns null for a refused payment.
 */
export const settleTerminalPayment = command(
  'settle-terminal-payment',
  (tx, { id, outcome }: Settled): Recorded | null => {
    const row = tx.find(terminalPayment, id)
    const { state, stayId, currency } = row
    if (state === 'paid') return recordedAs(tx, row.paymentId!, stayId, currency)
    const isCertain = row.reason !== notCharged && row.reason !== neverArrived
    if (state === 'refused' && isCertain) return null
    if (outcome.outcome === 'refused') {
      refuse(tx, row, outcome.reason)
      return null
    }
    const { brand, transactionId } = outcome
    // The desk may have recorded this one by hand meanwhile, but not before it began.
    const isAnother = (each: Payment) => each.createdAt < row.createdAt || isOfAnother(tx, stayId, each.id)
    return record(tx, row, { ...brandOf(brand), terminalTransactionId: transactionId }, isAnother)
  },
)

/** What a person has said about a payment whose terminal does not say how it ended. */
export interface SaidByHand {
  stayId: string
  /** The open payment that the person has seen. */
  id: string
  charged: boolean
  reason: string
  /** The terminal's number of the transaction, such as on the guest's receipt. */
  transactionId: string | null
}

/**
 * Settles an open payment as a person says, and journals why. The audit shows the reason; events do not, because it may
 * name a guest. A repeat changes nothing. Throws payment-settled when the payment has ended otherwise.
 */
export const settleByHand = command('settle-terminal-payment-by-hand', (tx, said: SaidByHand): Document => {
  const row = tx.find(terminalPayment, said.id)
  const { id, state, stayId, amount, currency } = row
  if (stayId !== said.stayId)
    throw new Problem('not-found', 'The stay has no such payment at a terminal.', {
      pointer: '/terminalPaymentId',
    })
  if (state !== 'open') {
    if ((state === 'paid') === said.charged) return tx.document(terminalPayment, id)
    throw new Problem('payment-settled', 'The payment at the terminal has ended otherwise meanwhile.', {
      meta: { state },
    })
  }
  const { reason, charged, transactionId } = said
  // A number that a person has from a receipt of the stay means the transaction of that receipt.
  if (charged) record(tx, row, { brand: 'Other', terminalTransactionId: transactionId }, () => false)
  else refuse(tx, row, notCharged)
  const about = { reason, terminalPaymentId: id, charged, amount, currency }
  tx.journal('stay.payment-settled-by-hand', `stays/${stayId}`, about)
  return tx.document(terminalPayment, id)
})

function refuse(tx: Transaction, { id }: TerminalPayment, reason: string): void {
  tx.patch(terminalPayment, id, { state: 'refused', reason: reason || null, ...ended(tx) })
}

function record(
  tx: Transaction,
  { id, amount, currency, reservationId, stayId }: TerminalPayment,
  how: Pick<PaymentInput, 'brand' | 'brandText' | 'terminalTransactionId'>,
  isAnother: (payment: Payment) => boolean,
): Recorded {
  const document = insertOnce(tx, { currency, amount, ...how, reservationId, stayId }, isAnother)
  tx.patch(terminalPayment, id, { state: 'paid', reason: null, paymentId: document.id, ...ended(tx) })
  return recordedAs(tx, document.id, stayId, currency)
}

/** Whether the payment was recorded for an earlier payment of the stay at a terminal. */
function isOfAnother(tx: Transaction, stayId: string, paymentId: string): boolean {
  const same = [
    { path: 'stayId', operator: 'eq' as const, value: stayId },
    { path: 'paymentId', operator: 'eq' as const, value: paymentId },
  ]
  return tx.select(terminalPayment, same, [], 1).length > 0
}

const ended = ({ now }: Transaction) => ({ settledAt: now, inDoubtSince: null })

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

export const terminalCommands = [
  beginTerminalPayment,
  doubtTerminalPayment,
  missTerminalPayment,
  settleTerminalPayment,
  settleByHand,
]
