import type { Likeness } from '../../resource/field.ts'
import { normalizedName } from './normalized-name.ts'

/** A shorter word is joined to its neighbour: the index finds texts of three letters and more. */
const enoughLetters = 3
/** The largest number of words that are looked for one by one; those that follow are one text. */
const mostWords = 6

/**
 * Compares a person's name with what somebody types: each word must be in the name. Case, accents, the order of the
 * words, spaces, hyphens and apostrophes make no difference. Examples: "Novak Tomas" finds Tomáš Novák, and "DeVries"
 * finds Jan de Vries. The text that is searched is the normalized name twice, without what stands between its words, so
 * that it also contains the last name followed by the first.
 */
export const nameSearch: Likeness = {
  parts: (typed) => joined(normalizedName(typed).split(' ').map(compact).filter(Boolean)),
  text: (name) => compact(name).repeat(2),
  sql: (column) => {
    const bare = ' -.'.split('').reduce((sql, sign) => `replace(${sql}, '${sign}', '')`, column)
    const compacted = `lower(replace(${bare}, '''', ''))`
    return `(${compacted} || ${compacted})`
  },
}

function compact(name: string): string {
  return name.replace(/[ '.-]/g, '').toLowerCase()
}

/** Joins short words to the next, or to the one before where none follows: `jan de vries` is `jan`, `devries`. */
function joined(words: readonly string[]): string[] {
  const parts: string[] = []
  let open = ''
  for (const word of words) {
    open += word
    if (open.length < enoughLetters || parts.length >= mostWords - 1) continue
    parts.push(open)
    open = ''
  }
  if (open.length >= enoughLetters || parts.length === 0) return open === '' ? parts : [...parts, open]
  return [...parts.slice(0, -1), `${parts.at(-1)}${open}`]
}
