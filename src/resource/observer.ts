import type { Transaction } from './command.ts'
import type { Row } from './resource.ts'

/** A row that a command has written. */
export interface RowChange {
  /** Null for a new row. */
  before: Row | null
  /** Null for a deleted row. */
  after: Row | null
  /** The stored fields that differ; empty for a new and for a deleted row. */
  changed: readonly string[]
}

/** Is called in the transaction that writes a row, after the row is written. */
export type Observer = (tx: Transaction, change: RowChange) => void
