import type { Resources } from '../../resource/path.ts'
import { isInOrder, type ScanRequest } from '../at-once.ts'
import { firstRows, namedRows } from '../query/find-rows.ts'
import { type Statement, selectAmong, selectPage } from '../query/select.ts'
import { type Sources, sourcesOf } from '../query/sources.ts'
import type { Prepare } from '../statements.ts'

/**
 * The largest number of candidate rows that are tested one by one, and their largest share of the table.
 * Otherwise SQLite scans the table.
 */
const mostNamed = 100_000
const largestPart = 1 / 4
/**
 * The same limit when an index has the rows in the order of the page: going through that index is then fast
 * enough.
 */
const mostNamedInOrder = 10_000

/** A page for the scan thread. It contains only SQL, so the thread needs no declarations. */
export interface Scan {
  sources: Sources
  /** The largest number of candidate rows. */
  mostNamed: number
  /** The statement that yields the greatest row number. */
  greatest: string
  /**
   * The statement for the page among candidate rows. Its first bound value is the JSON list of their numbers.
   */
  among: Statement
  whole: Statement[]
  size: number
  /** The statement that yields a document's text by row number; null when the rows are only counted. */
  text: string | null
}

/** The result of a scan: at most `size` documents in order, and whether more follow. */
export interface Scanned {
  documents: [revision: number, text: string][]
  /** The number of rows found, at most one more than `size`. */
  rows: number
  more: boolean
}

/**
 * `going_on` is called once for this many rows. A call for every row would cost as much as reading the row.
 */
const rowsACall = 1024

/** Builds the statements of a page: those of the whole table, and those that find candidate rows. */
export function scanOf(
  resources: Resources,
  { resource, query, cursor }: ScanRequest,
  text: string | null,
): Scan {
  const { table } = resource
  const goingOn = { sql: `(${table}.rid % ${rowsACall} <> 0 OR going_on())`, values: [] }
  const lead = { sql: `${table}.rid IN (SELECT value FROM json_each(?))`, values: [] }
  return {
    sources: sourcesOf(resources, resource, query),
    mostNamed: isInOrder({ resource, query }) ? mostNamedInOrder : mostNamed,
    greatest: `SELECT max(rid) FROM ${table}`,
    among: selectAmong(resources, resource, query, cursor, lead),
    whole: selectPage(resources, resource, query, cursor, { first: [goingOn] }),
    size: query.page.size,
    text,
  }
}

/** Runs a scan on a connection that has the function `going_on`. */
export function carryOut(prepare: Prepare, scan: Scan): Scanned {
  const { size, text } = scan
  const found = firstRows(prepare, statementsOf(prepare, scan), size + 1)
  const rows = found.length
  if (text === null) return { documents: [], rows, more: rows > size }
  const textOf = prepare(text).pluck()
  return {
    rows,
    documents: found.slice(0, size).map(([rid, revision]) => [revision, textOf.get(rid) as string]),
    more: rows > size,
  }
}

function statementsOf(prepare: Prepare, scan: Scan): Statement[] {
  const { sources, mostNamed, greatest, among, whole } = scan
  const rows = Number(prepare(greatest).pluck().get())
  const rids = namedRows(prepare, sources, Math.min(mostNamed, Math.floor(rows * largestPart)))
  return rids ? [{ sql: among.sql, values: [JSON.stringify(rids), ...among.values] }] : whole
}
