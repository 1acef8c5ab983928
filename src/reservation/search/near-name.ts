import { editsBetween } from '../../resource/nearest.ts'
import { type Named, wordsOf } from '../profiles/named.ts'
import { spellingsOf } from '../values/name-spelling.ts'

/** More typed words are no name. */
const mostWords = 8

/**
 * Returns a function that says how many letters of the typed name are wrong if it is the name of this person, and null if it
 * is too far from it. Each typed word must be a word of the name or the whole last name, or nearly: one edit in 4 to 7 letters,
 * two in 8 and more. All words together may be nearly the whole last name as well. Shorter words must be right.
 */
export function nearName(typed: string): (person: Named) => number | null {
  const words = wordsOf(typed).map(({ letters }) => spellingsOf(letters))
  if (words.length > mostWords || !/\p{L}/u.test(typed)) return () => null
  const whole = spellingsOf(typed)
  return ({ firstName, middleName, lastName }) => {
    const last = plainWords(lastName)
    const lastWhole = last.join('')
    const names = new Set([...plainWords(`${firstName} ${middleName ?? ''}`), ...last, lastWhole])
    const byWord = sumOfErrors(words, [...names])
    return words.length === 1 ? byWord : fewest([byWord, errors(whole, [lastWhole])])
  }
}

const plainWords = (name: string) => wordsOf(name).map(({ plain }) => plain)

/** The fewest letters that are wrong in a word, which is typed in one of these spellings; null where it is none of the names. */
function errors(spellings: readonly string[], names: readonly string[]): number | null {
  return fewest(spellings.flatMap((word) => names.map((name) => wrongIn(word, name))))
}

/** The letters that are wrong in a typed word; null for another word. */
function wrongIn(word: string, name: string): number | null {
  if (word === name) return 0
  const most = word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0
  if (Math.abs(word.length - name.length) > most) return null
  const edits = editsBetween(word, name, most)
  return edits <= most ? edits : null
}

function fewest(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Null as soon as one word is none of the names: most people have no name like the first typed word. */
function sumOfErrors(words: readonly (readonly string[])[], names: readonly string[]): number | null {
  let all = 0
  for (const word of words) {
    const count = errors(word, names)
    if (count === null) return null
    all += count
  }
  return all
}
