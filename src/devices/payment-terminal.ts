import type { Duplex } from 'node:stream'
import type { Provenance, Timing } from './driver.ts'

/** A payment that a terminal is asked to take. It never contains the number of a card: that stays in the terminal. */
export interface TerminalOrder {
  /** Names the payment for ever. A terminal takes two orders with the same reference for one. */
  reference: string
  /** In minor units of the currency. */
  amount: number
  currency: string
  /** The language of the guest; null when it is not known. */
  language: string | null
}

/** What a terminal says about a payment. */
export type TerminalOutcome =
  /** The money was taken. `transactionId` is the terminal's number of the transaction. */
  | { outcome: 'paid'; transactionId: string; brand: string }
  /** No money was taken, and none will be. */
  | { outcome: 'refused'; reason: string }
  /** The guest is at the terminal. */
  | { outcome: 'under-way' }
  /** The terminal has never heard of the payment. */
  | { outcome: 'none' }

/**
 * What a terminal can do. Each method rejects with a TerminalFault when there was no answer that could be read; whatever was asked
 * may have happened then, and `ask` tells.
 */
export interface PaymentTerminal {
  /** Starts a payment. Resolves when the guest is done. */
  pay(order: TerminalOrder): Promise<TerminalOutcome>
  /** Returns what became of a payment, also after a power cut on either side. */
  ask(reference: string): Promise<TerminalOutcome>
  /** Ends a payment that the guest has not confirmed yet. A payment that was taken stays taken: the answer says so. */
  cancel(reference: string): Promise<TerminalOutcome>
}

export interface TerminalDriver {
  /** The name of the driver in a terminal's configuration. */
  name: string
  vendor: string
  provenance: Provenance
  /** Speaks with the terminal over an open wire. */
  open(wire: Duplex, timing: Timing & { payWithinMs: number }): PaymentTerminal
}

/** No answer of a terminal that could be read. */
export class TerminalFault extends Error {}
