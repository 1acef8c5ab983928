import type { Clock } from '../host/clock.ts'
import type { Document } from '../resource/command.ts'
import type { JournalLine, Reader } from '../resource/keeper.ts'
import { type Resources, targetOf } from '../resource/path.ts'
import type { Projection } from '../resource/projection.ts'
import type { Query } from '../resource/query.ts'
import { type Resource, type Row, relationshipName } from '../resource/resource.ts'
import { finder } from './at-once.ts'
import type { Connection } from './connection.ts'
import { journalReader } from './journal-reader.ts'
import { PageReader } from './page-reader.ts'
import { cursorReader } from './query/cursor.ts'
import { documentTexts } from './rows/document-texts.ts'
import { held } from './rows/expression.ts'
import { recentReads } from './rows/recent-reads.ts'
import { missing, type RowReader, rowReader } from './rows/row.ts'
import type { Scans } from './scan/scans.ts'
import { numbers, type Prepare, statements } from './statements.ts'
import { toText } from './uuid.ts'

/**
 * Reads, through a connection of its own, the pages that an index serves, and passes all others to `scans`. `version` is the writer's version
 * number; it changes with every write. With the clock, a cursor to a deleted row stays valid for 24 hours.
 */
export function reader(
  db: Connection,
  resources: Resources,
  { version, clock, scans }: { version: () => number; clock: Clock; scans: Pick<Scans, 'take'> },
): Reader {
  const prepare = statements(db)
  const texts = documentTexts(resources, prepare, clock)
  const rows: RowReader = rowReader(resources, prepare)
  const values = numbers(prepare)
  const recentDocuments = recentReads<Document>(version, () => 1)
  const lineReader = journalReader(prepare)
  let newestRead = 0
  const cursorOf = cursorReader(resources, prepare, rows, clock.now)
  const { atOnce, whole } = finder(resources, db, prepare, version)
  const pages = new PageReader({ resources, version, scans, texts, cursorOf, atOnce })

  function document(resource: Resource, id: string, shape: Projection): Document {
    const kept = recentDocuments.get(shape, id)
    if (kept) return kept
    const found = rows.find(resource, id)
    const document = found && texts.at(resource, found[0], found[1], shape)
    if (!document) throw missing(resource, id)
    recentDocuments.set(shape, id, document)
    return document
  }

  /** A client that has read a line finds documents that are at least as new, also before the writer has answered. */
  function noted(lines: JournalLine[]): JournalLine[] {
    const newest = Math.max(0, ...lines.map(({ sequence }) => sequence))
    if (newest > newestRead) {
      recentDocuments.forget()
      pages.forget()
    }
    newestRead = Math.max(newestRead, newest)
    return lines
  }

  function row<R extends Resource>(resource: R, id: string): Row<R['fields']> | null {
    return rows.readById(resource, id) as Row<R['fields']> | null
  }

  function rowsOf<R extends Resource>(resource: R, query: Query): Row<R['fields']>[] {
    const { filters, sort, page } = query
    if (filters.length + sort.length === 0 && page.after === undefined && page.before === undefined)
      return rows.readFirst(resource, page.size) as Row<R['fields']>[]
    const request = { resource, query, cursor: cursorOf(resource, query) }
    const found = (atOnce(request) ?? whole(request)).slice(0, query.page.size)
    const rids = found.map(([rid]) => rid)
    return rows.readAll(resource, rids) as Row<R['fields']>[]
  }

  return {
    page: (resource, query, shape, whenGone) => pages.page(resource, query, shape, whenGone),
    total: (resource, filters, most, whenGone) => pages.total(resource, filters, most, whenGone),
    document,
    idOf: (resource, id) => idOf(prepare, rows.rid(resource, id), resource),
    related(resource, ids, relationship) {
      const rids = ids.map((id) => rows.rid(resource, id))
      return related(prepare, rids, relatedSql(resources, resource, relationship))
    },
    row,
    rows: rowsOf,
    answered: (key, since) => answered(prepare, key, since),
    snapshot: (work) => db.transaction(work).deferred(),
    journal: (after, limit) => noted(lineReader.journal(after, limit)),
    journalBefore: (before, limit) => noted(lineReader.journalBefore(before, limit)),
    lastSequence: () => values.count('SELECT coalesce(max(sequence), 0) FROM journal'),
    counter: (name) => values.count('SELECT value FROM counter WHERE name = ?', name),
    ...values,
    version,
  }
}

function idOf(prepare: Prepare, rid: number | null, { table }: Resource): string | null {
  if (rid === null) return null
  const blob = prepare(`SELECT id FROM ${table} WHERE rid = ?`).pluck().get(rid)
  return blob instanceof Buffer ? toText(blob) : null
}

function related(prepare: Prepare, rids: readonly (number | null)[], { target, sql }: Related) {
  const blobs = rids.flatMap((rid) => prepare(sql).pluck().all(rid) as Buffer[])
  return { resource: target, ids: [...new Set(blobs.map(toText))] }
}

function answered(prepare: Prepare, key: string, since: number) {
  const sql = 'SELECT fingerprint, output FROM idempotency WHERE key = ? AND at >= ?'
  const found = prepare(sql).raw().get(key, since) as [string, string] | undefined
  return found ? { fingerprint: found[0], output: JSON.parse(found[1]) as unknown } : null
}

/** The resource at the end of a relationship, and the SQL of its ids for a row. */
interface Related {
  target: Resource
  sql: string
}

function relatedSql(resources: Resources, resource: Resource, relationship: string): Related {
  const child = resource.children[relationship]
  if (child) {
    const target = resources.get(child.type)!
    return { target, sql: `SELECT id FROM ${target.table} WHERE ${child.by} = ? ORDER BY rid` }
  }
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.to && relationshipName(name) === relationship) {
      const target = targetOf(resources, field)
      const sql = `SELECT id FROM ${target.table} WHERE rid = (SELECT ${held(resources, resource.table, name, field)} FROM ${resource.table} WHERE rid = ?)`
      return { target, sql }
    }
    const member = Object.entries(field.members ?? {}).find(([, { to }]) => to)
    if (field.kind === 'parts' && name === relationship && member) {
      const target = targetOf(resources, member[1])
      const sql = `SELECT target.id FROM ${field.table} AS part JOIN ${target.table} AS target ON target.rid = part.${member[0]} WHERE part.owner = ? ORDER BY part.position`
      return { target, sql }
    }
  }
  throw new RangeError(`${resource.type} has no relationship ${relationship}`)
}
