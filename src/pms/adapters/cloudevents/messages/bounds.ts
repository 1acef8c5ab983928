/** The maximum number of nested levels. */
const maxDepth = 32
/** The maximum number of values in a message: more than any reservation has. */
const maxValues = 20_000

/** The maximum number of values in an answer that contains no reservation. */
export const fewValues = 1_000

/**
 * A sentence that says which limit a received value exceeds; null when it exceeds none. It stops reading at the first
 * excess.
 */
export function excessIn(value: unknown, most = maxValues): string | null {
  let level: unknown[] = [value]
  let values = 1
  for (let depth = 0; depth <= maxDepth; depth++) {
    const next: unknown[] = []
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue
      const members: unknown[] = Array.isArray(each) ? each : Object.values(each)
      values += members.length
      if (values > most) return `It has more than ${most} values.`
      for (const member of members) next.push(member)
    }
    if (next.length === 0) return null
    level = next
  }
  return `It nests deeper than ${maxDepth} levels.`
}
