import Database from 'better-sqlite3'
import { memoized } from '../../host/memoized.ts'
import type { Field, Stored } from '../../resource/field.ts'
import { type Resources, targetOf } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import type { Resource } from '../../resource/resource.ts'
import type { SearchIndex } from '../query/search-index.ts'
import type { RowReader } from '../row.ts'
import type { RowVersions } from '../row-cache.ts'
import type { statements } from '../statements.ts'
import { toBlob } from '../uuid.ts'

export type AttributeValues = Record<string, unknown>

/** A field with its declared name. */
export type Named = [name: string, field: Field]

/** What writing rows needs on the writing connection. */
export interface RowTools {
  resources: Resources
  prepare: ReturnType<typeof statements>
  rows: RowReader
  versions: RowVersions
  index: SearchIndex
  /** Returns the number of the resource's next row. */
  nextRid(resource: Resource): number
}

/** A field whose items are rows of a table of their own. */
interface PartList {
  name: string
  table: string
  /** The only member, when the items are values instead of objects. */
  only: string | undefined
  members: Named[]
  /** The SQL that inserts one item. */
  sql: string
}

/** The rows to write for one list of parts, in order. */
interface PartRows {
  list: PartList
  items: Stored[][]
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
  const { fields, sql } = insertOf(resource)
  const rid = tools.nextRid(resource)
  const values = fields.map(([name, field]) => stored(tools, `/${name}`, field, after[name]))
  const parts = partListsOf(resource).map((list) => partRows(tools, list, after))
  unlessTaken(resource, after, () => tools.prepare(sql).run(rid, toBlob(id), now, now, 1, ...values))
  for (const rows of parts) insertParts(tools, rid, rows)
  tools.index.put(resource, rid, after)
  touchTargets(tools, resource, after)
}

/**
 * Writes the changed fields, and bumps the revision of the row and those of the documents that show it.
 * Throws as `insertRow` does.
 */
export function updateRow(
  tools: RowTools,
  resource: Resource,
  rid: number,
  now: number,
  { changed, before, after }: { changed: Named[]; before: AttributeValues; after: AttributeValues },
): void {
  const { prepare, versions, index } = tools
  const columns = changed.filter(([, { kind }]) => kind !== 'parts')
  const lists = partListsOf(resource).filter(({ name }) => changed.some(([each]) => each === name))
  const parts = lists.map((list) => partRows(tools, list, after))
  const sets = ['updatedAt = ?', 'revision = revision + 1', ...columns.map(([name]) => `${name} = ?`)]
  const values = columns.map(([name, field]) => stored(tools, `/${name}`, field, after[name]))
  unlessTaken(resource, after, () =>
    prepare(`UPDATE ${resource.table} SET ${sets} WHERE rid = ?`).run(now, ...values, rid),
  )
  versions.moved(resource, rid)
  for (const rows of parts) {
    prepare(`DELETE FROM ${rows.list.table} WHERE owner = ?`).run(rid)
    insertParts(tools, rid, rows)
  }
  index.replace(resource, rid, before, after)
  touchTargets(tools, resource, after, before)
}

/** Deletes a row with its parts, and bumps the revisions of the documents that showed it. */
export function deleteRow(tools: RowTools, resource: Resource, rid: number, before: AttributeValues): void {
  const { prepare, versions, index } = tools
  for (const { table } of partListsOf(resource)) prepare(`DELETE FROM ${table} WHERE owner = ?`).run(rid)
  prepare(`DELETE FROM ${resource.table} WHERE rid = ?`).run(rid)
  versions.gone(resource, rid)
  index.drop(resource, rid, before)
  touchTargets(tools, resource, before)
}

/**
 * Bumps the revision of a row, and of every document that shows data of it: the targets of its references
 * with `touches`, their targets, and so on upwards. A document never changes without a new revision.
 */
export function bumpRevision(tools: RowTools, resource: Resource, rid: number): void {
  const { resources, prepare, versions } = tools
  prepare(`UPDATE ${resource.table} SET revision = revision + 1 WHERE rid = ?`).run(rid)
  versions.moved(resource, rid)
  for (const [name, field] of touching(resource)) {
    const above = prepare(`SELECT ${name} FROM ${resource.table} WHERE rid = ?`).pluck().get(rid)
    if (typeof above === 'number') bumpRevision(tools, targetOf(resources, field), above)
  }
}

/** Bumps the targets of the attributes, and the previous targets where a reference changed. */
function touchTargets(
  tools: RowTools,
  resource: Resource,
  now: AttributeValues,
  before: AttributeValues = {},
): void {
  for (const [name, field] of touching(resource)) {
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
 * Called before any write, because its lookups can throw and a caller may catch that Problem and continue.
 */
function partRows(tools: RowTools, list: PartList, attributes: AttributeValues): PartRows {
  const { name, only, members } = list
  const items = ((attributes[name] ?? []) as unknown[]).map((item, position) => {
    const values = only ? { [only]: item } : (item as AttributeValues)
    const pointer = `/${name}/${position}`
    return members.map(([member, field]) =>
      stored(tools, only ? pointer : `${pointer}/${member}`, field, values[member] ?? field.options.default),
    )
  })
  return { list, items }
}

function insertParts({ prepare }: RowTools, owner: number, { list, items }: PartRows): void {
  for (const [position, values] of items.entries()) prepare(list.sql).run(owner, position, ...values)
}

function insertSql(table: string, columns: string[]): string {
  return `INSERT INTO ${table} (${columns}) VALUES (${Array(columns.length).fill('?')})`
}

/** The fields that have a column of their own, and the SQL that inserts a row. */
const insertOf = memoized(({ table, fields }: Resource): { fields: Named[]; sql: string } => {
  const own = Object.entries<Field>(fields).filter(
    ([, { kind, options }]) => kind !== 'parts' && !options.computed,
  )
  const columns = ['rid', 'id', 'createdAt', 'updatedAt', 'revision', ...own.map(([name]) => name)]
  return { fields: own, sql: insertSql(table, columns) }
})

const partListsOf = memoized(({ fields }: Resource): PartList[] =>
  Object.entries<Field>(fields).flatMap(([name, { kind, table = '', only, members = {} }]) => {
    if (kind !== 'parts') return []
    const kept = Object.entries(members).filter(([, { options }]) => !options.computed)
    const sql = insertSql(table, ['owner', 'position', ...kept.map(([member]) => member)])
    return [{ name, table, only, members: kept, sql }]
  }),
)

const touching = memoized(({ fields }: Resource) =>
  Object.entries(fields).filter(([, { options }]) => options.touches),
)

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

/** Converts a violated unique index into the problem that the index declares. */
function unlessTaken(resource: Resource, after: AttributeValues, write: () => unknown): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error
    const columns = [...error.message.matchAll(/\w+\.(\w+)/g)].map(([, column = '']) => column)
    const name = columns.at(-1) ?? 'id'
    const index = resource.indexes.find(({ fields }) => fields.join() === columns.join())
    throw new Problem(
      index?.problem ?? 'validation-failed',
      `Another ${resource.type} has ${name} ${after[name]}.`,
      {
        pointer: `/${name}`,
        cause: error,
      },
    )
  }
}
