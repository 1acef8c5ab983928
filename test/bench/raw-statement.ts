import { join } from 'node:path'
import { resources, shapeOf } from '../../src/composition/api.ts'
import { reservation } from '../../src/reservation/resources/reservation.ts'
import type { Query } from '../../src/resource/query.ts'
import type { Resource } from '../../src/resource/resource.ts'
import { openReader } from '../../src/store/connection.ts'
import { selectPage } from '../../src/store/query/select.ts'
import { documentSql, documentsSql } from '../../src/store/rows/document.ts'
import { toBlob } from '../../src/store/uuid.ts'

const resource = reservation as unknown as Resource
const repeats = 2_000

/** Microseconds of the statements behind one document: found by its id, its text built. */
export function rawDocument(data: string, ids: readonly string[]): number {
  const db = openReader(join(data, 'nightporter.db'))
  const find = db.prepare('SELECT rid FROM reservation WHERE id = ?').pluck()
  const text = db.prepare(documentSql(resources, resource, shapeOf(resource))).pluck()
  const took = timed((index) => text.get(find.get(toBlob(ids[index % ids.length]!))))
  db.close()
  return took
}

/** Microseconds of the statements behind one page: its row numbers, and their texts. */
export function rawPage(data: string, queryOf: (index: number) => Query): number {
  const db = openReader(join(data, 'nightporter.db'))
  const [{ sql } = { sql: '' }] = selectPage(resources, resource, queryOf(0), null)
  const page = db.prepare(sql).pluck()
  const texts = db.prepare(documentsSql(resources, resource, shapeOf(resource))).raw()
  const took = timed((index) => {
    const [{ values } = { values: [] }] = selectPage(resources, resource, queryOf(index), null)
    texts.all(JSON.stringify(page.all(...values, 11).slice(0, 10)))
  })
  db.close()
  return took
}

function timed(work: (index: number) => unknown): number {
  for (let index = 0; index < repeats; index++) work(index)
  const started = performance.now()
  for (let index = 0; index < repeats; index++) work(index)
  return ((performance.now() - started) * 1000) / repeats
}
