import type { Transaction } from './command.ts'
import { Problem } from './problem.ts'

/** One slice of a table: rows after a row number, and a limit of age. */
export interface Slice {
  /** The row number after which the slice starts; 0 at the beginning. */
  after: number
  /** Rows older than this are processed, Unix milliseconds. */
  before: number
}

/** The row number after which the next slice starts; null at the end of the table. */
export type NextSlice = number | null

/** What a slice has done. */
export interface Sliced {
  next: NextSlice
  /** The rows that could not be processed, at most 20. They are as they were. */
  left: readonly LeftRow[]
}

/** A row that could not be processed. */
export interface LeftRow {
  /** The table and the id of the row. */
  row: string
  /** The code of the Problem, or the name of the error: the text of an error may contain data of a guest. */
  reason: string
}

/**
 * The largest number of rows that one slice reads, and that it processes. Other commands wait a millisecond
 * or two.
 */
const mostLooked = 500
const mostDone = 20

/** The errors of SQLite that a row may cause; all others are of the disk, or of another program that uses the database. */
const ofRow = /^SQLITE_(CONSTRAINT|ERROR$|MISMATCH$|TOOBIG$|RANGE$)/

/**
 * Reads the next rows of a table, and calls `work` for each row that matches an SQL condition, in a part of its own. A row for which
 * `work` throws is left as it was, and the others are processed. Throws what the disk is to blame for. `values` are bound to the condition.
 */
export function inSlice(
  tx: Transaction,
  { table, condition, values }: { table: string; condition: string; values: readonly (string | number)[] },
  { after }: Slice,
  work: (tx: Transaction, id: string) => void,
): Sliced {
  const sql = `SELECT json_object('last', max(rid), 'rows', json_group_array(json_array(rid, hex(id))) FILTER (WHERE isOld)) FROM
    (SELECT rid, id, (${condition}) AS isOld FROM ${table} WHERE rid > ? ORDER BY rid LIMIT ${mostLooked})`
  const { last, rows } = JSON.parse(tx.text(sql, ...values, after) ?? '{}') as Found
  const now = rows.slice(0, mostDone)
  const left = now.flatMap(([, hex]): LeftRow[] => {
    const id = idOf(hex)
    const reason = reasonOfRefusal(tx, (part) => work(part, id))
    return reason === null ? [] : [{ row: `${table}/${id}`, reason }]
  })
  return { next: rows.length > mostDone ? now.at(-1)![0] : last, left }
}

interface Found {
  last: number | null
  rows: [rid: number, hex: string][]
}

/** Returns why the work on a row was taken back; null when it is done. */
function reasonOfRefusal(tx: Transaction, work: (part: Transaction) => void): string | null {
  try {
    tx.part(work)
    return null
  } catch (error) {
    if (error instanceof Problem) return error.code
    const { code = '', name } = error as NodeJS.ErrnoException
    if (code.startsWith('SQLITE_') && !ofRow.test(code)) throw error
    return code || name
  }
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
