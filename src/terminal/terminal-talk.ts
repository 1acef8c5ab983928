import type { Duplex } from 'node:stream'
import {
  type FinalOutcome,
  type PaymentTerminal,
  type TerminalDriver,
  TerminalFault,
  type TerminalOutcome,
} from '../devices/payment-terminal.ts'
import type { Clock } from '../host/clock.ts'
import type { TerminalPayment } from '../reservation/resources/terminal-payment.ts'
import type { Actor } from '../resource/command.ts'
import { Problem } from '../resource/problem.ts'
import type { PaymentTerminalRow } from './payment-terminal.ts'

/** The dependencies of a conversation with a terminal. */
export interface TerminalLine {
  clock: Clock
  drivers: readonly TerminalDriver[]
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
}

/** The wish to cancel a payment while it is being taken. */
export interface Cancellation {
  /** The person or client who cancels; null as long as it is not wanted. */
  by: Actor | null
  /** Sends the wish to the terminal that is taking the payment. */
  send(): void
}

type Work = (terminal: PaymentTerminal) => Promise<TerminalOutcome>

const connectWithinMs = 5_000
/**
 * How often the outcome is queried, and the pause between queries. After that, the guest is informed that the outcome
 * is unknown.
 */
const mostAsked = 3
const askEveryMs = 2_000

/** Sends requests to payment terminals. Each conversation opens a connection. Nothing is stored here. */
export function terminalTalk({ clock, drivers, openWire }: TerminalLine) {
  /**
   * Starts the payment. If the terminal does not answer, the outcome is queried. If the connection cannot be opened, the order was
   * not sent. A payment that was canceled meanwhile is not started either.
   */
  async function take(
    row: PaymentTerminalRow,
    payment: TerminalPayment,
    { language, cancellation }: { language: string | null; cancellation: Cancellation },
  ): Promise<TerminalOutcome | { outcome: 'not-sent' }> {
    const { id: reference, amount, currency } = payment
    const answer = await conversation(row, async (terminal) => {
      if (cancellation.by) return { outcome: 'refused', reason: 'canceled' }
      // The order goes over the connection of the payment, because many terminals accept only one.
      const canceled = Promise.withResolvers<TerminalOutcome>()
      cancellation.send = () =>
        void terminal.cancel(reference).then((outcome) => {
          // Otherwise the answer to the payment itself is the outcome.
          if (isFinal(outcome)) canceled.resolve(outcome)
        }, canceled.reject)
      return Promise.race([terminal.pay({ reference, amount, currency, language }), canceled.promise])
    })
    if (answer) return answer
    const outcome = await askOften(row, payment, cancellation)
    // The guest's time is over. The payment is aborted, unless the terminal took it at this moment.
    return outcome.outcome === 'under-way' ? asking(row, (terminal) => terminal.cancel(reference)) : outcome
  }

  /**
   * Queries the outcome of a payment, or cancels it as soon as that is wanted. Returns `under-way` when the terminal does
   * not report an outcome.
   */
  async function askOften(
    row: PaymentTerminalRow,
    { id }: TerminalPayment,
    cancellation: Cancellation,
  ): Promise<TerminalOutcome> {
    for (let asked = 1; ; asked++) {
      const outcome = await asking(row, (terminal) =>
        cancellation.by ? terminal.cancel(id) : terminal.ask(id),
      )
      if (outcome.outcome !== 'under-way' || asked === mostAsked) return outcome
      await clock.sleep(askEveryMs)
    }
  }

  /** No answer does not mean refused: the payment may be running. */
  async function asking(row: PaymentTerminalRow, work: Work): Promise<TerminalOutcome> {
    const answer = await conversation(row, work)
    return answer === null || answer.outcome === 'not-sent' ? { outcome: 'under-way' } : answer
  }

  /** Runs a conversation with the terminal over a new connection. Returns null when the terminal does not answer. */
  async function conversation(row: PaymentTerminalRow, work: Work) {
    const { path, driver } = row
    const opening = openWire(path, { baudRate: 9_600, signal: clock.timeout(connectWithinMs) })
    const wire = await opening.catch(() => null)
    if (!wire) return { outcome: 'not-sent' as const }
    wire.on('error', () => {})
    try {
      const found = drivers.find(({ name }) => name === driver)
      if (!found)
        throw new Problem('terminal-missing', `This build has no driver ${driver} for payment terminals.`)
      return await work(found.open(wire, { clock, patience: 1, payWithinMs: payWithinMs(row) }))
    } catch (error) {
      if (error instanceof TerminalFault) return null
      throw error
    } finally {
      wire.destroy()
    }
  }

  return {
    take,
    askOften,
    ask: (row: PaymentTerminalRow, { id }: TerminalPayment) => asking(row, (terminal) => terminal.ask(id)),
    cancel: (row: PaymentTerminalRow, { id }: TerminalPayment) =>
      asking(row, (terminal) => terminal.cancel(id)),
  }
}

/** How long a guest may take to pay. */
export const payWithinMs = ({ timeoutSeconds }: PaymentTerminalRow) => (timeoutSeconds ?? 120) * 1_000

/** Whether the terminal reports how the payment ended. */
export function isFinal(outcome: TerminalOutcome | { outcome: 'not-sent' }): outcome is FinalOutcome {
  return outcome.outcome === 'paid' || outcome.outcome === 'refused'
}
