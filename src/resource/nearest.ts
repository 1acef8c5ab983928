/**
 * Returns the candidate that needs the fewest edits to become `text`, as `editsBetween` counts them, the first of several.
 * Returns undefined without candidates. `text` is compared up to its first 100 characters.
 */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editsBetween(text.slice(0, longest), candidate) }))
    .toSorted((a, b) => a.edits - b.edits)
  return best?.candidate
}

const longest = 100

/**
 * Returns the known name that a person probably meant by `given`: the same letters and digits in another case or with other signs
 * between them, as `first-name` for firstName, or a few letters otherwise. Returns undefined where no name is near: at most one edit
 * in a name of 3 to 7 letters, and two in a longer one.
 */
export function didYouMean(given: string, known: readonly string[]): string | undefined {
  const asked = lettersOf(given.slice(0, longest))
  const most = asked.length < 3 ? 0 : asked.length < 8 ? 1 : 2
  const near = known
    .filter((name) => name !== given)
    .map((name) => ({ name, letters: lettersOf(name) }))
    .filter(({ letters }) => letters !== '' && Math.abs(letters.length - asked.length) <= most)
    .map(({ name, letters }) => ({ name, edits: editsBetween(asked, letters, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits)
  return near[0]?.name
}

/** Returns ` Did you mean firstName?` for a message in English; empty where no name is near. */
export function hintFor(given: string, known: readonly string[]): string {
  const name = didYouMean(given, known)
  return name === undefined ? '' : ` Did you mean ${name}?`
}

/** `firstname` of `first-name` and of `firstName`. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Returns the fewest inserted, deleted, replaced and swapped neighbouring characters that make `to` out of `from`: the
 * Damerau-Levenshtein distance, in which no character is edited after it was swapped. Returns Infinity where it is clear that they
 * are more than `most`.
 */
export function editsBetween(from: string, to: string, most = Infinity): number {
  const [some, others] = [[...from], [...to]]
  let [before, row]: number[][] = [[], Array.from({ length: others.length + 1 }, (_, column) => column)]
  for (const [line, letter] of some.entries()) {
    const next = [line + 1]
    for (const [column, other] of others.entries()) {
      const replaced = row![column]! + (letter === other ? 0 : 1)
      const isSwap = letter === others[column - 1] && some[line - 1] === other
      const swapped = isSwap ? before![column - 1]! + 1 : Infinity
      next.push(Math.min(replaced, row![column + 1]! + 1, next[column]! + 1, swapped))
    }
    if (Math.min(...next, ...row!) > most) return Infinity
    ;[before, row] = [row, next]
  }
  return row!.at(-1)!
}
