import type { Transaction } from './command.ts'

/** One slice of a table: rows after a row number, and a limit of age. */
export interface Slice {
  /** The row number after which the slice starts; 0 at the beginning. */
  after: number
  /** Rows older than this are processed, Unix milliseconds. */
  before: number
}

/** The row number after which the next slice starts; null at the end of the table. */
export type NextSlice = number | null

/**
 * The largest number of rows that one slice reads, and that it processes. Other commands wait a millisecond
 * or two.
 */
const mostLooked = 500
const mostDone = 20

/**
 * Reads the next rows of a table, and calls `work` for each row that matches an SQL condition. `work` must
 * change the row so that the condition no longer matches. `values` are bound to the condition.
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

/**
 * The date of an instant at UTC-12, the westernmost time zone: a guest whose departure is before it has
 * departed everywhere.
 */
export function dayOf(instant: number): string {
  return new Date(instant - 43_200_000).toISOString().slice(0, 10)
}
