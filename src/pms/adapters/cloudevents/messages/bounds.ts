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

/** The maximum bytes of a character in JSON, and of a value with its punctuation: a number, or an empty text. */
const [characterBytes, valueBytes] = [6, 32]

/**
 * Whether a value may have more than so many bytes as JSON text. It adds up the lengths of its texts, which is faster than writing
 * the text, and never false for a larger value. Its depth must have been checked.
 */
export function mayExceed(value: unknown, bytes: number): boolean {
  const left: unknown[] = [value]
  let most = 0
  while (left.length > 0 && most <= bytes) {
    const each = left.pop()
    most += valueBytes
    if (typeof each === 'string') most += characterBytes * each.length
    else if (Array.isArray(each)) for (const item of each) left.push(item)
    else if (typeof each === 'object' && each !== null)
      for (const [name, member] of Object.entries(each)) {
        most += characterBytes * name.length
        left.push(member)
      }
  }
  return most > bytes
}
