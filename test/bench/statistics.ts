/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** `12.3 (11.0..14.2)`: the median, and from the least to the most. */
export function spread(values: readonly number[], unit: string): string {
  return `${short(median(values))} ${unit} (${short(Math.min(...values))}..${short(Math.max(...values))})`
}

/** Three digits, or all that stand before the point. */
export function short(value: number): string {
  const places = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toFixed(places)
}
