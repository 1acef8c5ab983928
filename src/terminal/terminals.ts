import { DeviceFault } from '../devices/fault.ts'
import type { TerminalOutcome } from '../devices/payment-terminal.ts'
import type { BackgroundWork } from '../host/background-work.ts'
import type { Recorded } from '../reservation/payments/payment-commands.ts'
import {
  neverArrived,
  notCharged,
  type TerminalPayment,
  terminalPayment,
} from '../reservation/resources/terminal-payment.ts'
import type { Actor, Document, WriteOptions, Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import type { Filter } from '../resource/query.ts'
import { type PaymentTerminalRow, paymentTerminal } from './payment-terminal.ts'
import {
  beginTerminalPayment,
  doubtTerminalPayment,
  missTerminalPayment,
  reportsForMs,
  type SaidByHand,
  settleByHand,
  settleTerminalPayment,
} from './terminal-commands.ts'
import { type Cancellation, isFinal, payWithinMs, type TerminalLine, terminalTalk } from './terminal-talk.ts'

export interface TerminalOptions extends TerminalLine {
  reader: Reader
  writer: Writer
  background: BackgroundWork
}

interface PayRequest {
  stayId: string
  /** Null means the only terminal. */
  terminalId: string | null
  language: string | null
  /** The caller may not set a later departure, as a kiosk: the stay must last until the guest has a key. */
  atKiosk: boolean
  options: WriteOptions
}

/** A payment that is being taken. */
interface Run extends Cancellation {
  ended: Promise<unknown>
}

/** How often open payments are queried whose guest no longer waits. */
const settleEveryMs = 10_000
/** The delay of the first query after a start. */
const settleFirstMs = 1_000
/** After the guest's time and this reserve, a payment that nobody waits for is canceled, or is in doubt. */
const reserveMs = 15_000
/** How long a client that cancels a payment waits for the terminal to end it. */
const cancelWithinMs = 8_000

/** The payment terminals of the property. Each terminal runs one payment at a time. */
export class Terminals {
  readonly #reader
  readonly #writer
  readonly #clock
  readonly #talk
  readonly #busy = new Set<string>()
  /** The terminals that are asked for a payment that was left open, until they have answered. */
  readonly #asked = new Map<string, Promise<unknown>>()
  /** The payments that are being taken, by their stays. */
  readonly #runs = new Map<string, Run>()
  readonly #settling
  #isClosed = false

  constructor({ reader, writer, clock, background, ...line }: TerminalOptions) {
    this.#reader = reader
    this.#writer = writer
    this.#clock = clock
    this.#talk = terminalTalk({ clock, ...line })
    const settle = () => this.settleOpen()
    this.#settling = background.every('payments', settleEveryMs, settle, { firstMs: settleFirstMs })
  }

  /**
   * Takes the outstanding amount of a stay at a terminal, and records the payment. Throws `payment-refused`,
   * `terminal-missing`, `terminal-busy`, `terminal-offline` (no payment was started) and `payment-outcome-unknown` (the
   * guest may have paid).
   */
  async pay({ stayId, terminalId, language, atKiosk, options }: PayRequest): Promise<Recorded> {
    const row = chosen(this.#reader, terminalId)
    return this.#alone(row.id, () =>
      this.#cancelable(stayId, async (cancellation) => {
        const { actor, idempotency } = options
        const request = idempotency ? `${idempotency.key} ${idempotency.fingerprint}` : null
        const begun = { stayId, terminalId: row.id, request, atKiosk }
        const { payment, isNew, recorded } = await this.#writer.execute(beginTerminalPayment, begun, {
          actor,
        })
        if (recorded) return recorded
        const at = this.#reader.row(paymentTerminal, payment.terminalId) ?? row
        const asked = () => this.#talk.askOften(at, payment, cancellation)
        const outcome = await (isNew
          ? this.#talk.take(at, payment, { language, cancellation })
          : at.id === row.id
            ? asked()
            : this.#alone(at.id, asked))
        if (isFinal(outcome)) {
          const write = outcome.outcome === 'paid' ? options : { actor: cancellation.by ?? actor }
          const paid = await this.#writer.execute(settleTerminalPayment, { id: payment.id, outcome }, write)
          if (paid) return paid
          throw refused(outcome.outcome === 'refused' ? outcome.reason : '')
        }
        if (outcome.outcome === 'not-sent') {
          const none = { outcome: 'refused', reason: 'never-started' } as const
          await this.#writer.execute(settleTerminalPayment, { id: payment.id, outcome: none }, byItself)
        } else if (!(await this.#isMissing(payment, outcome))) {
          await this.#writer.execute(doubtTerminalPayment, { id: payment.id }, { actor })
          throw unknown()
        }
        throw offline()
      }),
    )
  }

  /**
   * Cancels the payment of a stay that is under way, and returns the id of the stay's last payment at a terminal. An
   * amount that the terminal has already taken stays paid. Throws `not-found` when the stay has no such payment,
   * `terminal-busy`, and `payment-outcome-unknown` when the terminal does not report how the payment ended.
   */
  async cancel({ stayId, actor }: { stayId: string; actor: Actor }): Promise<string> {
    const run = this.#runs.get(stayId)
    if (run) {
      run.by ??= actor
      run.send()
      await Promise.race([run.ended, this.#clock.sleep(cancelWithinMs, { ref: false })])
    } else await this.#cancelLeftOpen(stayId, actor)
    const last = lastPaymentOf(this.#reader, stayId)
    if (last.state === 'open') throw unknown()
    return last.id
  }

  /**
   * Settles the payments that a power cut or a silent terminal left open, and asks for those that a person has settled by
   * hand as not charged: the terminal may have come back and report that it took the money. Skips a terminal that a guest is using. A payment
   * that cannot be settled does not keep the others open. Rejects with the errors of those that could not be.
   */
  async settleOpen(): Promise<void> {
    const late = { path: 'settledAt', operator: 'gt', value: this.#clock.now() - reportsForMs } as const
    const unsettled = [
      ...this.#with('state', 'open'),
      ...this.#with('reason', notCharged),
      ...this.#with('reason', neverArrived, late),
    ]
    const errors: unknown[] = []
    for (const payment of unsettled) {
      const row = this.#reader.row(paymentTerminal, payment.terminalId)
      if (!row || this.#isClosed || this.#busy.has(row.id)) continue
      const asked = this.#alone(row.id, () => this.#settleLeftOpen(row, payment))
      const ended = asked.catch((error) => errors.push(error))
      this.#asked.set(row.id, ended)
      await ended
      this.#asked.delete(row.id)
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Open payments could not be settled.')
  }

  /**
   * Settles an open payment as a person says, whose terminal does not say how it ended. Throws `terminal-busy` while the
   * payment is being taken.
   */
  async byHand(said: SaidByHand, options: WriteOptions): Promise<Document> {
    if (this.#runs.has(said.stayId)) throw terminalBusy()
    return this.#writer.execute(settleByHand, said, options)
  }

  close(): void {
    this.#isClosed = true
    void this.#settling.close()
  }

  #with(path: 'state' | 'reason', value: string, ...also: Filter[]): TerminalPayment[] {
    const filters = [{ path, operator: 'eq' as const, value }, ...also]
    return this.#reader.rows(terminalPayment, { filters, sort: [], page: { size: 100 } })
  }

  /** Cancels a payment that a power cut or a silent terminal left open, after a query of it that is under way. */
  async #cancelLeftOpen(stayId: string, actor: Actor): Promise<void> {
    const asked = this.#asked.get(lastOf(this.#reader, stayId)?.terminalId ?? '')
    if (asked) await Promise.race([asked, this.#clock.sleep(cancelWithinMs, { ref: false })])
    const payment = lastOf(this.#reader, stayId)
    const row = payment?.state === 'open' ? this.#reader.row(paymentTerminal, payment.terminalId) : null
    if (!payment || !row) return
    await this.#alone(row.id, async () =>
      this.#conclude(payment, await this.#talk.cancel(row, payment), { actor }, true),
    )
  }

  /** When the guest's time is over, the payment is canceled, so that the next guest does not pay it. */
  async #settleLeftOpen(row: PaymentTerminalRow, payment: TerminalPayment): Promise<void> {
    const isOver = this.#clock.now() - payment.createdAt > payWithinMs(row) + reserveMs
    const outcome = await (isOver ? this.#talk.cancel : this.#talk.ask)(row, payment)
    await this.#conclude(payment, outcome, byItself, isOver)
  }

  /** Settles an open payment as its terminal reports. Without a final report, it is in doubt when it `isOver`. */
  async #conclude(payment: TerminalPayment, outcome: TerminalOutcome, write: WriteOptions, isOver: boolean) {
    const { id } = payment
    if (isFinal(outcome)) await this.#writer.execute(settleTerminalPayment, { id, outcome }, write)
    else if (!(await this.#isMissing(payment, outcome)) && isOver)
      await this.#writer.execute(doubtTerminalPayment, { id }, write)
  }

  /** Whether the order of an open payment has never arrived at the terminal. */
  async #isMissing({ id, missingSince }: TerminalPayment, { outcome }: TerminalOutcome): Promise<boolean> {
    const isUnknown = outcome === 'none'
    if (!isUnknown && !missingSince) return false
    return this.#writer.execute(missTerminalPayment, { id, isMissing: isUnknown }, byItself)
  }

  async #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(id)) throw terminalBusy()
    this.#busy.add(id)
    try {
      return await work()
    } finally {
      this.#busy.delete(id)
    }
  }

  /** A stay has one payment at a time. */
  async #cancelable<T>(stayId: string, work: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    if (this.#runs.has(stayId)) throw terminalBusy()
    const ended = Promise.withResolvers<void>()
    const run: Run = { by: null, send: () => {}, ended: ended.promise }
    this.#runs.set(stayId, run)
    try {
      return await work(run)
    } finally {
      this.#runs.delete(stayId)
      ended.resolve()
    }
  }
}

const byItself: WriteOptions = { actor: { by: 'payment-terminal', requestId: null } }

function terminalBusy(): Problem {
  return new Problem('terminal-busy', 'Another payment is under way at the terminal.', {
    meta: { retryAfterSeconds: 5 },
  })
}

/** Returns the latest payment of a stay at a terminal. Throws not-found without one. */
export function lastPaymentOf(reader: Reader, stayId: string): TerminalPayment {
  const last = lastOf(reader, stayId)
  if (!last) throw new Problem('not-found', 'The stay has no payment at a terminal.')
  return last
}

function lastOf(reader: Reader, stayId: string): TerminalPayment | undefined {
  const [last] = reader.rows(terminalPayment, {
    filters: [{ path: 'stayId', operator: 'eq', value: stayId }],
    sort: [{ path: 'id', descending: true }],
    page: { size: 1 },
  })
  return last
}

function refused(reason: string): Problem {
  return new Problem('payment-refused', 'The terminal refused the payment. No money was taken.', {
    meta: { reason },
  })
}

/** The terminal started no payment, so it took no amount. */
const offline = () =>
  new DeviceFault('terminal-offline', 'The payment terminal does not answer. No money was taken.')

const unknown = () =>
  new DeviceFault(
    'payment-outcome-unknown',
    'The payment terminal does not say whether the guest has paid. It is asked until it does. Do not take the payment a second time before.',
  )

/** Returns the terminal with this id; for null, the only terminal. Throws `terminal-missing`. */
function chosen(reader: Reader, terminalId: string | null): PaymentTerminalRow {
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
