import type { Transaction } from './command.ts'
import type { Resource, Row } from './resource.ts'

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

/** The observers of each resource. */
export type Observers = ReadonlyMap<Resource, Observer>

/** Returns observers that call those of several modules, in this order. */
export function observersOf(modules: readonly Observers[]): Observers {
  const pairs = modules.flatMap((each) => [...each])
  return new Map(
    [...Map.groupBy(pairs, ([resource]) => resource)].map(([resource, found]) => [
      resource,
      (tx, change) => {
        for (const [, observer] of found) observer(tx, change)
      },
    ]),
  )
}
