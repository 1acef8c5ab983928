/** The present stretch of one quota for one key. */
export interface Window {
  left: number
  /** Milliseconds of the clock that `of` is asked with. */
  ends: number
}

/**
 * The windows of one quota, each from the first request of a key on. All last equally long, so they end in the order in
 * which they began: what has ended is forgotten from the front, and so is the oldest where there would be more than `most`.
 */
export function windows({ quota, seconds, most }: { quota: number; seconds: number; most: number }) {
  const kept = new Map<string, Window>()
  const length = seconds * 1_000

  function begin(key: string, now: number): Window {
    kept.delete(key)
    for (const [oldest, { ends }] of kept) {
      if (ends > now && kept.size < most) break
      kept.delete(oldest)
    }
    const begun = { left: quota, ends: now + length }
    kept.set(key, begun)
    return begun
  }

  return (key: string, now: number): Window => {
    const known = kept.get(key)
    return known !== undefined && now < known.ends ? known : begin(key, now)
  }
}
