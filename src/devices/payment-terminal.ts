import type { Duplex } from 'node:stream'
import type { Provenance, Timing } from './driver.ts'

/** A payment that a terminal is to take. It never contains a card number, which stays in the terminal. */
export interface TerminalOrder {
  /** Identifies the payment permanently. A terminal treats two orders with the same reference as one. */
  reference: string
  /** In minor units of the currency. */
  amount: number
  currency: string
  /** The language of the guest; null when it is unknown. */
  language: string | null
}

/** The state of a payment, as the terminal reports it. */
export type TerminalOutcome =
  /** The terminal took the amount. `transactionId` is the terminal's number of the transaction. */
  | { outcome: 'paid'; transactionId: string; brand: string }
  /** The terminal took no money, and will take none for this payment. */
  | { outcome: 'refused'; reason: string }
  /** The payment is in progress at the terminal. */
  | { outcome: 'under-way' }
  /** The terminal does not know the payment. */
  | { outcome: 'none' }

/** How a payment ended. */
export type FinalOutcome = Extract<TerminalOutcome, { outcome: 'paid' | 'refused' }>

/**
 * The operations of a terminal. Each method rejects with a TerminalFault when there was no readable answer. The request
 * may have been executed then; `ask` returns its outcome.
 */
export interface PaymentTerminal {
  /** Starts a payment. Resolves when it has ended. */
  pay(order: TerminalOrder): Promise<TerminalOutcome>
  /** Returns the state of a payment, also after a power cut on either side. */
  ask(reference: string): Promise<TerminalOutcome>
  /**
   * Cancels a payment that the guest has not confirmed yet. A payment that was already taken stays valid, and the
   * answer says so.
   */
  cancel(reference: string): Promise<TerminalOutcome>
}

export interface TerminalDriver {
  /** The name of the driver in a terminal's configuration. */
  name: string
  vendor: string
  provenance: Provenance
  /** Creates the terminal on an open wire. */
  open(wire: Duplex, timing: Timing & { payWithinMs: number }): PaymentTerminal
}

/** There was no readable answer of a terminal. */
export class TerminalFault extends Error {}
