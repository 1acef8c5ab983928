import type { Actor, Document, Transaction } from '../resource/change.ts'
import type { Fields } from '../resource/fields.ts'
import type { Resources } from '../resource/path.ts'
import { Problem } from '../resource/problem.ts'
import type { Filter, SortKey } from '../resource/query.ts'
import type { Resource, Row } from '../resource/resource.ts'
import type { Shape } from '../resource/shape.ts'
import { changedFields, keptFields } from './changed-fields.ts'
import type { Connection } from './connection.ts'
import { documentSql } from './document.ts'
import { holdersOf } from './holders.ts'
import { numbers } from './numbers.ts'
import { onceForEach } from './once-for-each.ts'
import { type Place, rememberedPlaces } from './places.ts'
import { missing } from './reader.ts'
import { revisions } from './revisions.ts'
import { rowReader } from './row.ts'
import { type Attributes, type Named, rowWriter } from './row-writer.ts'
import { searchIndex } from './search-index.ts'
import { type RowAt, seenRows } from './seen-rows.ts'
import { selectPage } from './select.ts'
import { lastingPlan, statements } from './statements.ts'
import { entomb, nextRid } from './tombstone.ts'
import { toText, uuids } from './uuid.ts'

export type ShapeOf = (resource: Resource) => Shape

/**
 * Creates what commands use on the writing connection. `begin` returns the transaction of one command.
 * `rolledBack` must be called after each rollback.
 */
