const mostMs = 365 * 86_400_000

/** How long before its start a key is written, in milliseconds. Throws a RangeError for what `isVirtualWindow` refuses. */
export function virtualBeforeMs(text: string): number {
  const ms = /^\d{1,6}$/.test(text) ? Number(text) * 60_000 : isoMs(text)
  if (ms < 0 || ms > mostMs) throw new RangeError('out of range')
  return ms
}

/** Whether a text is PT0S to P365D, or whole minutes. */
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
  // A day of the calendar has as many hours as it says here: the window is a rule of thumb.
  const relativeTo = Temporal.PlainDate.from('2026-01-01')
  return Temporal.Duration.from(text).total({ unit: 'milliseconds', relativeTo })
}
