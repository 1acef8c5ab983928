/** A country with its code, its name, and another name by which it is found. */
export type Country = readonly [code: string, name: string, other?: string | undefined]

/** Without accents, letter case and signs. */
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()

/** How well a name fits what is typed: it is the name, it begins so, one of its words does, or none. */
function rankOf(names: readonly string[], typed: string): number {
  if (names.includes(typed)) return 0
  if (names.some((name) => name.startsWith(typed))) return 1
  return names.some((name) => ` ${name}`.includes(` ${typed}`)) ? 2 : none
}

const none = 3

/**
 * Returns the countries whose names have a word that begins as typed, the best first. A country is found by its code too. `chosen` is
 * the code of the country that is meant; null where that is not clear.
 */
export function countriesLike(
  typed: string,
  all: readonly Country[],
): { countries: Country[]; chosen: string | null } {
  const wanted = plain(typed)
  const ranked = all
    .map((country) => {
      const [code, name, other = name] = country
      const rank = rankOf([name, other].map(plain), wanted)
      return { country, rank: code.toLowerCase() === wanted ? Math.min(rank, 1) : rank }
    })
    .filter(({ rank }) => rank < none)
    .toSorted((one, other) => one.rank - other.rank)
  const exact = ranked.filter(({ rank }) => rank === 0)
  const meant = exact.length > 0 ? exact : ranked
  return {
    countries: ranked.map(({ country }) => country),
    chosen: meant.length === 1 ? meant[0]!.country[0] : null,
  }
}
