/**
 * Returns the candidate that needs the fewest inserted, deleted and replaced characters to become `text`, the first
 * of several. Returns undefined without candidates. `text` is compared up to its first 100 characters.
 */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(text.slice(0, longest), candidate) }))
    .toSorted((a, b) => a.edits - b.edits)
  return best?.candidate
}

const longest = 100

/** The Levenshtein distance, one row of its table at a time. */
export function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = row[column - 1]! + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[column]! + 1, next[column - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
