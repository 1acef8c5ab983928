import Database from 'better-sqlite3'
import type { Field, Stored } from '../../resource/field.ts'
import { type Resources, targetOf } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import type { Resource } from '../../resource/resource.ts'
import type { SearchIndex } from '../query/search-index.ts'
import type { RowReader } from '../rows/row.ts'
import type { CommandRows, RowVersions } from '../rows/row-cache.ts'
import type { Prepare } from '../statements.ts'
import { toBlob } from '../uuid.ts'
import { type AttributeValues, type Named, type PartList, planOf } from './table-plan.ts'

/** What writing rows needs on the writing connection. */
export interface RowTools {
  resources: Resources
  prepare: Prepare
  rows: RowReader
  versions: RowVersions
  /** The rows of the running command. */
  own: CommandRows
  index: SearchIndex
  /** Returns the number of the resource's next row. */
  nextRid(resource: Resource): number
}

/**
 * Writes a new row with its parts, and bumps the revisions of the documents that show it. A Problem points at
 * the field that could not be written; nothing was written then.
 */
export function insertRow(
  tools: RowTools,
  resource: Resource,
  id: string,
  now: number,
  after: AttributeValues,
): void {
  const { columns, parts, insertSql } = planOf(resource)
  const rid = tools.nextRid(resource)
  const values: unknown[] = [rid, toBlob(id), now, now, 1]
  for (const [name, field] of columns) values.push(stored(tools, `/${name}`, field, after[name]))
  const items = parts.map((list) => itemsOf(tools, list, after))
  try {
    tools.prepare(insertSql).run(...values)
  } catch (error) {
    throw takenOr(error, resource, after)
  }
  tools.own.revised(resource, rid)
  tools.versions.keep(resource, id, [rid, 1])
  for (const [at, list] of parts.entries()) insertItems(tools, rid, list, items[at]!)
  tools.index.update(resource, rid, {}, after)
  touchTargets(tools, resource, after)
}

/**
 * Writes the changed fields, and bumps the revisions of the row and of the documents that show it. Returns
 * whether the row got a new revision: a command gives each row at most one. Throws as `insertRow` does.
 */
export function updateRow(
  tools: RowTools,
  resource: Resource,
  rid: number,
  now: number,
  { changed, before, after }: { changed: Named[]; before: AttributeValues; after: AttributeValues },
): boolean {
  const { prepare, own, versions, index } = tools
  const parts = planOf(resource).parts.filter(({ name }) => changed.some(([each]) => each === name))
  const items = parts.map((list) => itemsOf(tools, list, after))
  let sets = 'updatedAt = ?'
  const values: unknown[] = [now]
  for (const [name, field] of changed) {
    if (field.kind === 'parts') continue
    sets += `, ${name} = ?`
    values.push(stored(tools, `/${name}`, field, after[name]))
  }
  const isRevised = own.isRevised(resource, rid)
  if (!isRevised) sets += ', revision = revision + 1'
  try {
    prepare(`UPDATE ${resource.table} SET ${sets} WHERE rid = ?`).run(...values, rid)
  } catch (error) {
    throw takenOr(error, resource, after)
  }
  own.revised(resource, rid)
  if (!isRevised) versions.moved(resource, rid)
  for (const [at, list] of parts.entries()) {
    prepare(`DELETE FROM ${list.table} WHERE owner = ?`).run(rid)
    insertItems(tools, rid, list, items[at]!)
  }
  index.update(resource, rid, before, after)
  touchTargets(tools, resource, after, before)
  return !isRevised
}

/** Deletes a row with its parts, and bumps the revisions of the documents that showed it. */
export function deleteRow(tools: RowTools, resource: Resource, rid: number, before: AttributeValues): void {
  const { prepare, versions, index } = tools
  for (const { table } of planOf(resource).parts) prepare(`DELETE FROM ${table} WHERE owner = ?`).run(rid)
  prepare(`DELETE FROM ${resource.table} WHERE rid = ?`).run(rid)
  versions.gone(resource, rid)
  index.update(resource, rid, before, {})
  touchTargets(tools, resource, before)
}

