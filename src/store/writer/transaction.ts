import type { Statement } from 'better-sqlite3'
import { memoized } from '../../host/memoized.ts'
import type { Actor, Attempted, Transaction } from '../../resource/command.ts'
import type { Stored } from '../../resource/field.ts'
import { uuidPattern } from '../../resource/fields.ts'
import type { Observers } from '../../resource/observer.ts'
import type { Resources } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import type { Projection } from '../../resource/projection.ts'
import type { Filter, SortKey } from '../../resource/query.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import type { Connection } from '../connection.ts'
import { lineBuffer } from '../line-buffer.ts'
import { searchIndex } from '../query/search-index.ts'
import { selectPage } from '../query/select.ts'
import { documentSql } from '../rows/document.ts'
import { rowReader } from '../rows/row.ts'
import { type RowVersion, rowCache, rowVersions } from '../rows/row-cache.ts'
import { withHyphens } from '../rows/template.ts'
import { lastingPlan, numbers, type Prepare, statements } from '../statements.ts'
import { uuids } from '../uuid.ts'
import { addTo, forgetCounters, nextOf } from './counters.ts'
import { type Gathered, gathering } from './gathering.ts'
import {
  changedMeanwhile,
  createRow,
  located,
  overwriteRow,
  patchRow,
  type RowWriting,
  removeRow,
  ridOf,
} from './row-changes.ts'
import { bumpRevision, nextRid } from './row-writer.ts'
import { inSavepoint, type SavepointTools } from './savepoint.ts'
import type { AttributeValues } from './table-plan.ts'

export type ShapeOf = (resource: Resource) => Projection

/** What a transaction needs on the writing connection. */
interface Tools extends RowWriting, SavepointTools {
  numbers: ReturnType<typeof numbers>
  /** Returns the SQL of a resource's document. */
  sqlOf(resource: Resource): string
  /** Begins a part of the command. */
  begin(now: number, actor: Actor): Transaction
}

/**
 * Creates what commands use on the writing connection. `begin` returns the transaction of one command.
 * `rolledBack` must be called after each rollback. A command whose transaction `isLost` must not be committed.
 */
export function transactions(
  db: Connection,
  resources: Resources,
  shapeOf: ShapeOf,
  observers: Observers = new Map(),
) {
  const prepare = statements(db)
  let wasLost = false
  /** A command may catch the error of a part. Without its transaction, each further statement would be a transaction of its own. */
  const prepareWithin: typeof prepare = (sql) => {
    if (wasLost) throw new Error('the transaction of this command is lost')
    return prepare(sql)
  }
  const isLost = () => {
    wasLost ||= !db.inTransaction
    return wasLost
  }
  function atSavepoint(sql: string): void {
    const statement = prepareWithin(sql)
    wasLost = true
    statement.run()
    wasLost = false
  }
  const tools = { ...toolsOf(prepareWithin, resources, shapeOf), observers, isLost, atSavepoint }
  const { index, versions, journal, gathered } = tools
  const seen = rowCache(tools.rows.read)
  /** After a rollback, a revision number may be assigned again with other content, so the caches are emptied. */
  function forgetRows(): void {
    seen.forget()
    versions.forget()
    index.forgetCount()
  }
  function rolledBack(): void {
    wasLost = false
    forgetRows()
    index.log.forget()
    journal.forget()
    gathered.forget()
  }
  const begin = (now: number, actor: Actor): Transaction =>
    new CommandTransaction({ ...tools, own: seen.ofOneCommand(), begin, forgetRows }, now, actor)
  return {
    begin,
    rolledBack,
    isLost,
    prepare,
    index,
  }
}

function toolsOf(
  prepare: Prepare,
  resources: Resources,
  shapeOf: ShapeOf,
): Omit<Tools, 'own' | 'begin' | 'forgetRows' | 'isLost' | 'atSavepoint' | 'observers'> {
  const versions = rowVersions()
  const rows = rowReader(resources, prepare, versions)
  return {
    resources,
    prepare,
    versions,
    rows,
    index: searchIndex(prepare),
    journal: lineBuffer(prepare, 'journal (sequence, at, type, subject, data, actor, requestId)', 7),
    gathered: gathering(),
    newId: uuids(),
    nextRid: nextRid(prepare),
    // Building the SQL of a reservation's document takes 26 us, 7 % of a create, and the SQL never changes.
    sqlOf: memoized((resource: Resource) => documentSql(resources, resource, shapeOf(resource))),
    numbers: numbers(prepare),
  }
}

/** The transaction of one command. */
class CommandTransaction implements Transaction {
  readonly now: number
  readonly actor: Actor
  readonly count: Transaction['count']
  readonly text: Transaction['text']
  readonly all: Transaction['all']
  readonly counters: Transaction['counters']
  readonly #tools: Tools

  constructor(tools: Tools, now: number, actor: Actor) {
    this.now = now
    this.actor = actor
    this.#tools = tools
    ;({ count: this.count, text: this.text, all: this.all, counters: this.counters } = tools.numbers)
  }

