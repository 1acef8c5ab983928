import type { Stored } from '../../resource/field.ts'
import { type Resources, resolvePath } from '../../resource/path.ts'
import type { Query, SortKey } from '../../resource/query.ts'
import type { Resource } from '../../resource/resource.ts'
import { type Condition, conditionsOf, testsOf } from './filter.ts'

/** SQL with its bound values. */
export type Statement = Condition

/**
 * A sort key with the SQL of its value. The last key is always the row number, which is the order of
 * creation.
 */
interface Key {
  column: string
  descending: boolean
}

/** The sort key values of the cursor's row; the row number is last. */
export type CursorValues = Stored[]

/** The row number and the revision of a found row. */
export type FoundRow = [rid: number, revision: number]

/**
 * Returns the statements of a page, all in the page's order; run them in turn until the page is full. Without
 * a cursor there is one statement. With a cursor there is one statement for each keyset range, so that each
 * is a range of one index. Example: sorted by `a, rid` after (5, 9), the first statement has `a = 5 AND rid >
 * 9`, the second `a > 5`. The last bound value is the limit, one row more than the page. `first` conditions
 * are tested before the filters. With `judging`, SQLite tests each row alone, and searches no related table as a whole.
 */
export function selectPage(
  resources: Resources,
  resource: Resource,
  query: Query,
  cursor: CursorValues | null,
  { first = [], judging = false }: { first?: Condition[]; judging?: boolean } = {},
): Statement[] {
  const keys = keysOf(resources, resource, query)
  const tests = testsOf(resources, resource, query.filters)
  const conditions = [...first, ...conditionsOf(resources, resource, tests, { judging })]
  const bands = cursor === null ? [[]] : bandsBeyond(keys, cursor)
  return bands.map((band) => select(resource, resource.table, [...conditions, ...band], keys))
}

/**
 * Returns the statement of a page among candidate rows. `lead` selects the candidates by row number, and no
 * other condition uses an index. The last bound value is the limit.
 */
export function selectAmong(
  resources: Resources,
  resource: Resource,
  query: Query,
  cursor: CursorValues | null,
  lead: Condition,
): Statement {
  const keys = keysOf(resources, resource, query)
  const tests = testsOf(resources, resource, query.filters)
  const conditions = [lead, ...conditionsOf(resources, resource, tests, { judging: true })]
  if (cursor !== null) conditions.push(oneOf(bandsBeyond(keys, cursor)))
  return select(resource, `${resource.table} NOT INDEXED`, conditions, keys)
}

/** Returns the condition that selects the rows with these numbers. */
export function numbered({ table }: Resource, rids: readonly number[]): Condition {
  if (rids.length === 1) return { sql: `${table}.rid = ?`, values: [rids[0]!] }
  return { sql: `${table}.rid IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(rids)] }
}

function select({ table }: Resource, from: string, all: Condition[], keys: Key[]): Statement {
  const order = keys.map(({ column, descending }) => (descending ? `${column} DESC` : column))
  return {
    sql: [
      `SELECT ${table}.rid, ${table}.revision FROM ${from}`,
      all.length ? `WHERE ${all.map(({ sql }) => sql).join(' AND ')}` : '',
      `ORDER BY ${order.join(', ')} LIMIT ?`,
    ].join(' '),
    values: all.flatMap(({ values }) => values),
  }
}

function oneOf(bands: Condition[][]): Condition {
  const each = bands.map((band) => `(${band.map(({ sql }) => sql).join(' AND ')})`)
  return { sql: `(${each.join(' OR ')})`, values: bands.flat().flatMap(({ values }) => values) }
}

/** Returns the statement that yields the sort key values of one row, by its row number. */
export function selectCursor(resources: Resources, resource: Resource, sort: SortKey[]): string {
  const columns = keysOf(resources, resource, { sort, page: { size: 1 } }).map(({ column }) => column)
  return `SELECT ${columns.join(', ')} FROM ${resource.table} WHERE rid = ?`
}

function keysOf(
  resources: Resources,
  resource: Resource,
  { sort, page }: Pick<Query, 'sort' | 'page'>,
): Key[] {
  const backwards = page.before !== undefined
  const keys = sort.map(({ path, descending }) => ({
    column: sortColumn(resources, resource, path),
    descending: descending !== backwards,
  }))
  return [...keys, { column: `${resource.table}.rid`, descending: backwards }]
}

function sortColumn(resources: Resources, resource: Resource, path: string): string {
  const resolved = resolvePath(resources, resource, path)
  if (!resolved) throw new RangeError(`${resource.type} has no ${path}`)
  const { steps, name, field, computed } = resolved
  if (field === null) return `${resource.table}.rid`
  if (computed) return `(${computed})`
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

/**
 * NULL sorts below every value. In descending order the rows with NULL form a range of their own after the
 * others.
 */
function beyond({ column, descending }: Key, value: Stored): Condition[] {
  const isNull = { sql: `${column} IS NULL`, values: [] }
  const isThere = { sql: `${column} IS NOT NULL`, values: [] }
  if (value === null) return descending ? [] : [isThere]
  if (!descending) return [{ sql: `${column} > ?`, values: [value] }]
  const lesser = { sql: `${column} < ?`, values: [value] }
  return column.endsWith('.rid') ? [lesser] : [lesser, isNull]
}
