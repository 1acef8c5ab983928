import type { Document, Questions } from './change.ts'
import type { Query } from './query.ts'
import type { Resource, Row } from './resource.ts'
import type { Shape } from './shape.ts'

export interface PageOfDocuments {
  documents: Document[]
  /** Further rows follow in the direction of the page. */
  more: boolean
}

/** What happened, as it was written down: each line once, in the order in which it is numbered. */
export interface JournalLine {
  /** Higher than that of every line before it; numbers may be left out. */
  sequence: number
  /** Unix milliseconds. */
  at: number
  type: string
  /** The path of what it is about, below the interface's base. */
  subject: string
  data: Record<string, unknown>
  /** Who did it: a token's id, or the name of a part of the appliance. */
  actor: string
  requestId: string | null
}

/** Calls back once when who asked has hung up, until the returned function is called. */
export type WhenGone = (listener: () => void) => () => void

/** The one door for reads: what the store offers to whoever speaks for it. Nothing here waits for a write. */
export interface Reader extends Questions {
  /**
   * Throws page-cursor-unknown for a cursor that is neither there nor was deleted in the last 24 hours. A page for which
   * many rows have to be looked at is promised, so that nobody else waits for it; that is refused with busy where too many
   * wait or it takes too long, and is given up when all who asked have gone.
   */
  page(
    resource: Resource,
    query: Query,
    shape: Shape,
    whenGone?: WhenGone,
  ): PageOfDocuments | Promise<PageOfDocuments>
  /** Throws not-found. The id may be one of the resource's lookups. */
  document(resource: Resource, id: string, shape: Shape): Document
  /** The id of the row, or null: for paths that only name a parent. */
  idOf(resource: Resource, id: string): string | null
  /** The rows that the given rows lead to through a relationship, each once. */
  related(
    resource: Resource,
    ids: readonly string[],
    relationship: string,
  ): { resource: Resource; ids: string[] }
  /** Attributes as a change sees them; null when it is not there. */
  row<R extends Resource>(resource: R, id: string): Row<R['fields']> | null
  rows<R extends Resource>(resource: R, query: Query): Row<R['fields']>[]
  /** All that `work` reads is of one moment, whatever is written meanwhile. `work` does not wait for anything. */
  snapshot<T>(work: () => T): T
  /** How often a named counter was counted on; 0 for one that never was. */
  counter(name: string): number
  /** The counters whose names lie between two, both included, by name. */
  counters(from: string, to: string): Map<string, number>
  /** Another number as soon as anything was written. */
  version(): number
  /** What happened after the line `after`, oldest first, at most `limit` lines. */
  journal(after: number, limit: number): JournalLine[]
  /** The number of the newest line of the journal; 0 without any. */
  lastSequence(): number
  /** What was answered to an idempotency key, at `since` (Unix milliseconds) or later. */
  answered(key: string, since: number): { fingerprint: string; output: unknown } | null
}
