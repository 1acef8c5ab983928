import type { Resources } from '../resource/path.ts'
import type { Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import type { Asked } from './at-once.ts'
import { firstRows, namedRows } from './find-rows.ts'
import { type Statement, selectAmong, selectPage } from './select.ts'
import { type Sources, sourcesOf } from './sources.ts'
import type { statements } from './statements.ts'
import { isOrderedBy } from './trail.ts'

/** Rows that are looked at one by one rather than the table as a whole: at most so many, and so large a part of it. */
const mostNamed = 100_000
const largestPart = 1 / 4
/** Where an index has the rows in the order of the page, so many are found soon enough by going through that. */
const mostNamedInOrder = 10_000

/** A page for the scan thread: nothing but SQL, so that the thread has to know nothing else. */
export interface Scan {
  sources: Sources
  /** More rows than that are not named. */
  mostNamed: number
  /** The statement of the greatest row number. */
  greatest: string
  /** The page among rows that a source names: the first value to be bound is the JSON list of their numbers. */
  among: Statement
  whole: Statement[]
  size: number
  /** The statement of a document's text, by row number. */
  text: string
}

/** What became of it: at most `size` documents in the order of the statements, and whether there are more. */
export interface Scanned {
  documents: [revision: number, text: string][]
  more: boolean
}

/** The function `going_on` is called for every so many rows: for each it would cost as much as reading it. */
const rowsACall = 1024

/** The statements of a page: its own, and those that name the few rows it can show. */
export function scanOf(resources: Resources, { resource, query, cursor }: Asked, text: string): Scan {
  const { table } = resource
  const goingOn = { sql: `(${table}.rid % ${rowsACall} <> 0 OR going_on())`, values: [] }
  const lead = { sql: `${table}.rid IN (SELECT value FROM json_each(?))`, values: [] }
  return {
    sources: sourcesOf(resources, resource, query),
    mostNamed: isInOrder(resource, query) ? mostNamedInOrder : mostNamed,
    greatest: `SELECT max(rid) FROM ${table}`,
    among: selectAmong(resources, resource, query, cursor, lead),
    whole: selectPage(resources, resource, query, cursor, [goingOn]),
    size: query.page.size,
    text,
  }
}

function isInOrder(resource: Resource, { sort: [key] }: Query): boolean {
  return !key || key.path === 'id' || isOrderedBy(resource, key.path)
}

/** Carries it out, on a connection with the function `going_on`. */
export function carryOut(prepare: ReturnType<typeof statements>, scan: Scan): Scanned {
  const { size, text } = scan
  const found = firstRows(prepare, statementsOf(prepare, scan), size + 1)
  const textOf = prepare(text).pluck()
  return {
    documents: found.slice(0, size).map(([rid, revision]) => [revision, textOf.get(rid) as string]),
    more: found.length > size,
  }
}

function statementsOf(prepare: ReturnType<typeof statements>, scan: Scan): Statement[] {
  const { sources, mostNamed, greatest, among, whole } = scan
  const rows = Number(prepare(greatest).pluck().get())
  const rids = namedRows(prepare, sources, Math.min(mostNamed, Math.floor(rows * largestPart)))
  return rids ? [{ sql: among.sql, values: [JSON.stringify(rids), ...among.values] }] : whole
}
