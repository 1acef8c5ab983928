import type { Stored } from '../resource/fields.ts'
import type { Resource } from '../resource/resource.ts'
import { type Asked, numbered } from './at-once.ts'
import { ridsOf } from './column.ts'
import type { Condition } from './filter.ts'
import type { statements } from './statements.ts'
import { compareStored } from './stored-order.ts'
import type { Chunk, Chunks } from './top-rows.ts'
import { isOrderedBy } from './trail.ts'

type Prepare = ReturnType<typeof statements>

const never = () => false
const always = () => true

/** All rows, by their numbers: from the cursor on where these are the order of the page. */
export function allRows(prepare: Prepare, { resource, query, cursor }: Asked): Chunks {
  const { table } = resource
  const [key] = query.sort
  const isInOrder = !key || key.path === 'id'
  const downwards = isInOrder && (key?.descending ?? false) !== (query.page.before !== undefined)
  return function* (pace) {
    let { from, to } = ridsOf(prepare, resource)
    const rid = isInOrder ? cursor?.at(-1) : undefined
    if (typeof rid === 'number' && downwards) to = Math.min(to, rid)
    else if (typeof rid === 'number') from = Math.max(from, rid)
    while (from <= to) {
      const most = Math.ceil(pace.rows) - 1
      const values = downwards ? [Math.max(from, to - most), to] : [from, Math.min(to, from + most)]
      yield {
        lead: { sql: `${table}.rid BETWEEN ? AND ?`, values },
        isBeyond: isInOrder ? always : never,
      }
      if (downwards) to = values[0]! - 1
      else from = values[1]! + 1
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
  if (!key || key.path === 'id') return allRows(prepare, asked)
  if (!isOrderedBy(resource, key.path)) return null
  const backwards = query.page.before !== undefined
  const descending = key.descending !== backwards
  // Rows with an equal key follow each other by their numbers, as they do on the page when it has no other key.
  const isExact = query.sort.length === 1
  return function* (pace) {
    for (const { sql, values } of rangesFrom(key.path, descending, cursor?.[0])) {
      const order = `${key.path}${descending ? ' DESC' : ''}, rid${backwards ? ' DESC' : ''}`
      const rows = prepare(`SELECT rid, ${key.path} FROM ${resource.table} ${sql} ORDER BY ${order}`)
        .raw()
        .iterate(...values) as IterableIterator<[number, Stored]>
      yield* chunksOf(resource, rows, pace, isExact ? always : behind(descending))
    }
  }
}

function* chunksOf(
  resource: Resource,
  rows: IterableIterator<[rid: number, key: Stored]>,
  pace: { rows: number },
  isPassed: (key: Stored, reached: Stored) => boolean,
): Generator<Chunk, void> {
  let rids: number[] = []
  for (const [rid, reached] of rows) {
    rids.push(rid)
    if (rids.length < pace.rows) continue
    yield { lead: numbered(resource, rids), isBeyond: ([, , key = null]) => isPassed(key, reached) }
    rids = []
  }
  yield { lead: numbered(resource, rids), isBeyond: never }
}

/** Rows with an equal key may follow, and stand before a row by the other keys. */
function behind(descending: boolean) {
  return (key: Stored, reached: Stored) => compareStored(key, reached) * (descending ? -1 : 1) < 0
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
