const mostMs = 365 * 86_400_000

/**
 * The time before its start at which a key is sent to the lock system, in milliseconds. `text` is an ISO 8601 duration
 * or whole minutes: PT24H and 1440 are equal. Throws a RangeError for a text that `isVirtualWindow` refuses.
 */
export function virtualBeforeMs(text: string): number {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) * 60_000 : isoMs(text)
  if (ms < 0 || ms > mostMs) throw new RangeError('out of range')
  return ms
}

/** Whether a text is a duration from PT0S to P365D, or whole minutes within that range. */
export function isVirtualWindow(text: string): boolean {
  try {
    virtualBeforeMs(text)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function isoMs(text: string): number {
  // Months and years count from this date. A day has 24 hours, whatever daylight saving time does.
  const relativeTo = Temporal.PlainDate.from('2026-01-01')
  return Temporal.Duration.from(text).total({ unit: 'milliseconds', relativeTo })
}
