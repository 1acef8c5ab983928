import { memoized } from '../../host/memoized.ts'
import type { Fields } from '../../resource/field.ts'
import { uuidPattern } from '../../resource/fields.ts'
import type { Resources } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import { common, type Resource, type Row } from '../../resource/resource.ts'
import { type Prepare, plannedOnce } from '../statements.ts'
import { toBlob } from '../uuid.ts'
import { keptAs } from './expression.ts'
import type { RowVersion, RowVersions } from './row-cache.ts'
import { filled, idText, withHyphens } from './template.ts'

/** Finds and reads rows. */
export type RowReader = ReturnType<typeof rowReader>

/**
 * Finds and reads rows in the form that commands use: references are ids, lists are arrays, instants are
 * milliseconds. Computed JSON, which only documents need, is left out. Only the writing connection may pass
 * `versions`, the cache of row numbers.
 */
export function rowReader(resources: Resources, prepare: Prepare, versions: RowVersions | null = null) {
  const rowText = memoized((resource: Resource) => rowSql(resources, resource))

  /** Returns row number and revision, by the id or by one of the resource's lookup fields. */
  function find(resource: Resource, id: string): RowVersion | null {
    const known = versions?.known(resource, id)
    if (known) return known
    const found = named(resource, id, locate)
    if (found && uuidPattern.test(id)) versions?.keep(resource, id, found)
    return found
  }

  function locate(resource: Resource, column: string, value: string | Buffer): RowVersion | null {
    const sql = `SELECT rid, revision FROM ${resource.table} WHERE ${column} = ?`
    return (prepare(sql).raw().get(value) as RowVersion | undefined) ?? null
  }

  /** Finds rows by their ids, with one statement for all that are not cached. */
  function locateAll(resource: Resource, ids: readonly string[]): void {
    const unknown = ids.filter((id) => !versions?.known(resource, id))
    if (unknown.length < 2) return
    const sql = `SELECT lower(hex(id)), rid, revision FROM ${resource.table}
      WHERE id IN (SELECT unhex(value) FROM json_each(?))`
    const hex = new Map(unknown.map((id) => [id.replaceAll('-', ''), id]))
    const rows = prepare(sql)
      .raw()
      .all(JSON.stringify([...hex.keys()])) as [string, ...RowVersion][]
    for (const [id, rid, revision] of rows) versions?.keep(resource, hex.get(id)!, [rid, revision])
  }

  function rid(resource: Resource, id: string): number | null {
    return find(resource, id)?.[0] ?? null
  }

  /**
   * Reads a row as one JSON value, because reading each column separately is slower. Returns null when the
   * row was deleted after it was found. On the writing connection no other connection can delete it.
   */
  function read(resource: Resource, rid: number): Row | null {
    return readWhere(resource, 'rid', rid)
  }

  /** Finds and reads a row with one statement, by the id or by one of the resource's lookup fields. Null when there is none. */
  function readById(resource: Resource, id: string): Row | null {
    return named(resource, id, readWhere)
  }

  /** Reads rows with one statement, in the order of their numbers here. Leaves out those that were deleted meanwhile. */
  function readAll(resource: Resource, rids: readonly number[]): Row[] {
    if (rids.length < 2) return rids.flatMap((rid) => read(resource, rid) ?? [])
    const sql = `SELECT rid, ${rowText(resource)} FROM ${resource.table} WHERE rid IN (SELECT value FROM json_each(?))`
    const texts = new Map(prepare(sql).raw().all(JSON.stringify(rids)) as [number, string][])
    return rids.flatMap((rid) => rowOf(texts.get(rid)) ?? [])
  }

  /** Reads the first rows in the order of creation. */
  function readFirst(resource: Resource, most: number): Row[] {
    const sql = `SELECT ${rowText(resource)} FROM ${resource.table} ORDER BY rid LIMIT ?`
    return (prepare(plannedOnce(sql)).pluck().all(most) as string[]).flatMap((text) => rowOf(text) ?? [])
  }

  function readWhere(resource: Resource, column: string, value: number | string | Buffer): Row | null {
    const sql = `SELECT ${rowText(resource)} FROM ${resource.table} WHERE ${column} = ?`
    return rowOf(prepare(sql).pluck().get(value))
  }

  return { find, locateAll, rid, read, readById, readAll, readFirst }
}

/** Looks for a row by its id, otherwise in one of the resource's lookup fields after the other. */
function named<Found>(
  resource: Resource,
  id: string,
  look: (resource: Resource, column: string, value: string | Buffer) => Found | null,
): Found | null {
  if (uuidPattern.test(id)) return look(resource, 'id', toBlob(id))
  for (const name of resource.lookup) {
    const found = look(resource, name, id)
    if (found) return found
  }
  return null
}

/** Returns the problem of an id that no row has. */
export function missing(resource: Resource, id: string): Problem {
  return new Problem('not-found', `There is no ${resource.type} ${id.slice(0, 64)}.`)
}

function rowOf(text: unknown): Row | null {
  return typeof text === 'string' ? (JSON.parse(withHyphens(text)) as Row) : null
}

/** The SQL of a row as one JSON text. */
function rowSql(resources: Resources, resource: Resource): string {
  const fields: Fields = { ...resource.fields, ...common }
  const members = Object.entries(fields)
    .filter(([, { shown, options }]) => !(options.computed && shown === 'json'))
    .map(([name, field]) => `,"${name}":${keptAs(resources, resource.table, name, field)}`)
  const row = `{"id":"${idText(`${resource.table}.id`)}"${members.join('')}}`
  return filled(row)
}
