import type { Transaction } from './change.ts'

/** One slice of a table: what of it is older than a moment. */
export interface Slice {
  /** The number of the row after which to look; 0 at the beginning. */
  after: number
  /** Unix milliseconds. */
  before: number
}

/** Where to look next; null when the end was reached. */
export type NextSlice = number | null

/** How many rows a slice looks at, and how many it does something about: others who write wait for a millisecond or two. */
const mostLooked = 500
const mostDone = 20

/**
 * Looks at the next rows of a table, and does something about each of which an SQL condition holds; by that the condition
 * must hold no longer. `values` are those of the condition.
 */
export function inSlice(
  tx: Transaction,
  { table, condition, values }: { table: string; condition: string; values: readonly (string | number)[] },
  { after }: Slice,
  work: (id: string) => void,
): NextSlice {
  const sql = `SELECT json_object('last', max(rid), 'ids', json_group_array(hex(id)) FILTER (WHERE isOld)) FROM
    (SELECT rid, id, (${condition}) AS isOld FROM ${table} WHERE rid > ? ORDER BY rid LIMIT ${mostLooked})`
  const { last, ids } = JSON.parse(tx.text(sql, ...values, after) ?? '{}') as Found
  if (last === null) return null
  for (const id of ids.slice(0, mostDone)) work(idOf(id))
  return ids.length > mostDone ? after : last
}

interface Found {
  last: number | null
  ids: string[]
}

function idOf(hex: string): string {
  return hex.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The day of a moment as far west as there are people: who has left by then has left everywhere. */
export function dayOf(instant: number): string {
  return new Date(instant - 43_200_000).toISOString().slice(0, 10)
}
