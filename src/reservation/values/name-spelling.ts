import { lettersOf } from '../../resource/values/letters.ts'
import { normalizedName } from './normalized-name.ts'

/** In how many places a typed name may be spelled in two ways. What follows is looked for as it was typed. */
const mostPlaces = 4

/** Two letters that may stand for one, and the letters for which two may stand: each with both ways. */
const ways: Record<string, readonly string[]> = {
  ä: ['a', 'ae'],
  æ: ['ae', 'a'],
  å: ['a', 'aa'],
  đ: ['d', 'dj'],
  ö: ['o', 'oe'],
  ő: ['o', 'oe'],
  ø: ['o', 'oe'],
  ü: ['u', 'ue'],
  ű: ['u', 'ue'],
  aa: ['aa', 'a'],
  ae: ['ae', 'a'],
  dj: ['dj', 'd'],
  oe: ['oe', 'o'],
  ue: ['ue', 'u'],
}
const places = new RegExp(`(${Object.keys(ways).join('|')})`)

/**
 * Returns the letters of a name without accents, in Latin letters where its script has a Latin form. In any other script they are
 * the letters themselves.
 */
export function plainLetters(name: string): string {
  if (/^[a-z\d]*$/.test(name)) return name
  return latinLetters(name) || lettersOf(name)
}

/** Returns the letters and digits of a normalized name, in lower case; an empty text for a script without a Latin form. */
export function latinLetters(name: string): string {
  return normalizedName(name)
    .replace(/[ '.-]/g, '')
    .toLowerCase()
}

/**
 * Returns the plain letters of all names that may be meant by these typed words: `Mueller` may be Müller, and `Sørensen` may be
 * Soerensen. The first is the typed name itself. A name without an umlaut and without `ae` and the like has one spelling: `Muller`
 * is not Mueller. Two letters that stand for one are in one word: the `aa` of `Anna Aerni` is none.
 */
export function spellingsOf(...typed: string[]): string[] {
  let found = ['']
  let left = mostPlaces
  for (const part of typed.flatMap((word) => lettersOf(word).split(places))) {
    const written = left > 0 && Object.hasOwn(ways, part) ? ways[part]! : [plainLetters(part)]
    if (written.length > 1) left--
    found = written.flatMap((each) => found.map((before) => before + each))
  }
  return [...new Set(found)]
}
