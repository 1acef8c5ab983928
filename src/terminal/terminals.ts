import type { Duplex } from 'node:stream'
import { DeviceFault } from '../devices/fault.ts'
import {
  type PaymentTerminal,
  type TerminalDriver,
  TerminalFault,
  type TerminalOutcome,
} from '../devices/payment-terminal.ts'
import type { Clock } from '../host/clock.ts'
import type { Recorded } from '../reservation/payments/payment-commands.ts'
import type { WriteOptions, Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import { type PaymentTerminalRow, paymentTerminal } from './payment-terminal.ts'
import { beginTerminalPayment, doubtTerminalPayment, settleTerminalPayment } from './terminal-commands.ts'
import { type TerminalPayment, terminalPayment } from './terminal-payment.ts'

export interface TerminalOptions {
  reader: Reader
  writer: Writer
  clock: Clock
  drivers: readonly TerminalDriver[]
  openWire(path: string, options: { baudRate: number; signal: AbortSignal }): Promise<Duplex>
  failed(error: unknown): void
}

interface PayRequest {
  stayId: string
  /** Null for the only terminal. */
  terminalId: string | null
  language: string | null
  options: WriteOptions
}

export type Terminals = ReturnType<typeof paymentTerminals>

const connectWithinMs = 5_000
/** How often open payments are asked for that nobody waits for any more. */
const settleEveryMs = 10_000
/** After a start they are asked for soon. */
const settleFirstMs = 1_000
/** So often a terminal is asked, and so long apart, before the guest is told that nobody knows. */
const mostAsked = 3
const askEveryMs = 2_000

/** The payment terminals of the property. One payment at a time goes over each. */
export function paymentTerminals({ reader, writer, clock, drivers, openWire, failed }: TerminalOptions) {
  const busy = new Set<string>()
  const settle = () => void settleOpen().catch(failed)
  const first = clock.setTimeout(settle, settleFirstMs).unref()
  const timer = clock.setInterval(settle, settleEveryMs).unref()
  let isClosed = false

  /**
   * Has the guest pay what is outstanding on a stay, and records it. Throws `payment-refused`, `terminal-missing`, `terminal-busy`,
   * and the
   * faults `terminal-offline` (nothing happened) and `payment-outcome-unknown` (the guest may have paid).
   */
  async function pay({ stayId, terminalId, language, options }: PayRequest): Promise<Recorded> {
    const row = chosen(terminalId)
    return alone(row.id, async () => {
      const { actor } = options
      const { payment, isNew } = await writer.execute(
        beginTerminalPayment,
        { stayId, terminalId: row.id },
        { actor },
      )
      const at = reader.row(paymentTerminal, payment.terminalId) ?? row
      const outcome = await (isNew ? take(at, payment, language) : askOften(at, payment))
      if (outcome.outcome === 'paid' || outcome.outcome === 'refused') {
        const settled = { id: payment.id, outcome }
        const recorded = await writer.execute(
          settleTerminalPayment,
          settled,
          outcome.outcome === 'paid' ? options : { actor },
        )
        if (recorded) return recorded
        throw refused(outcome.outcome === 'refused' ? outcome.reason : '')
      }
      if (outcome.outcome === 'none') {
        await settleAs(payment, 'never-started')
        throw offline()
      }
      await writer.execute(doubtTerminalPayment, { id: payment.id }, { actor })
      throw unknown()
    })
  }

  /** Starts the payment. After silence the terminal is asked; without a line nothing was started. */
  async function take(
    row: PaymentTerminalRow,
    payment: TerminalPayment,
    language: string | null,
  ): Promise<TerminalOutcome> {
    const { id: reference, amount, currency } = payment
    const wire = await opened(row).catch(() => null)
    if (!wire) return { outcome: 'none' }
    try {
      return await speaker(row, wire).pay({ reference, amount, currency, language })
    } catch (error) {
      if (!(error instanceof TerminalFault)) throw error
    } finally {
      wire.destroy()
    }
    const outcome = await askOften(row, payment)
    // The guest's time is over: the payment is ended, unless it was taken at this very moment.
    return outcome.outcome === 'under-way' ? asking(row, (terminal) => terminal.cancel(reference)) : outcome
  }

  /** Asks what became of a payment. `under-way` stands for a terminal that does not say. */
  async function askOften(row: PaymentTerminalRow, { id }: TerminalPayment): Promise<TerminalOutcome> {
    for (let asked = 1; ; asked++) {
      const outcome = await asking(row, (terminal) => terminal.ask(id))
      if (outcome.outcome !== 'under-way' || asked === mostAsked) return outcome
      await clock.sleep(askEveryMs)
    }
  }

  /** Speaks with the terminal over a wire of its own. Silence is no answer: the payment may be under way. */
  async function asking(
    row: PaymentTerminalRow,
    work: (terminal: PaymentTerminal) => Promise<TerminalOutcome>,
  ): Promise<TerminalOutcome> {
    const wire = await opened(row).catch(() => null)
    if (!wire) return { outcome: 'under-way' }
    try {
      return await work(speaker(row, wire))
    } catch (error) {
      if (error instanceof TerminalFault) return { outcome: 'under-way' }
      throw error
    } finally {
      wire.destroy()
    }
  }

  async function opened({ path }: PaymentTerminalRow): Promise<Duplex> {
    const wire = await openWire(path, { baudRate: 9_600, signal: clock.timeout(connectWithinMs) })
    wire.on('error', () => {})
    return wire
  }

  function speaker({ driver, timeoutSeconds }: PaymentTerminalRow, wire: Duplex): PaymentTerminal {
    const found = drivers.find(({ name }) => name === driver)
    if (!found)
      throw new Problem('terminal-missing', `This build has no driver ${driver} for payment terminals.`)
    return found.open(wire, { clock, patience: 1, payWithinMs: (timeoutSeconds ?? 120) * 1_000 })
  }

  /** Settles the payments that a power cut or a silent terminal left open. A terminal that a guest uses is left alone. */
  async function settleOpen(): Promise<void> {
    const filters = [{ path: 'state', operator: 'eq' as const, value: 'open' }]
    for (const payment of reader.rows(terminalPayment, { filters, sort: [], page: { size: 100 } })) {
      const row = reader.row(paymentTerminal, payment.terminalId)
      if (!row || isClosed || busy.has(row.id)) continue
      await alone(row.id, async () => {
        const outcome = await asking(row, (terminal) => terminal.ask(payment.id))
        if (outcome.outcome === 'none') await settleAs(payment, 'never-started')
        else if (outcome.outcome !== 'under-way')
          await writer.execute(settleTerminalPayment, { id: payment.id, outcome }, byItself)
      })
    }
  }

  async function settleAs({ id }: TerminalPayment, reason: string): Promise<void> {
    await writer.execute(settleTerminalPayment, { id, outcome: { outcome: 'refused', reason } }, byItself)
  }

  function chosen(terminalId: string | null): PaymentTerminalRow {
    if (terminalId !== null) {
      const row = reader.row(paymentTerminal, terminalId)
      if (row) return row
      throw new Problem('terminal-missing', 'There is no payment terminal with this id.', {
        pointer: '/terminalId',
      })
    }
    const [only, ...others] = reader.rows(paymentTerminal, { filters: [], sort: [], page: { size: 2 } })
    if (only && others.length === 0) return only
    const detail = only
      ? 'There are several payment terminals. Name one in terminalId.'
      : 'The property has no payment terminal.'
    throw new Problem('terminal-missing', detail, { pointer: '/terminalId' })
  }

  async function alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (busy.has(id))
      throw new Problem('terminal-busy', 'Another payment is under way at the terminal.', {
        meta: { retryAfterSeconds: 5 },
      })
    busy.add(id)
    try {
      return await work()
    } finally {
      busy.delete(id)
    }
  }

  return {
    pay,
    settleOpen,
    close(): void {
      isClosed = true
      first.cancel()
      timer.cancel()
    },
  }
}

const byItself: WriteOptions = { actor: { by: 'payment-terminal', requestId: null } }

function refused(reason: string): Problem {
  return new Problem('payment-refused', 'The terminal refused the payment. No money was taken.', {
    meta: { reason },
  })
}

/** Nothing was started, so nothing was taken. */
const offline = () =>
  new DeviceFault('terminal-offline', 'The payment terminal does not answer. No money was taken.')

const unknown = () =>
  new DeviceFault(
    'payment-outcome-unknown',
    'The payment terminal does not say whether the guest has paid. It is asked until it does. Do not take the payment a second time before.',
  )
