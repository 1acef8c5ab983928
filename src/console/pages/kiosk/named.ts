import { nameVariants } from '../lib/name-variants.ts'
import type { Profile } from '../lib/resources.ts'

const between = /[\s'’‘`.‐‑–—-]+/
const wordsOf = (name: string | null) => (name ?? '').toLowerCase().split(between).filter(Boolean)
/** The longest name that is compared, in words. */
const mostWords = 8

/**
 * Returns whether a person has the typed last name, or a whole word of it: the search of the box also finds a part of a
 * word, and a first name, of somebody else. The whole name in either order is accepted too.
 */
export function isNamed({ lastName, normalizedName }: Profile, typed: string): boolean {
  const all = wordsOf(normalizedName).slice(-mostWords)
  const count = wordsOf(lastName).length
  const [first, last] = [all.slice(0, -count || 0), all.slice(-count || 0)]
  if (count === 0) return false
  const names = last.flatMap((_, from) =>
    last.slice(from).map((_, more) => last.slice(from, from + more + 1).join('')),
  )
  names.push([...first, ...last].join(''), [...last, ...first].join(''))
  return nameVariants(typed).some((each) => {
    const letters = [...wordsOf(each).join('')].slice(0, mostLetters)
    return names.some((name) => isSpelled(letters, name))
  })
}

/** The largest number of typed letters that are compared. */
const mostLetters = 100
/** The box spells each letter that is not Latin, such as ß or ж, with up to so many Latin ones. */
const mostSpelled = 4

/** Returns whether the letters are spelled as this name, which has only Latin letters. */
function isSpelled(letters: readonly string[], name: string): boolean {
  let ends = new Set([0])
  for (const letter of letters) {
    const isLatin = /[a-z0-9]/.test(letter)
    const after = (end: number): number[] => {
      if (isLatin) return name[end] === letter ? [end + 1] : []
      return Array.from({ length: mostSpelled + 1 }, (_, count) => end + count)
    }
    ends = new Set([...ends].flatMap(after).filter((end) => end <= name.length))
  }
  return ends.has(name.length)
}
