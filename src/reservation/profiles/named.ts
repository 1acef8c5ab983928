import type { Profile } from '../resources/profile.ts'
import { normalizedName } from './normalized-name.ts'

/** The longest name that is compared, in words. */
const mostWords = 8

/** A part of a last name has at least so many letters: "van" alone is the name of too many. */
const fewestLetters = 4

/**
 * Returns whether a person has the typed last name, or whole words of it that follow each other. First names may be typed before or
 * after them; a part of a word, a short word such as "van", and a first name alone are not enough. Case, accents, spaces and hyphens
 * make no difference, and `ue` is as good as `ü`.
 */
export function isNamed(
  { firstName, lastName }: Pick<Profile, 'firstName' | 'lastName'>,
  typed: string,
): boolean {
  const wanted = compared(wordsOf(typed))
  const [first, last] = [['', ...runsOf(firstName)], runsOf(lastName)]
  const [whole] = last.toSorted((one, other) => other.length - one.length)
  const isEnough = (name: string) => name === whole || [...name].length >= fewestLetters
  return last
    .filter(isEnough)
    .some((name) =>
      first.some((more) => [`${more}${name}`, `${name}${more}`].some((each) => folded(each) === wanted)),
    )
}

/** The words of a name that follow each other, joined, from each word on. */
function runsOf(name: string): string[] {
  const words = wordsOf(name).slice(-mostWords)
  return words.flatMap((_, from) =>
    words.slice(from).map((_, more) => words.slice(from, from + more + 1).join('')),
  )
}

/**
 * Returns the ways in which a typed name may be stored: as typed; with `ae`, `oe` and `ue` for umlauts; and without the `e`
 * where two letters may stand for an umlaut.
 */
export function nameVariants(typed: string): string[] {
  const spelled = typed
    .normalize('NFC')
    .replace(/[äöü]/gi, (letter) => umlauts[letter.toLowerCase()] ?? letter)
  return [...new Set([typed, spelled, folded(normalizedName(typed))])]
}

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** The words of a name as they are compared. A name in a script that has no Latin form is compared as it is. */
function wordsOf(name: string): string[] {
  const latin = normalizedName(name)
  return (latin === '' ? name.normalize('NFKC').toUpperCase() : latin).split(/[\s'.-]+/).filter(Boolean)
}

const compared = (words: readonly string[]) => folded(words.join(''))

/** `ae`, `oe` and `ue` may stand for umlauts, which a normalized name has without their dots. */
const folded = (name: string) => name.replace(/([AOU])E/g, '$1')