/**
 * Bumps the revision of a row, and of every document that shows data of it: the targets of its references
 * with `touches`, their targets, and so on upwards. A document never changes without a new revision. A row
 * that has a new revision from this command keeps it, and so do the documents above it.
 */
export function bumpRevision(tools: RowTools, resource: Resource, rid: number): void {
  const { resources, prepare, versions, own } = tools
  const isRevised = own.isRevised(resource, rid)
  own.revised(resource, rid)
  if (isRevised) return
  prepare(`UPDATE ${resource.table} SET revision = revision + 1 WHERE rid = ?`).run(rid)
  versions.moved(resource, rid)
  for (const [name, field] of planOf(resource).touching) {
    const above = prepare(`SELECT ${name} FROM ${resource.table} WHERE rid = ?`).pluck().get(rid)
    if (typeof above === 'number') bumpRevision(tools, targetOf(resources, field), above)
  }
}

/** Bumps the targets of the attributes, and the previous targets where a reference changed. */
function touchTargets(
  tools: RowTools,
  resource: Resource,
  now: AttributeValues,
  before: AttributeValues = now,
): void {
  for (const [name, field] of planOf(resource).touching) {
    const target = targetOf(tools.resources, field)
    for (const id of new Set([now[name], before[name]])) {
      const rid = typeof id === 'string' ? tools.rows.rid(target, id) : null
      if (rid !== null) bumpRevision(tools, target, rid)
    }
  }
}

/** Returns the stored value of a column; a reference becomes the row number of its target. */
function stored({ resources, rows }: RowTools, pointer: string, field: Field, value: unknown): Stored {
  if (value === undefined || value === null) return null
  if (!field.to) return field.encode(value)
  const target = targetOf(resources, field)
  const rid = rows.rid(target, String(value))
  if (rid !== null) return rid
  throw new Problem('reference-unknown', `There is no ${target.type} ${value}.`, { pointer })
}

/**
 * Returns the stored values of each item of a list. Called before any write, because its lookups can throw
 * and a caller may catch that Problem and continue.
 */
function itemsOf(
  tools: RowTools,
  { name, only, members }: PartList,
  attributes: AttributeValues,
): Stored[][] {
  const items: Stored[][] = []
  for (const item of (attributes[name] ?? []) as unknown[]) {
    const values = only ? { [only]: item } : (item as AttributeValues)
    const pointer = `/${name}/${items.length}`
    const row: Stored[] = []
    for (const [member, field] of members) {
      const value = values[member] ?? field.options.default
      row.push(stored(tools, only ? pointer : `${pointer}/${member}`, field, value))
    }
    items.push(row)
  }
  return items
}

function insertItems({ prepare }: RowTools, owner: number, { sql }: PartList, items: Stored[][]): void {
  for (const [position, values] of items.entries()) prepare(sql).run(owner, position, ...values)
}

/**
 * Returns the function that assigns row numbers. A row number is never reused, so that the cursor of a
 * deleted row stays unique.
 */
export function nextRid(prepare: RowTools['prepare']): (resource: Resource) => number {
  const last = new Map<string, number>()
  return (resource) => {
    const known = last.get(resource.table) ?? greatest(prepare, resource)
    last.set(resource.table, known + 1)
    return known + 1
  }
}

function greatest(prepare: RowTools['prepare'], resource: Resource): number {
  const live = prepare(`SELECT max(rid) FROM ${resource.table}`).pluck().get() as number | null
  const dead = prepare('SELECT max(rid) FROM tombstone WHERE type = ?').pluck().get(resource.type) as
    | number
    | null
  return Math.max(live ?? 0, dead ?? 0)
}

/** Returns the problem that a unique index declares, when the error is its violation; otherwise the error. */
function takenOr(error: unknown, resource: Resource, after: AttributeValues): unknown {
  if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') return error
  const columns = [...error.message.matchAll(/\w+\.(\w+)/g)].map(([, column = '']) => column)
  const name = columns.at(-1) ?? 'id'
  const index = resource.indexes.find(({ fields }) => fields.join() === columns.join())
  return new Problem(
    index?.problem ?? 'validation-failed',
    `Another ${resource.type} has ${name} ${after[name]}.`,
    { pointer: `/${name}`, cause: error },
  )
}
