import type { Stored } from '../resource/fields.ts'
import type { Resource } from '../resource/resource.ts'
import { type Asked, numbered } from './at-once.ts'
import type { Condition } from './filter.ts'
import type { Found } from './select.ts'
import type { statements } from './statements.ts'
import { compareStored } from './stored-order.ts'
import type { Chunk, Chunks } from './top-rows.ts'
import { isOrderedBy } from './trail.ts'

type Prepare = ReturnType<typeof statements>

const never = () => false
const always = () => true

/** All rows, by their numbers; in the order of a page that is not sorted. */
export function allRows(prepare: Prepare, { resource, query, cursor }: Asked): Chunks {
  const { table } = resource
  const backwards = query.page.before !== undefined
  const isSorted = query.sort.length > 0
  return function* (pace) {
    const sql = `SELECT coalesce(min(rid), 1), coalesce(max(rid), 0) FROM ${table}`
    let [from, to] = prepare(sql).raw().get() as [number, number]
    const rid = isSorted ? null : (cursor?.at(-1) as number | undefined)
    if (typeof rid === 'number')
      [from, to] = backwards ? [from, Math.min(to, rid)] : [Math.max(from, rid), to]
    while (from <= to) {
      const size = Math.ceil(pace.rows)
      const range = backwards ? [Math.max(from, to - size + 1), to] : [from, Math.min(to, from + size - 1)]
      yield {
        lead: { sql: `${table}.rid BETWEEN ? AND ?`, values: range },
        isBeyond: isSorted ? never : always,
      }
      if (backwards) to = range[0]! - 1
      else from = range[1]! + 1
    }
  }
}

/** The rows that a source leads to. */
export function rowsFrom(prepare: Prepare, resource: Resource, { sql, values }: Condition): Chunks {
  return function* (pace) {
    let rids: number[] = []
    const rows = prepare(sql)
      .pluck()
      .iterate(...values) as IterableIterator<number>
    for (const rid of rows) {
      rids.push(rid)
      if (rids.length < pace.rows) continue
      yield { lead: numbered(resource, rids), isBeyond: never }
      rids = []
    }
    yield { lead: numbered(resource, rids), isBeyond: never }
  }
}

/** Rows from the cursor on, as an index has them in the order of the first sort key; null where none has. */
export function rowsInOrder(prepare: Prepare, asked: Asked): Chunks | null {
  const { resource, query, cursor } = asked
  const [key] = query.sort
  if (!key) return allRows(prepare, asked)
  if (key.path === 'id' || !isOrderedBy(resource, key.path)) return null
  const descending = key.descending !== (query.page.before !== undefined)
  return function* (pace) {
    for (const { sql, values } of rangesFrom(key.path, descending, cursor?.[0])) {
      const rows = prepare(
        `SELECT rid, ${key.path} FROM ${resource.table} ${sql} ORDER BY ${key.path}${descending ? ' DESC' : ''}`,
      )
        .raw()
        .iterate(...values) as IterableIterator<[number, Stored]>
      yield* chunksOf(resource, rows, pace, descending)
    }
  }
}

function* chunksOf(
  resource: Resource,
  rows: IterableIterator<[rid: number, key: Stored]>,
  pace: { rows: number },
  descending: boolean,
): Generator<Chunk, void> {
  let rids: number[] = []
  for (const [rid, reached] of rows) {
    rids.push(rid)
    if (rids.length < pace.rows) continue
    // Rows with an equal key may follow, and stand before it by the other keys.
    const isBeyond = ([, , key = null]: Found) => compareStored(key, reached) * (descending ? -1 : 1) < 0
    yield { lead: numbered(resource, rids), isBeyond }
    rids = []
  }
  yield { lead: numbered(resource, rids), isBeyond: never }
}

/** NULL stands before every value; downwards it is a range of its own, after the others. */
function rangesFrom(column: string, descending: boolean, cursor: Stored | undefined): Condition[] {
  const isNull = { sql: `WHERE ${column} IS NULL`, values: [] }
  if (cursor === undefined) return [{ sql: '', values: [] }]
  if (cursor === null) return descending ? [isNull] : [{ sql: '', values: [] }]
  const sign = descending ? '<=' : '>='
  const rest = { sql: `WHERE ${column} ${sign} ?`, values: [cursor] }
  return descending ? [rest, isNull] : [rest]
}
