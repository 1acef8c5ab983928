import type { Clock } from '../../host/clock.ts'
import type { Document } from '../../resource/command.ts'
import type { Resources } from '../../resource/path.ts'
import type { Projection } from '../../resource/projection.ts'
import type { Resource } from '../../resource/resource.ts'
import type { Prepare } from '../statements.ts'
import { documentSql, documentsSql } from './document.ts'
import type { RowVersion } from './row-cache.ts'
import { withHyphens } from './template.ts'
import { textCache } from './text-cache.ts'

/**
 * The size of all cached texts. It holds 21,000 reservations with two stays, which a hotel with 120 rooms books in two years: a
 * GET of any of 20,000 then takes 14 us instead of 66, apart from its socket, and a page of ten of them 60 us instead of 440.
 */
const cacheBytes = 72_000_000
/** Texts that are not read for this long are dropped: what 64 clients asked for once does not stay all night. */
const unreadMs = 20_000

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
export function documentTexts(resources: Resources, prepare: Prepare, clock: Clock) {
  let texts = textCache(cacheBytes)
  /** Whether a timer is pending: while a text is cached. */
  let isWatched = false
  let drawings = new WeakMap<Projection, Drawing>()
  let drawn = 0

  /** Returns the document of a row; null when the row was deleted after it was found. */
  function at(resource: Resource, rid: number, revision: number, shape: Projection): Document | null {
    const { number, sql } = drawingOf(resource, shape)
    const known = texts.get(number + rid, revision)
    if (known !== undefined) return documentOf(revision, known)
    const built = prepare(sql).pluck().get(rid) as string | undefined
    return built === undefined ? null : kept(number + rid, revision, built)
  }

  /** Returns the documents of rows. One statement builds all that are not cached. */
  function of(resource: Resource, rows: readonly RowVersion[], shape: Projection): Document[] {
    if (rows.length === 1) return [at(resource, ...rows[0]!, shape)].filter((each) => each !== null)
    const { number, listSql } = drawingOf(resource, shape)
    const [found, fresh] = [new Map<number, Document>(), new Map<number, number>()]
    for (const [rid, revision] of rows) {
      const known = texts.get(number + rid, revision)
      if (known === undefined) fresh.set(rid, revision)
      else found.set(rid, documentOf(revision, known))
    }
    if (fresh.size > 0) {
      const rids = JSON.stringify([...fresh.keys()])
      for (const [rid, text] of prepare(listSql).raw().all(rids) as [number, string][])
        found.set(rid, kept(number + rid, fresh.get(rid)!, text))
    }
    return rows.flatMap(([rid]) => found.get(rid) ?? [])
  }

  function kept(key: number, revision: number, built: string): Document {
    const text = withHyphens(built)
    texts.set(key, revision, text)
    if (!isWatched) watch()
    return documentOf(revision, text)
  }

  function watch(): void {
    isWatched = true
    const dropUnread = () => {
      isWatched = texts.dropUnread()
      if (isWatched) watch()
    }
    clock.setTimeout(dropUnread, unreadMs).unref()
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

  /** Returns the SQL of a document. */
  const sqlOf = (resource: Resource, shape: Projection) => drawingOf(resource, shape).sql

  return { at, of, sqlOf }
}

function documentOf(revision: number, text: string): Document {
  return { id: idIn(text), revision, text }
}

/** Every document's text begins with its type and its id, as the serializer's projection declares. */
export function idIn(text: string): string {
  const start = text.indexOf('"id":"') + 6
  return text.slice(start, start + 36)
}
