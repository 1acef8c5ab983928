/**
 * The places at which `now` is not as `before`, as JSON pointers into `now`, in its order; the whole (an empty pointer) where
 * there was nothing. A place that is gone is named where it was. At most 1,000.
 */
export function differences(before: unknown, now: unknown): string[] {
  const found: string[] = []
  compare(before, now, '', found)
  return found.slice(0, mostPointers)
}

const mostPointers = 1_000

function compare(before: unknown, now: unknown, at: string, found: string[]): void {
  if (before === now || (isNothing(before) && isNothing(now))) return
  if (!isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now)) {
    found.push(at)
    return
  }
  for (const name of new Set([...Object.keys(now), ...Object.keys(before)])) {
    const step = name.replaceAll('~', '~0').replaceAll('/', '~1')
    compare(before[name], now[name], `${at}/${step}`, found)
  }
}

/** Absent is what nobody has told, and null is empty: neither is a value. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
