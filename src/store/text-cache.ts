/** Caches document texts by number, each with its revision. The least recently used texts are dropped. */
export function textCache(mostBytes: number) {
  const kept = new Map<number, { revision: number; text: string }>()
  let bytes = 0

  /** Returns the text if it has this revision. */
  function get(key: number, revision: number): string | undefined {
    const found = kept.get(key)
    if (found?.revision !== revision) return undefined
    kept.delete(key)
    kept.set(key, found)
    return found.text
  }

  function set(key: number, revision: number, text: string): void {
    bytes += text.length - (kept.get(key)?.text.length ?? 0)
    kept.delete(key)
    kept.set(key, { revision, text })
    for (const [oldest, { text: dropped }] of kept) {
      if (bytes <= mostBytes) break
      kept.delete(oldest)
      bytes -= dropped.length
    }
  }

  return { get, set }
}