export function transactions(db: Connection, resources: Resources, shapeOf: ShapeOf) {
  const prepare = statements(db)
  const places = rememberedPlaces()
  const rows = rowReader(resources, prepare, places)
  const index = searchIndex(prepare)
  const writer = rowWriter(resources, prepare, rows, places, index)
  const { bump, touchTargets } = revisions(resources, prepare, rows, places)
  const newId = uuids()
  // Building the SQL of a reservation's document takes 26 us, 7 % of a create, and the SQL never changes.
  const sqlOf = onceForEach((resource) => documentSql(resources, resource, shapeOf(resource)))
  const rids = nextRid(prepare)
  const { count, text, all, counters } = numbers(prepare)
  const newest = 'SELECT coalesce(max(sequence), 0) FROM journal'
  const seen = seenRows(rows.read)

  function begin(now: number, actor: Actor): Transaction {
    const rowAt = seen.ofOneChange()
    const read = (resource: Resource, id: string) => rowAt(resource, ...located(resource, id))
    const tx: Transaction = {
      now,
      actor,
      insert: (resource, attributes) => insert(tx, resource, attributes as Attributes) as never,
      find: (resource, id) => read(resource, id) as never,
      revision: (resource, id) => rows.find(resource, id)?.[1] ?? null,
      select: (resource, where, sort, limit) => select(rowAt, resource, where, sort, limit) as never,
      patch: (resource, id, changes) =>
        patch(tx, resource, read(resource, id), changes as Attributes) as never,
      overwrite: (resource, id, changes) =>
        overwrite(tx, resource, read(resource, id), changes as Attributes),
      remove: (resource, id) => remove(tx, resource, id),
      touch: (resource, id) => bump(resource, ridOf(resource, id)),
      journal: (type, subject, data, atLeast) => journal(tx, type, subject, data, atLeast),
      next,
      add,
      counters,
      forget: (from, to) => prepare('DELETE FROM counter WHERE name BETWEEN ? AND ?').run(from, to),
      settleSearch: () => index.settle(),
      replaceAnswers: (containing, output) =>
        prepare('UPDATE idempotency SET output = ? WHERE instr(output, ?) > 0').run(
          JSON.stringify(output),
          containing,
        ),
      document,
      count,
      text,
      all,
      run: (sql, ...values) => prepare(sql).run(...values).changes,
    }
    return tx
  }

  function insert(tx: Transaction, resource: Resource, attributes: Attributes): Row {
    const { now } = tx
    const id = newId(now)
    const after = { ...defaultsOf(resource), ...attributes }
    for (const rule of resource.rules.write ?? []) rule({ tx, id, before: null, after })
    writer.insert(resource, rids(resource), id, now, after)
    touchTargets(resource, after)
    if (!resource.bookkeeping) {
      const audit = configured(tx, resource, keptFields(resource), {}, after)
      tx.journal(`${resource.type}.${resource.events.created}`, `${resource.path}/${id}`, {
        revision: 1,
        ...audit,
      })
    }
    const row = { ...after, id, createdAt: now, updatedAt: now, revision: 1 } as Row
    for (const rule of resource.rules.written ?? []) rule({ tx, id, before: null, after: row })
    return row
  }

  function patch(tx: Transaction, resource: Resource, before: Row, changes: Attributes): Row {
    const { id } = before
    const after: Attributes = { ...before, ...changes }
    for (const rule of resource.rules.write ?? []) rule({ tx, id, before, after })
    const changed = changedFields(resource, before, after)
    if (changed.length === 0) return before
    refuseImmutable(changed, before)
    writer.update(resource, ridOf(resource, id), tx.now, changed, before as Attributes, after)
    touchTargets(resource, after, before as Attributes)
    const revision = before.revision + 1
    if (!resource.bookkeeping && !changed.every(([, { options }]) => options.unremarked)) {
      const audit = configured(tx, resource, changed, before as Attributes, after)
      const data = { revision, changed: changed.map(([name]) => name), ...audit }
      tx.journal(`${resource.type}.${resource.events.changed}`, `${resource.path}/${id}`, data)
    }
    const row = { ...after, updatedAt: tx.now, revision } as Row
    for (const rule of resource.rules.written ?? []) rule({ tx, id, before, after: row })
    return row
  }

  function overwrite(tx: Transaction, resource: Resource, before: Row, changes: Attributes): void {
    const after: Attributes = { ...before, ...changes }
    const changed = changedFields(resource, before, after)
    if (changed.length === 0) return
    const rid = ridOf(resource, before.id)
    writer.update(resource, rid, tx.now, changed, before as Attributes, after)
    touchTargets(resource, after, before as Attributes)
  }

  function remove(tx: Transaction, resource: Resource, idOrLookup: string): void {
    const rid = ridOf(resource, idOrLookup)
    const row = rows.read(resource, rid)
    for (const rule of resource.rules.remove ?? []) rule({ tx, id: row.id, before: row, after: row })
    refuseWhileHeld(resource, rid)
    entomb(prepare, resources, resource, rid, tx.now)
    writer.remove(resource, rid, row as Attributes)
    touchTargets(resource, row as Attributes)
    if (resource.bookkeeping) return
    const audit = configured(tx, resource, keptFields(resource), row as Attributes, {})
    const data = { revision: row.revision, ...wholeOf(resource, row as Attributes), ...audit }
    tx.journal(`${resource.type}.deleted`, `${resource.path}/${row.id}`, data)
  }

  function journal(
    { now, actor }: Transaction,
    type: string,
    subject: string,
    data: Attributes = {},
    atLeast?: number,
  ): void {
    // With a NULL sequence, SQLite assigns the number after the newest line.
    const number = atLeast === undefined ? null : Math.max(atLeast, count(newest) + 1)
    const sql =
      'INSERT INTO journal (sequence, at, type, subject, data, actor, requestId) VALUES (?, ?, ?, ?, ?, ?, ?)'
    prepare(sql).run(number, now, type, subject, JSON.stringify(data), actor.by, actor.requestId)
  }

  function located(resource: Resource, id: string): Place {
    const found = rows.find(resource, id)
    if (found === null) throw missing(resource, id)
    return found
  }

  function ridOf(resource: Resource, id: string): number {
    return located(resource, id)[0]
  }

  function select(
    rowAt: RowAt,
    resource: Resource,
    where: Filter[],
    sort: SortKey[] = [],
    limit = 1000,
  ): Row[] {
    const query = { filters: where, sort, page: { size: limit } }
    const [statement] = selectPage(resources, resource, query, null)
    const found = prepare(lastingPlan(resource, where, statement!.sql))
      .raw()
      .all(...statement!.values, limit) as [rid: number, revision: number][]
    return found.map(([rid, revision]) => {
      const row = rowAt(resource, rid, revision)
      if (!places.known(resource, row.id)) places.keep(resource, row.id, [rid, revision])
      return row
    })
  }

  function document(resource: Resource, idOrLookup: string): Document {
    const rid = ridOf(resource, idOrLookup)
    const sql = `SELECT id, revision FROM ${resource.table} WHERE rid = ?`
    const [id, revision] = prepare(sql).raw().get(rid) as [Buffer, number]
    const text = prepare(sqlOf(resource)).pluck().get(rid) as string
    return { id: toText(id), revision, text }
  }

  function next(counter: string, floor: string = counter): number {
    const sql = `INSERT INTO counter (name, value)
      VALUES (?, 1 + coalesce((SELECT value FROM counter WHERE name = ?), 0))
      ON CONFLICT (name) DO UPDATE SET value = max(value + 1, excluded.value) RETURNING value`
    return prepare(sql).pluck().get(counter, floor) as number
  }

  function add(counter: string, by: number): number {
    const sql = `INSERT INTO counter (name, value) VALUES (?, ?)
      ON CONFLICT (name) DO UPDATE SET value = value + excluded.value RETURNING value`
    return prepare(sql).pluck().get(counter, by) as number
  }

  function refuseWhileHeld(resource: Resource, rid: number): void {
    for (const { table, column, by } of holdersOf(resources, resource)) {
      const sql = `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${column} = ? LIMIT 1000)`
      const count = prepare(sql).pluck().get(rid) as number
      if (count === 0) continue
      throw new Problem('resource-referenced', `${count} ${by} still refer to this ${resource.type}.`, {
        meta: { by, count },
      })
    }
  }

  /**
   * After a rollback, a revision number may be assigned again with other content, so the caches are emptied.
   */
  function rolledBack(): void {
    seen.forget()
    places.forget()
    index.rolledBack()
  }

  return { begin, rolledBack, prepare, index }
}

