import type { Projection } from '../resource/projection.ts'

const mostRecent = 2_000

/**
 * Caches what was read since the last write: documents by id, or pages by query. Without it, a GET of one reservation takes
 * 20 us instead of 14, apart from its socket, and a page of ten 84 us instead of 53. Any write empties it, and so do more
 * than 2,000 documents of all projections together. `documentsIn` counts those of an entry; an empty page counts as one.
 */
export function recentReads<Entry>(version: () => number, documentsIn: (entry: Entry) => number) {
  let kept = new WeakMap<Projection, Map<string, Entry>>()
  let since = version()
  let size = 0

  function forget(): void {
    kept = new WeakMap()
    since = version()
    size = 0
  }

  return {
    forget,
    get(shape: Projection, key: string): Entry | undefined {
      if (version() !== since) forget()
      return kept.get(shape)?.get(key)
    },
    set(shape: Projection, key: string, entry: Entry): void {
      const added = Math.max(1, documentsIn(entry))
      if (version() !== since || size + added > mostRecent) forget()
      kept.getOrInsertComputed(shape, () => new Map()).set(key, entry)
      size += added
    },
  }
}
