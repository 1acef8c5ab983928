import type { Document } from '../resource/command.ts'
import type { Resources } from '../resource/path.ts'
import type { Projection } from '../resource/projection.ts'
import type { Resource } from '../resource/resource.ts'
import { documentSql, documentsSql } from './document.ts'
import type { RowVersion } from './row-cache.ts'
import type { statements } from './statements.ts'
import { textCache } from './text-cache.ts'

/** The size of all cached texts. It holds the arrivals and stays of a few weeks. */
const cacheBytes = 16_000_000

/**
 * The SQL of a projection, which takes 26 us to build for a reservation. The cache key of a text is `number`
 * plus the row number; the multiples of 2^40 leave room for 2^40 rows and 2^13 projections. The entry is
 * collected together with its projection.
 */
interface Drawing {
  number: number
  sql: string
  /** The SQL of several documents. */
  listSql: string
}

const mostDrawings = 8_192

/** A text is built once for each revision, and cached while there is room. */
export function documentTexts(resources: Resources, prepare: ReturnType<typeof statements>) {
  let texts = textCache(cacheBytes)
  let drawings = new WeakMap<Projection, Drawing>()
  let drawn = 0

  /**
   * Returns the document of a row, the same object as long as it is cached; null when the row was deleted after it was
   * found.
   */
  function at(resource: Resource, rid: number, revision: number, shape: Projection): Document | null {
    const { number, sql } = drawingOf(resource, shape)
    const key = number + rid
    const known = texts.get(key, revision)
    if (known) return known
    const text = prepare(sql).pluck().get(rid) as string | undefined
    return text === undefined ? null : kept(key, revision, text)
  }

  function kept(key: number, revision: number, text: string): Document {
    const document = { id: idIn(text), revision, text }
    texts.set(key, document)
    return document
  }

  /**
   * Builds the texts of these rows that are not cached. For `at` to find them cached takes a quarter less than to build
   * one after the other.
   */
  function build(resource: Resource, rows: readonly RowVersion[], shape: Projection): void {
    const { number, listSql } = drawingOf(resource, shape)
    const fresh = new Map(rows.filter(([rid, revision]) => texts.get(number + rid, revision) === undefined))
    if (fresh.size < 2) return
    const built = prepare(listSql)
      .raw()
      .all(JSON.stringify([...fresh.keys()])) as [number, string][]
    for (const [rid, text] of built) kept(number + rid, fresh.get(rid)!, text)
  }

  function drawingOf(resource: Resource, shape: Projection): Drawing {
    const known = drawings.get(shape)
    if (known) return known
    if (drawn === mostDrawings) {
      texts = textCache(cacheBytes)
      drawings = new WeakMap()
      drawn = 0
    }
    const drawing = {
      number: drawn++ * 2 ** 40,
      sql: documentSql(resources, resource, shape),
      listSql: documentsSql(resources, resource, shape),
    }
    drawings.set(shape, drawing)
    return drawing
  }

  return {
    at,
    build,
    /** Returns the SQL of a document. */
    sqlOf: (resource: Resource, shape: Projection) => drawingOf(resource, shape).sql,
  }
}

/** Every document's text begins with its type and its id, as the serializer's projection declares. */
export function idIn(text: string): string {
  const start = text.indexOf('"id":"') + 6
  return text.slice(start, start + 36)
}