/**
 * Returns the references of a deleted row to its owners, by field name. A consumer of the event can no longer
 * look them up.
 */
function wholeOf({ fields }: Resource, row: Attributes): Attributes {
  const pointing = Object.entries(fields).filter(([, { options }]) => options.touches)
  return Object.fromEntries(pointing.map(([name]) => [name, row[name] ?? null]))
}

/**
 * Returns the audit data of a change to the configuration: its revision number, and the values before and
 * after it. Returns an empty object for any other resource.
 */
function configured(
  tx: Transaction,
  { base }: Resource,
  fields: Named[],
  before: Attributes,
  after: Attributes,
) {
  if (base !== '/api/config/v1') return {}
  const settings = fields.filter(([, { options }]) => !options.readOnly && !options.operational)
  if (settings.length === 0) return {}
  return {
    configRevision: tx.next('config'),
    before: masked(settings, before),
    after: masked(settings, after),
  }
}

/** Returns the present values; secrets are masked with stars. */
function masked(fields: Named[], values: Attributes): Attributes {
  const there = fields.filter(([name]) => values[name] !== undefined && values[name] !== null)
  return Object.fromEntries(
    there.map(([name, { shown }]) => [name, shown === 'sealed' ? '***' : values[name]]),
  )
}

const defaultsOf = onceForEach(({ fields }): Attributes => {
  const declared = Object.entries(fields as Fields).filter(([, { options }]) => options.default !== undefined)
  return Object.fromEntries(declared.map(([name, { options }]) => [name, options.default]))
})

function refuseImmutable(changed: Named[], before: Row): void {
  for (const [name, { options }] of changed) {
    if (!options.immutable || (before as Attributes)[name] === null) continue
    const code = name === 'providerId' ? 'provider-immutable' : 'validation-failed'
    throw new Problem(code, `${name} cannot change.`, { pointer: `/${name}` })
  }
}
