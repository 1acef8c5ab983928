import type { Fields } from '../resource/field.ts'
import { uuidPattern } from '../resource/fields.ts'
import type { Resources } from '../resource/path.ts'
import { common, type Resource, type Row } from '../resource/resource.ts'
import { uuidText } from '../resource/uuid-sql.ts'
import { keptAs } from './query/expression.ts'
import { filled, slot } from './query/template.ts'
import type { RowVersion, RowVersions } from './row-cache.ts'
import type { statements } from './statements.ts'
import { toBlob } from './uuid.ts'

export type RowReader = ReturnType<typeof rowReader>

/**
 * Finds and reads rows in the form that commands use: references are ids, lists are arrays, instants are
 * milliseconds. Computed JSON, which only documents need, is left out. Only the writing connection may pass
 * `versions`, the cache of row numbers.
 */
export function rowReader(
  resources: Resources,
  prepare: ReturnType<typeof statements>,
  versions: RowVersions | null = null,
) {
  const sqlOf = new Map<Resource, string>()

  /** Returns row number and revision, by the id or by one of the resource's lookup fields. */
  function find(resource: Resource, id: string): RowVersion | null {
    const known = versions?.known(resource, id)
    if (known) return known
    if (uuidPattern.test(id)) {
      const found = locate(resource, 'id', toBlob(id))
      if (found) versions?.keep(resource, id, found)
      return found
    }
    for (const name of resource.lookup) {
      const found = locate(resource, name, id)
      if (found) return found
    }
    return null
  }

  function locate(resource: Resource, column: string, value: string | Buffer): RowVersion | null {
    const sql = `SELECT rid, revision FROM ${resource.table} WHERE ${column} = ?`
    return (prepare(sql).raw().get(value) as RowVersion | undefined) ?? null
  }

  function rid(resource: Resource, id: string): number | null {
    return find(resource, id)?.[0] ?? null
  }

  /**
   * Reads a row as one JSON value, because reading each column separately is slower. Returns null when the
   * row was deleted after it was found. On the writing connection no other connection can delete it.
   */
  function read(resource: Resource, rid: number): Row | null {
    let sql = sqlOf.get(resource)
    if (!sql) {
      sql = rowSql(resources, resource)
      sqlOf.set(resource, sql)
    }
    const text = prepare(sql).pluck().get(rid)
    return typeof text === 'string' ? (JSON.parse(text) as Row) : null
  }

  return { find, rid, read }
}

function rowSql(resources: Resources, resource: Resource): string {
  const fields: Fields = { ...resource.fields, ...common }
  const members = Object.entries(fields)
    .filter(([, { shown, options }]) => !(options.computed && shown === 'json'))
    .map(([name, field]) => `,"${name}":${keptAs(resources, resource.table, name, field)}`)
  const row = `{"id":"${slot(uuidText(`${resource.table}.id`))}"${members.join('')}}`
  return `SELECT ${filled(row)} FROM ${resource.table} WHERE rid = ?`
}
