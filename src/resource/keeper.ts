import type { Document, Questions, Writer } from './command.ts'
import type { Projection } from './projection.ts'
import type { Filter, Query } from './query.ts'
import type { Resource, Row } from './resource.ts'

export interface PageOfDocuments {
  documents: Document[]
  /** Whether further rows follow in the direction of the page. */
  more: boolean
}

/** One line of the journal: an event, as a command recorded it. */
export interface JournalLine {
  /** Greater than that of every earlier line; numbers may be missing. */
  sequence: number
  /** Unix milliseconds. */
  at: number
  type: string
  /** The path of the event's resource, below the interface's base. */
  subject: string
  data: Record<string, unknown>
  /** The token's id, or the name of a part of the appliance. */
  actor: string
  requestId: string | null
}

/** Calls `listener` once when the client disconnects, unless the returned function is called before. */
export type WhenGone = (listener: () => void) => () => void

/** The only interface for reads. A read never waits for a write. */
export interface Reader extends Questions {
  /**
   * Returns a page. Throws page-cursor-unknown for a cursor whose row neither exists nor was deleted in the
   * last 24 hours. A page that needs a scan of many rows is returned as a promise, and other requests are
   * served meanwhile. The promise rejects with `busy` when too many scans wait or the scan takes too long.
   * The scan is cancelled when all its clients have disconnected.
   */
  page(
    resource: Resource,
    query: Query,
    shape: Projection,
    whenGone?: WhenGone,
  ): PageOfDocuments | Promise<PageOfDocuments>
  /**
   * Returns how many rows match the filters; `most + 1` when there are more than `most`. It is a promise, and rejects with `busy`,
   * as a page.
   */
  total(resource: Resource, filters: Filter[], most: number, whenGone?: WhenGone): number | Promise<number>
  /** Returns one document. Throws not-found. The id may be a lookup of the resource. */
  document(resource: Resource, id: string, shape: Projection): Document
  /** Returns the id of the row, or null. It is for paths that only name a parent. */
  idOf(resource: Resource, id: string): string | null
  /** Returns the rows that a relationship of the given rows leads to, each once. */
  related(
    resource: Resource,
    ids: readonly string[],
    relationship: string,
  ): { resource: Resource; ids: string[] }
  /** Returns the attributes as a command sees them; null without the row. */
  row<R extends Resource>(resource: R, id: string): Row<R['fields']> | null
  rows<R extends Resource>(resource: R, query: Query): Row<R['fields']>[]
  /** Runs `work` on one snapshot of the database. `work` is synchronous. */
  snapshot<T>(work: () => T): T
  /** Returns the value of a named counter; 0 when it does not exist. */
  counter(name: string): number
  /** Returns the counters whose names are between `from` and `to` inclusive, by name. */
  counters(from: string, to: string): Map<string, number>
  /** A number that changes with every write. */
  version(): number
  /** Returns at most `limit` journal lines after the sequence number `after`, oldest first. */
  journal(after: number, limit: number): JournalLine[]
  /** Returns at most `limit` journal lines before the sequence number `before`, newest first. */
  journalBefore(before: number, limit: number): JournalLine[]
  /** Returns the sequence number of the newest journal line; 0 without any. */
  lastSequence(): number
  /**
   * Returns the stored answer to an idempotency key, if it was stored at `since` (Unix milliseconds) or
   * later.
   */
  answered(key: string, since: number): { fingerprint: string; output: unknown } | null
}

/** A store for a trial. What its writer writes, only its reader finds, and `close` forgets it. */
export interface Scratch {
  reader: Reader
  writer: Writer
  close(): void
}
