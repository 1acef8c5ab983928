import { lettersOf } from '../../resource/values/letters.ts'
import type { Profile } from '../resources/profile.ts'
import { plainLetters, spellingsOf } from '../values/name-spelling.ts'

/** The longest name that is compared, in words. */
const mostWords = 8

/** A part of a last name has at least so many letters: "van" alone is the name of too many. */
const fewestLetters = 4

/** How a person has a typed name. 0: by the same letters; 1: but for accents or the script; 2: in another spelling, such as `ue` for `ü`. */
export type NameMatch = 0 | 1 | 2

/** The names of a person that are compared. */
export type Named = Pick<Profile, 'firstName' | 'middleName' | 'lastName'>

/**
 * Returns a function that says how a person has the typed last name, or whole words of it that follow each other, and null without it.
 * First names may be typed before or after them; a part of a word, a short word such as "van", and a first name alone are not enough,
 * unless the person has no other name. Case, width, spaces and signs make no difference.
 */
export function nameMatcher(typed: string): (person: Named) => NameMatch | null {
  const words = wordsOf(typed)
  if (words.length === 0) return () => null
  const wanted = { ...joined(words), spellings: spellingsOf(...words.map(({ letters }) => letters)) }
  const forms = [wanted.letters, wanted.plain, ...wanted.spellings]
  const isIn = ({ letters, plain }: Run) =>
    forms.some((form) => form.includes(letters) || form.includes(plain))
  return ({ firstName, middleName, lastName }) => {
    const [named, called] = [runsOf(lastName), runsOf(`${firstName} ${middleName ?? ''}`)]
    const [last, first] = named.length > 0 ? [named, called] : [called, []]
    const most = Math.max(...last.map(({ letters }) => letters.length))
    const isEnough = ({ letters }: Run) => letters.length === most || [...letters].length >= fewestLetters
    const matches = last
      .filter((name) => isEnough(name) && isIn(name))
      .flatMap((name) => [name, ...first.flatMap((more) => [joined([more, name]), joined([name, more])])])
      .flatMap((name) => howSame(name, wanted) ?? [])
    return matches.length === 0 ? null : (Math.min(...matches) as NameMatch)
  }
}

/** Words in their own letters and in plain ones. */
export interface Run {
  letters: string
  plain: string
}

function howSame(name: Run, typed: Run & { spellings: readonly string[] }): NameMatch | null {
  if (name.letters === typed.letters) return 0
  if (name.plain === typed.plain) return 1
  return typed.spellings.includes(name.plain) ? 2 : null
}

/** The words of a name that follow each other, joined, from each word on. */
function runsOf(name: string): Run[] {
  const words = wordsOf(name).slice(-mostWords)
  return words.flatMap((_, from) =>
    words.slice(from).map((_, more) => joined(words.slice(from, from + more + 1))),
  )
}

/** Returns the words of a name that have letters or digits. Spaces and signs are between words. */
export function wordsOf(name: string): Run[] {
  return name
    .normalize('NFKC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => ({ letters: lettersOf(word), plain: plainLetters(word) }))
    .filter(({ letters }) => letters !== '')
}

function joined(words: readonly Run[]): Run {
  const together = (form: keyof Run) => words.map((each) => each[form]).join('')
  return { letters: together('letters'), plain: together('plain') }
}
