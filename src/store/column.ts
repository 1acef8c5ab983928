import type { Stored } from '../resource/fields.ts'
import type { Resource } from '../resource/resource.ts'
import { type ColumnValues, figures, words } from './column-values.ts'
import type { statements } from './statements.ts'
import type { Trail } from './trail.ts'
import { toBlob } from './uuid.ts'
import type { ValueTest } from './value-test.ts'

/** Rows read in one slice of building, and lines of the journal in one slice of catching up. */
const rowsASlice = 2_000
const linesASlice = 200
/** What was written over is still found, and judged in vain: with so much of it the column is built anew. */
const mostStale = 50_000

/**
 * The values that rows hold under one trail, in memory: it tells which rows have certain values, and some others that had
 * them once. What changes is taken over from the journal, so that a field whose changes are not written down has none.
 */
export interface Column {
  /** Whether it holds what is kept now, after taking over a few changes; where there is more to do, `work` does it. */
  isCurrent(): boolean
  /** A slice of what it takes to be current. */
  work(): void
  /** Numbers of the rows that may hold a value which passes all tests; null when they would be more than `limit`. */
  rids(tests: readonly ValueTest[], limit: number): number[] | null
  bytes(): number
}

type Prepare = ReturnType<typeof statements>

/** Row numbers and values, each as a JSON list. */
type Held = [rids: string, values: string]

export function column(prepare: Prepare, trail: Trail): Column {
  const { from, rid, value, resource } = trail
  const read = `SELECT json_group_array(rid), json_group_array(value)
    FROM (SELECT ${rid} AS rid, ${value} AS value FROM ${from} WHERE ${rid}`
  const inRange = `${read} BETWEEN ? AND ?)`
  const ofOne = `${read} = (SELECT rid FROM ${resource.table} WHERE id = ?))`
  let values = words()
  let owners = new Uint32Array(1024)
  let length = 0
  let built = 0
  /** What is still to be read; null before the first. */
  let unread: { from: number; to: number } | null = null
  /** The last line of the journal that is in here. */
  let seen = { sequence: 0, at: 0 }

  function anew(kind: () => ColumnValues): void {
    values = kind()
    length = 0
    built = 0
    unread = null
  }

  function begin(): void {
    seen = lastLine()
    unread = ridsOf(prepare, resource)
  }

  function lastLine(): typeof seen {
    const sql = 'SELECT sequence, at FROM journal ORDER BY sequence DESC LIMIT 1'
    return (prepare(sql).get() as typeof seen | undefined) ?? { sequence: 0, at: 0 }
  }

  function work(): void {
    if (unread === null) begin()
    else if (unread.from <= unread.to) readOn(unread)
    else takeOver()
  }

  function readOn({ from, to }: { from: number; to: number }): void {
    const until = Math.min(from + rowsASlice - 1, to)
    if (add(prepare(inRange).raw().get(from, until) as Held)) {
      unread = { from: until + 1, to }
      built = length
    } else anew(figures)
  }

  function add([rids, texts]: Held): boolean {
    const held = JSON.parse(texts) as Stored[]
    for (const [at, owner] of (JSON.parse(rids) as number[]).entries()) {
      if (!values.add(held[at] ?? null)) return false
      if (length === owners.length) owners = copied(owners)
      owners[length++] = owner
    }
    return true
  }

  function isCurrent(): boolean {
    if (unread === null || unread.from <= unread.to) return false
    const newest = lastLine()
    if (newest.sequence === seen.sequence && newest.at === seen.at) return true
    if (newest.sequence - seen.sequence > linesASlice) return false
    takeOver()
    return unread !== null
  }

  /** Takes over the lines after the last seen. Where that one is gone the journal was cut short, and all begins anew. */
  function takeOver(): void {
    const at = prepare('SELECT at FROM journal WHERE sequence = ?').pluck().get(seen.sequence) ?? 0
    if (at !== seen.at || length - built > mostStale) {
      anew(words)
      return
    }
    const sql = 'SELECT sequence, at, subject FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?'
    const lines = prepare(sql).all(seen.sequence, linesASlice) as (typeof seen & { subject: string })[]
    const subjects = new Set(lines.map(({ subject }) => subject))
    for (const subject of subjects) {
      if (!subject.startsWith(`${resource.path}/`)) continue
      const id = toBlob(subject.slice(-36))
      if (!add(prepare(ofOne).raw().get(id) as Held)) {
        anew(figures)
        return
      }
    }
    seen = lines.at(-1) ?? seen
  }

  return {
    isCurrent,
    work,
    rids: (tests, limit) => values.places(tests, limit)?.map((place) => owners[place]!) ?? null,
    bytes: () => owners.byteLength + values.bytes(),
  }
}

/** The least and the greatest row number of a table; from 1 to 0 when it is empty. */
export function ridsOf(prepare: Prepare, { table }: Resource): { from: number; to: number } {
  // Asked for in one question, SQLite would read the whole table.
  const least = `SELECT min(rid) FROM ${table}`
  const sql = `SELECT coalesce((${least}), 1) AS "from", coalesce((SELECT max(rid) FROM ${table}), 0) AS "to"`
  return prepare(sql).get() as { from: number; to: number }
}

function copied(from: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2)
  to.set(from)
  return to
}
