/** The current window of one quota for one key. */
export interface Window {
  left: number
  /** When the window ends, in milliseconds of the caller's clock. */
  ends: number
}

/**
 * Counts the windows of one quota; a window starts with the first request of a key. All have the same length,
 * so they end in the order in which they began. Ended windows are dropped from the front, and so are the
 * oldest beyond `most`.
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
