import type { Likeness, LikePart } from '../../resource/field.ts'
import { lettersOf } from '../../resource/values/letters.ts'
import { latinLetters, spellingsOf } from './name-spelling.ts'

/** A shorter word is joined to its neighbour: the index finds texts of three letters and more. */
const enoughLetters = 3
/** The largest number of words that are looked for one by one; those that follow are one text. */
const mostWords = 6

/**
 * Compares a person's name with a typed text: each word must be in the name. Case, accents, the order of the
 * words, spaces and signs make no difference, and two letters may stand for one. Examples: "Novak Tomas" finds Tomáš Novák,
 * "DeVries" finds Jan de Vries, and "Mueller" finds Müller. The text that is searched is the normalized name twice, without what
 * stands between its words, so that it also contains the last name followed by the first. A word in a script without a Latin
 * form is searched in the first and last name themselves.
 */
export const nameSearch: Likeness = {
  parts(typed) {
    const words = typed.split(/\s+/).filter((word) => lettersOf(word) !== '')
    const [latin, others] = [words.filter(isLatin), words.filter((word) => !isLatin(word))]
    return [
      ...joined(latin.map(lettersOf)).map((word): LikePart => ({ texts: spellingsOf(word) })),
      ...others
        .slice(0, mostWords)
        .map((word): LikePart => ({ texts: [lettersOf(word)], isAsWritten: true })),
    ]
  },
  text: (name) => latinLetters(name).repeat(2),
  sql: (column) => {
    const bare = ' -.'.split('').reduce((sql, sign) => `replace(${sql}, '${sign}', '')`, column)
    const compacted = `lower(replace(${bare}, '''', ''))`
    return `(${compacted} || ${compacted})`
  },
  asWritten: (column) => {
    const [first, last] = ['firstName', 'lastName'].map((name) => column.replace(/\w+$/, name))
    const name = `(${last} || ${first} || ${last})`
    return `iif(octet_length(${name}) = length(${name}), '', letters(${name}))`
  },
}

const isLatin = (word: string) => latinLetters(word) !== ''

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