  insert(resource: Resource, attributes: AttributeValues, id?: string) {
    return createRow(this.#tools, this, resource, attributes, id) as never
  }

  find(resource: Resource, id: string) {
    return this.#tools.own.at(resource, ...located(this.#tools, resource, id)) as never
  }

  expectRevision(resource: Resource, { id, revision }: { id: string; revision?: number | undefined }) {
    const [, found] = located(this.#tools, resource, id)
    if (revision !== undefined && revision !== found) throw changedMeanwhile(resource, found)
  }

  revision(resource: Resource, id: string) {
    return this.#tools.rows.find(resource, id)?.[1] ?? null
  }

  select(resource: Resource, where: Filter[], sort: SortKey[] = [], limit = 1000) {
    const { resources, prepare } = this.#tools
    const query = { filters: where, sort, page: { size: limit } }
    const [statement] = selectPage(resources, resource, query, null)
    const found = prepare(lastingPlan(resource, where, statement!.sql))
    return this.#read(resource, found, [...statement!.values, limit]) as never
  }

  rows(resource: Resource, condition: string, ...values: Stored[]) {
    const sql = `SELECT rid, revision FROM ${resource.table} WHERE ${condition} ORDER BY rid LIMIT 5000`
    return this.#read(resource, this.#tools.prepare(sql), values) as never
  }

  /** Reads the rows that a statement finds by number and revision. */
  #read(resource: Resource, statement: Statement<unknown[], unknown>, values: unknown[]): Row[] {
    const { own, versions } = this.#tools
    const rows: Row[] = []
    for (const [rid, revision] of statement.raw().all(...values) as RowVersion[]) {
      const row = own.at(resource, rid, revision)
      if (!versions.known(resource, row.id)) versions.keep(resource, row.id, [rid, revision])
      rows.push(row)
    }
    return rows
  }

  patch(resource: Resource, id: string, changes: AttributeValues) {
    return patchRow(this.#tools, this, resource, this.find(resource, id), changes) as never
  }

  overwrite(resource: Resource, id: string, changes: AttributeValues) {
    overwriteRow(this.#tools, this, resource, this.find(resource, id), changes)
  }

  remove(resource: Resource, id: string) {
    removeRow(this.#tools, this, resource, id)
  }

  touch(resource: Resource, id: string) {
    bumpRevision(this.#tools, resource, ridOf(this.#tools, resource, id))
  }

  journal(type: string, subject: string, data: AttributeValues = {}, atLeast?: number) {
    const { journal } = this.#tools
    const newest = 'SELECT coalesce(max(sequence), 0) FROM journal'
    // With a NULL sequence, SQLite assigns the number after the newest line.
    const number =
      atLeast === undefined ? null : Math.max(atLeast, this.count(newest) + journal.waiting().length + 1)
    const { by, requestId } = this.actor
    journal.add([[number, this.now, type, subject, JSON.stringify(data), by, requestId]])
  }

  next(counter: string, floor?: string) {
    return nextOf(this.#tools.prepare, counter, floor)
  }

  add(counter: string, by: number) {
    return addTo(this.#tools.prepare, counter, by)
  }

  forget(from: string, to: string) {
    forgetCounters(this.#tools.prepare, from, to)
  }

  settleSearch() {
    this.#tools.index.settle()
  }

  part<T>(work: (tx: Transaction) => T): T {
    return inSavepoint(this.#tools, () => work(this.#tools.begin(this.now, this.actor)))
  }

  attempt<T>(work: (tx: Transaction) => T): Attempted<T> {
    const own = this.#tools.own.ofAttempt()
    try {
      const part = new CommandTransaction({ ...this.#tools, own }, this.now, this.actor)
      const result = inSavepoint(this.#tools, () => work(part))
      this.#tools.own.adopt(own)
      return { result, problem: null }
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 503) throw error
      return { result: null, problem: error }
    }
  }

  together<T>(work: () => T): T {
    const { journal, index, gathered } = this.#tools
    for (const lines of [journal, index.log, gathered]) lines.hold()
    const result = work()
    gathered.write(this)
    for (const lines of [journal, index.log]) lines.flush()
    return result
  }

  gather<Item>(write: Gathered<Item>['write'], item: Item) {
    this.#tools.gathered.add(this, { write, item } as Gathered)
  }

  locate(resource: Resource, ids: readonly string[]) {
    this.#tools.rows.locateAll(resource, ids)
  }

  replaceAnswers(containing: string, output: unknown) {
    this.run(
      'UPDATE idempotency SET output = ? WHERE instr(output, ?) > 0',
      JSON.stringify(output),
      containing,
    )
  }

  document(resource: Resource, id: string) {
    const { own, prepare, sqlOf } = this.#tools
    const [rid, revision] = located(this.#tools, resource, id)
    const text = prepare(sqlOf(resource)).pluck().get(rid) as string
    return {
      id: uuidPattern.test(id) ? id.toLowerCase() : own.at(resource, rid, revision).id,
      revision,
      text: withHyphens(text),
    }
  }

  run(sql: string, ...values: Stored[]) {
    return this.#tools.prepare(sql).run(...values).changes
  }
}
