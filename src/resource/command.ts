import type { Fields, Stored } from './field.ts'
import type { Problem } from './problem.ts'
import type { Filter, SortKey } from './query.ts'
import type { Attributes, Resource, Row } from './resource.ts'

/** Who requested a command, for the journal. */
export interface Actor {
  /** The token's id, or the name of the part of the appliance that acted. */
  by: string
  /** The request's id; null without a request. */
  requestId: string | null
}

/**
 * SQL queries of a module on its own tables, for what a filter cannot express. They work in commands and in
 * readers.
 */
export interface Questions {
  /** Returns the first value of the first row as a number; 0 without a row. */
  count(sql: string, ...values: Stored[]): number
  /** Returns the first value of the first row; null when that is no text. */
  text(sql: string, ...values: Stored[]): string | null
  /** Returns every row. The caller declares the type of the columns. */
  all<Columns>(sql: string, ...values: Stored[]): Columns[]
}

/** What has come of an attempt: its result, or why it was refused. */
export type Attempted<T> = { result: T; problem: null } | { result: null; problem: Problem }

/** What a command may do. All of it is committed, or none. */
export interface Transaction extends Questions {
  /** The time of the command by the appliance's clock, Unix milliseconds. */
  readonly now: number
  readonly actor: Actor
  /** Inserts a row. It gets a new id, unless it had one before a restore. */
  insert<F extends Fields>(resource: Resource<F>, attributes: Attributes<F>, id?: string): Row<F>
  /** Returns the row. Throws not-found. The id may be a lookup of the resource. */
  find<F extends Fields>(resource: Resource<F>, id: string): Row<F>
  /** Returns the current revision of a row; null without the row. The id may be a lookup of the resource. */
  revision(resource: Resource, id: string): number | null
  /**
   * Throws not-found without the row, and revision-mismatch when it has changed since the caller read it. Without `revision`, the
   * caller accepts any.
   */
  expectRevision(resource: Resource, read: { id: string; revision?: number | undefined }): void
  /** Returns at most `limit` rows (default 1,000), sorted by `sort`, or in the order of creation. */
  select<F extends Fields>(resource: Resource<F>, where: Filter[], sort?: SortKey[], limit?: number): Row<F>[]
  /**
   * Returns the first 5,000 rows for which a condition in SQL is true, in the order of creation. It takes less work
   * than `select`, which builds its SQL anew.
   */
  rows<F extends Fields>(resource: Resource<F>, condition: string, ...values: Stored[]): Row<F>[]
  /**
   * Sets some fields. Writes only fields that differ; when none differs, there is no new revision and no
   * event.
   */
  patch<F extends Fields>(resource: Resource<F>, id: string, changes: Partial<Attributes<F>>): Row<F>
  /**
   * Sets fields of a row that is no longer in use, to erase their content. The row gets a new revision; the
   * resource's rules do not run and the journal gets no line.
   */
  overwrite<F extends Fields>(resource: Resource<F>, id: string, changes: Partial<Attributes<F>>): void
  /** Deletes the row. Throws resource-referenced while another row refers to it. */
  remove(resource: Resource, id: string): void
  /**
   * Bumps the revision without a change of the row, because its document shows data that changed elsewhere.
   */
  touch(resource: Resource, id: string): void
  /**
   * Adds a line to the journal, for sync, events and audit. `data` must not contain a PIN or a secret. The
   * line has the next sequence number, or `atLeast` if that is greater.
   */
  journal(type: string, subject: string, data?: Record<string, unknown>, atLeast?: number): void
  /**
   * Returns the next number of a named counter: 1 at first, and always greater than the counter `floor`. Two
   * committed commands never get the same number.
   */
  next(counter: string, floor?: string): number
  /** Adds to a named counter, which starts at 0, and returns its new value. */
  add(counter: string, by: number): number
  /** Returns the counters whose names are between `from` and `to` inclusive, by name. */
  counters(from: string, to: string): Map<string, number>
  /** Deletes the counters whose names are between `from` and `to` inclusive. */
  forget(from: string, to: string): void
  /**
   * Runs a part of the command and returns its result. When it throws, its writes are taken back, and the command can go on. A row
   * gets a new revision in each part that changes it.
   */
  part<T>(work: (tx: Transaction) => T): T
  /**
   * Does what may be refused, when the command goes on without it. Returns the Problem, after every write of `work` was taken back; null
   * when it is done. Throws anything else, and a Problem with status 503. A row that the command has revised keeps its revision. A
   * command that catches a Problem in any other way may keep half of what was refused.
   */
  attempt<T>(work: (tx: Transaction) => T): Attempted<T>
  /**
   * Does work in many parts. Its lines of the journal, its texts for the search index and what it gathers are written at its end.
   */
  together<T>(work: () => T): T
  /** Calls `write` with this item: at once, or at the end of `together` with all items that were gathered for it. */
  gather<Item>(write: (tx: Transaction, items: readonly Item[]) => void, item: Item): void
  /** Finds rows that will be used, with one statement for all of them. */
  locate(resource: Resource, ids: readonly string[]): void
  /** Replaces every stored answer to an idempotency key that contains this text. */
  replaceAnswers(containing: string, output: unknown): void
  /** Moves all pending texts into the search index, so that no pending line still contains them. */
  settleSearch(): void
  /** Returns the document as it will be read after the commit. */
  document(resource: Resource, id: string): Document
  /** Writes rows that belong to no resource, by INSERT, UPDATE or DELETE. Returns the number of rows. */
  run(sql: string, ...values: Stored[]): number
}

/** A document's text with its revision. */
export interface Document {
  id: string
  revision: number
  text: string
}

/**
 * A command: a named write with plain input. It runs in the writer thread, and it can be recorded and
 * replayed.
 */
export interface Command<Input = unknown, Output = unknown> {
  name: string
  run(tx: Transaction, input: Input): Output
  /** Returns false for an output that is a refusal. Such an output is not stored under an idempotency key. */
  isDone?(output: Output): boolean
}

/** Declares a command. Its name is that in the messages between the threads. */
export function command<Input, Output>(
  name: string,
  run: (tx: Transaction, input: Input) => Output,
  more: Pick<Command<Input, Output>, 'isDone'> = {},
): Command<Input, Output> {
  return { name, run, ...more }
}

/** The options of one execution of a command. */
export interface WriteOptions {
  actor: Actor
  /** Runs the command, returns its output, and rolls it back. */
  dryRun?: boolean
  /** Low priority: commands without this flag run first. */
  lowPriority?: boolean
  /** Stores the output under this key, in the transaction of the command. */
  idempotency?: IdempotencyMark
}

export interface IdempotencyMark {
  /** The token's id and the client's key. */
  key: string
  /** The hash of method, path with query, and body. */
  fingerprint: string
  /** The previous answer, when there is one. The command does not run again. */
  answered?: { output: unknown }
}

/**
 * The only interface for writes. `execute` resolves after the commit is on the disk, and rejects with the
 * command's Problem.
 */
export interface Writer {
  execute<Input, Output>(
    command: Command<Input, Output>,
    input: Input,
    options: WriteOptions,
  ): Promise<Output>
}
