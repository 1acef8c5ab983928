/** Document texts by row number, each with the revision it shows. The least recently used make room. */
export function textCache(mostBytes: number) {
  const kept = new Map<number, { revision: number; text: string }>()
  let bytes = 0

  /** The text, if it is the one of this revision. */
  function get(rid: number, revision: number): string | undefined {
    const found = kept.get(rid)
    if (found?.revision !== revision) return undefined
    kept.delete(rid)
    kept.set(rid, found)
    return found.text
  }

  function set(rid: number, revision: number, text: string): void {
    bytes += text.length - (kept.get(rid)?.text.length ?? 0)
    kept.delete(rid)
    kept.set(rid, { revision, text })
    for (const [oldest, { text: dropped }] of kept) {
      if (bytes <= mostBytes) break
      kept.delete(oldest)
      bytes -= dropped.length
    }
  }

  return { get, set }
}
