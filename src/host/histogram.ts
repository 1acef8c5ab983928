/** A histogram with fixed buckets, in base units such as seconds. */
export interface Histogram {
  /** The upper bounds of the buckets, ascending. A further bucket has no bound. */
  bounds: readonly number[]
  /** The number of values in each bucket alone, one more than bounds. */
  counts: number[]
  sum: number
}

/** Creates an empty histogram. */
export function histogram(bounds: readonly number[]): Histogram {
  return { bounds, counts: Array<number>(bounds.length + 1).fill(0), sum: 0 }
}

/** Counts a value. */
export function observe(into: Histogram, value: number): void {
  let bucket = 0
  while (bucket < into.bounds.length && value > into.bounds[bucket]!) bucket++
  into.counts[bucket]!++
  into.sum += value
}
