import type { Document } from '../resource/command.ts'
import type { PageOfDocuments, Reader } from '../resource/keeper.ts'
import type { Resources } from '../resource/path.ts'
import type { Projection } from '../resource/projection.ts'
import type { Filter, Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import { moments, pageBodies, type SerializedDocument } from './daily-meta.ts'
import { documentShape } from './document.ts'
import type { Caller } from './route.ts'

const mostShapes = 200

export type Serializer = ReturnType<typeof serializer>

/**
 * Creates the serializer. It caches each projection, because the text cache uses the identity of a projection
 * as its key: a cached document takes 25 us instead of 113. The cache is emptied at 200 projections. `today`
 * is the property's date, YYYY-MM-DD.
 */
export function serializer(resources: Resources, today: () => string) {
  const shapes = new Map<string, Projection>()
  return {
    /** Adds to a document the `meta` that depends on the day. */
    addMeta: moments(today),
    bodyOfPage: pageBodies(today),
    /**
     * Returns the projection of a document. `caller` is the reader, for resources with fields that need a
     * scope.
     */
    shape(resource: Resource, chosen?: ReadonlySet<string>, caller?: Pick<Caller, 'may'>): Projection {
      const names = chosen ? `:${[...chosen].sort().join()}` : ''
      const key = `${resource.type}${names} ${openedTo(caller, resource).join()}`
      let shape = shapes.get(key)
      if (!shape) {
        if (shapes.size >= mostShapes) shapes.clear()
        shape = documentShape(resource, (type) => resources.get(type)!, chosen, caller?.may)
        shapes.set(key, shape)
      }
      return shape
    },
  }
}

/** Returns the fields that this reader sees because of a scope. */
export function openedTo(caller: Pick<Caller, 'may'> | undefined, resource: Resource): readonly string[] {
  if (!caller) return []
  return resource.guarded.filter(([, scope]) => caller.may(scope)).map(([name]) => name)
}

/** The dependencies of serializing an answer. */
export interface Serializing {
  reader: Reader
  serializer: Serializer
}

/** The source of a list: the rows of a resource, or entries that are computed for one request. */
export interface ListSource {
  /** Returns a page in the order of the query. Throws page-cursor-unknown. */
  page(query: Query): PageOfDocuments | Promise<PageOfDocuments>
  /** Returns the number of entries that match the filters; some number above `most` when there are more than `most`. */
  total(filters: Filter[], most: number): number | Promise<number>
  /** Returns the rows that a relationship of the entries leads to, each once. */
  related(ids: readonly string[], relationship: string): { resource: Resource; ids: string[] }
  /** Returns members of the `meta` of an entry, beside those of the day. */
  about?(id: string): object
  /** Members of the `meta` of the list. */
  meta?: object
}

/** Returns a document with the `meta` of the day. `chosen` are the requested members. */
export function serialized(
  { reader, serializer }: Serializing,
  resource: Resource,
  document: Document,
  chosen: ReadonlySet<string> | undefined,
): SerializedDocument {
  return serializer.addMeta(resource, document, () =>
    chosen ? reader.document(resource, document.id, serializer.shape(resource)) : document,
  )
}
