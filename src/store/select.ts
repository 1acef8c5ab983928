import type { Stored } from '../resource/fields.ts'
import { type Resources, resolvePath } from '../resource/path.ts'
import type { Query, SortKey } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import { type Condition, conditionsOf, testsOf } from './filter.ts'

/** SQL with the values to be bound. */
export type Statement = Condition

/** A sort key with the SQL of its value. The last key is always the row number: the order of creation. */
interface Key {
  column: string
  descending: boolean
}

/** Where a page goes on: the values of the sort keys at the cursor's row, the row number last. */
export type CursorValues = Stored[]

/**
 * The statements that make up a page, each a range of one index and all in the page's order: run them one after the
 * other until the page is full. Without a cursor there is one. With a cursor there is one for each way of
 * being further on: equal in the first keys and beyond in the next. `limit` is one row more than the page.
 */
export function selectPage(
  resources: Resources,
  resource: Resource,
  query: Query,
  cursor: CursorValues | null,
): Statement[] {
  const backwards = query.page.before !== undefined
  const keys = keysOf(resources, resource, query.sort, backwards)
  const conditions = conditionsOf(resources, resource, testsOf(resources, resource, query.filters), {
    judging: false,
  })
  const bands = cursor === null ? [[]] : bandsBeyond(keys, cursor)
  return bands.map((band) => {
    const all = [...conditions, ...band]
    const order = keys.map(({ column, descending }) => (descending ? `${column} DESC` : column))
    return {
      sql: [
        `SELECT ${resource.table}.rid, ${resource.table}.revision FROM ${resource.table}`,
        all.length ? `WHERE ${all.map(({ sql }) => sql).join(' AND ')}` : '',
        `ORDER BY ${order.join(', ')} LIMIT ?`,
      ].join(' '),
      values: all.flatMap(({ values }) => values),
    }
  })
}

/** What a page holds of the rows that it is asked of. */
export interface Judging {
  /**
   * The first rows of the page's order among those for which `lead` is true: row number, revision, and the values of the
   * sort keys. The last value to be bound is how many. Nothing but `lead` is found by an index, and that by row number alone.
   */
  among(lead: Condition): Statement
  /** Of each sort key, and of the row number last. */
  descending: boolean[]
}

/** A row on a page. The values of the sort keys come last. */
export type Found = [rid: number, revision: number, ...keys: Stored[]]

export function judging(
  resources: Resources,
  resource: Resource,
  query: Query,
  cursor: CursorValues | null,
): Judging {
  const keys = keysOf(resources, resource, query.sort, query.page.before !== undefined)
  const tests = testsOf(resources, resource, query.filters)
  const conditions = conditionsOf(resources, resource, tests, { judging: true })
  if (cursor !== null) conditions.push(oneOf(bandsBeyond(keys, cursor)))
  const columns = [`${resource.table}.revision`, ...keys.slice(0, -1).map(({ column }) => column)]
  const order = keys.map(({ column, descending }) => (descending ? `${column} DESC` : column))
  return {
    descending: keys.map(({ descending }) => descending),
    among(lead) {
      const all = [lead, ...conditions]
      return {
        sql: `SELECT ${resource.table}.rid, ${columns.join(', ')} FROM ${resource.table} NOT INDEXED
          WHERE ${all.map(({ sql }) => sql).join(' AND ')} ORDER BY ${order.join(', ')} LIMIT ?`,
        values: all.flatMap(({ values }) => values),
      }
    },
  }
}

function oneOf(bands: Condition[][]): Condition {
  const each = bands.map((band) => `(${band.map(({ sql }) => sql).join(' AND ')})`)
  return { sql: `(${each.join(' OR ')})`, values: bands.flat().flatMap(({ values }) => values) }
}

/** The sort keys' values of one row, by its row number. */
export function selectCursor(resources: Resources, resource: Resource, sort: SortKey[]): string {
  const columns = keysOf(resources, resource, sort, false).map(({ column }) => column)
  return `SELECT ${columns.join(', ')} FROM ${resource.table} WHERE rid = ?`
}

function keysOf(resources: Resources, resource: Resource, sort: SortKey[], backwards: boolean): Key[] {
  const keys = sort.map(({ path, descending }) => ({
    column: sortColumn(resources, resource, path),
    descending: descending !== backwards,
  }))
  return [...keys, { column: `${resource.table}.rid`, descending: backwards }]
}

function sortColumn(resources: Resources, resource: Resource, path: string): string {
  const resolved = resolvePath(resources, resource, path)
  if (!resolved) throw new RangeError(`${resource.type} has no ${path}`)
  const { steps, name, field } = resolved
  if (field === null) return `${resource.table}.rid`
  if (field.options.computed) return `(${field.options.computed})`
  const [first] = steps
  if (first?.via === 'object') return `json_extract(${resource.table}.${first.field}, '$.${name}')`
  return `${resource.table}.${name}`
}

function bandsBeyond(keys: Key[], cursor: CursorValues): Condition[][] {
  return keys.flatMap((_, index) => {
    const deepest = keys.length - 1 - index
    const equal = keys.slice(0, deepest).map((key, place) => equals(key.column, cursor[place] ?? null))
    return beyond(keys[deepest]!, cursor[deepest] ?? null).map((step) => [...equal, step])
  })
}

function equals(column: string, value: Stored): Condition {
  return value === null ? { sql: `${column} IS NULL`, values: [] } : { sql: `${column} = ?`, values: [value] }
}

/** NULL sorts below every value. Descending, the rows without a value are a range of their own, after the others. */
function beyond({ column, descending }: Key, value: Stored): Condition[] {
  const isNull = { sql: `${column} IS NULL`, values: [] }
  const isThere = { sql: `${column} IS NOT NULL`, values: [] }
  if (value === null) return descending ? [] : [isThere]
  if (!descending) return [{ sql: `${column} > ?`, values: [value] }]
  const lesser = { sql: `${column} < ?`, values: [value] }
  return column.endsWith('.rid') ? [lesser] : [lesser, isNull]
}
