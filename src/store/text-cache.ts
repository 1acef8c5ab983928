import type { Document } from '../resource/command.ts'

/** Caches documents by number. The least recently used are dropped when the texts of all are longer than `mostBytes`. */
export function textCache(mostBytes: number) {
  const kept = new Map<number, Document>()
  let bytes = 0

  /** Returns the document if it has this revision. */
  function get(key: number, revision: number): Document | undefined {
    const found = kept.get(key)
    if (found?.revision !== revision) return undefined
    kept.delete(key)
    kept.set(key, found)
    return found
  }

  function set(key: number, document: Document): void {
    bytes += document.text.length - (kept.get(key)?.text.length ?? 0)
    kept.delete(key)
    kept.set(key, document)
    for (const [oldest, { text: dropped }] of kept) {
      if (bytes <= mostBytes) break
      kept.delete(oldest)
      bytes -= dropped.length
    }
  }

  return { get, set }
}
