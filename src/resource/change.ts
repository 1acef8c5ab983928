import type { Fields, Stored } from './fields.ts'
import type { Filter, SortKey } from './query.ts'
import type { Attributes, Resource, Row } from './resource.ts'

/** Who asked for a change, for the journal. */
export interface Actor {
  /** The token's id, or the name of the part of the appliance that acted by itself. */
  by: string
  /** The request it belongs to, when there is one. */
  requestId: string | null
}

/** SQL questions of a module about its own tables, for what no filter can ask: alike inside a change and outside of one. */
export interface Questions {
  /** The first value of the first row as a number; 0 without a row. */
  count(sql: string, ...values: Stored[]): number
  /** The first value of the first row; null where that is no text. */
  text(sql: string, ...values: Stored[]): string | null
  /** Every row. The caller says what its columns are. */
  all<Columns>(sql: string, ...values: Stored[]): Columns[]
}

/** What a change may do. Everything happens in one transaction, or not at all. */
export interface Transaction extends Questions {
  /** The moment of the change, Unix milliseconds, from the appliance's clock. */
  readonly now: number
  readonly actor: Actor
  insert<F extends Fields>(resource: Resource<F>, attributes: Attributes<F>): Row<F>
  /** Throws not-found. The id may be one of the resource's lookups. */
  find<F extends Fields>(resource: Resource<F>, id: string): Row<F>
  /** The revision of a row now; null when it is not there. The id may be one of the resource's lookups. */
  revision(resource: Resource, id: string): number | null
  /** At most `limit` rows (1,000 unless said otherwise), in the order asked for, else in the order of creation. */
  select<F extends Fields>(resource: Resource<F>, where: Filter[], sort?: SortKey[], limit?: number): Row<F>[]
  /** Sets some fields. Writes only what differs; without a difference there is no new revision and no event. */
  patch<F extends Fields>(resource: Resource<F>, id: string, changes: Partial<Attributes<F>>): Row<F>
  /**
   * Sets fields of a row that nobody works with any more, for whoever forgets what it said: a new revision, without the rules
   * of the resource, and without a line in the journal.
   */
  overwrite<F extends Fields>(resource: Resource<F>, id: string, changes: Partial<Attributes<F>>): void
  /** Refuses with resource-referenced while anything points at it. */
  remove(resource: Resource, id: string): void
  /** A new revision without a change of its own: its document shows something that has changed elsewhere. */
  touch(resource: Resource, id: string): void
  /**
   * Writes down what happened, for sync, events and audit. `data` holds no PIN and no secret. The line has the next number, or
   * `atLeast` if that is more.
   */
  journal(type: string, subject: string, data?: Record<string, unknown>, atLeast?: number): void
  /** The next number of a named counter, starting at 1 and above what `floor`, another one, is. No two committed changes get the same one. */
  next(counter: string, floor?: string): number
  /** Adds to a named counter, which is 0 before its first time, and gives what it is then. */
  add(counter: string, by: number): number
  /** The counters whose names lie between two, both included, by name. */
  counters(from: string, to: string): Map<string, number>
  /** Forgets the counters whose names lie between two, both included. */
  forget(from: string, to: string): void
  /** Another answer for every idempotency key whose answer has this text in it. */
  replaceAnswers(containing: string, output: unknown): void
  /** Puts the texts that wait for the search index into it: none of them is left outside its row. */
  settleSearch(): void
  /** The document as it will be read after the commit. */
  document(resource: Resource, id: string): Document
  /** Writes rows that are of no resource, by an INSERT, an UPDATE or a DELETE. Answers how many. */
  run(sql: string, ...values: Stored[]): number
}

/** A document's text with the revision it shows. */
export interface Document {
  id: string
  revision: number
  text: string
}

/** A named function of plain input. It may run elsewhere than where it was asked for, be recorded, and be replayed. */
export interface Change<Input = unknown, Output = unknown> {
  name: string
  run(tx: Transaction, input: Input): Output
  /** False for an output that is a refusal: under an idempotency key it is not kept for a repeat. */
  isDone?(output: Output): boolean
}

export function change<Input, Output>(
  name: string,
  run: (tx: Transaction, input: Input) => Output,
  more: Pick<Change<Input, Output>, 'isDone'> = {},
): Change<Input, Output> {
  return { name, run, ...more }
}

/** How a change is asked for. */
export interface WriteOptions {
  actor: Actor
  /** Runs the change, answers what it would have answered, keeps nothing. */
  dryRun?: boolean
  /** Nobody stands and waits for it: what is asked without this goes first. */
  patient?: boolean
  /** The answer is kept with the change, in the same transaction. */
  idempotency?: IdempotencyMark
}

export interface IdempotencyMark {
  /** Token id and the client's key. */
  key: string
  /** Of method, path with query, and body. */
  fingerprint: string
  /** What was answered before: the change is not carried out again. */
  answered?: { output: unknown }
}

/** The one door for writes: resolves after the change is on the disk, rejects with its Problem. */
export interface Door {
  write<Input, Output>(change: Change<Input, Output>, input: Input, options: WriteOptions): Promise<Output>
}
