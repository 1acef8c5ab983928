/** Document texts by number, each with the revision it shows. The least recently used make room. */
export function textCache(mostBytes: number) {
  const kept = new Map<number, { revision: number; text: string }>()
  let bytes = 0

  /** The text, if it is the one of this revision. */
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
