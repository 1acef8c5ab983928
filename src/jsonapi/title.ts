import de from './locales/de.json' with { type: 'json' }
import es from './locales/es.json' with { type: 'json' }
import fr from './locales/fr.json' with { type: 'json' }
import pt from './locales/pt.json' with { type: 'json' }

/** The titles of errors by code, in the languages besides English. The English titles are those of the problems. */
export const titles: Readonly<Record<string, Readonly<Record<string, string>>>> = { de, es, fr, pt }

/**
 * Returns the title of a code in the language that the Accept-Language header prefers; in English when none
 * of its languages exists.
 */
export function titleFor(header: string | undefined, code: string, english: string): string {
  const language = header === undefined ? 'en' : preferred(header)
  return titles[language]?.[code] ?? english
}

const known = new Map<string, string>()
const mostKnown = 100

/** Caches the result, because a browser sends the same header each time. */
function preferred(header: string): string {
  let language = known.get(header)
  if (language === undefined) {
    if (known.size >= mostKnown) known.clear()
    language = bestOf(header)
    known.set(header, language)
  }
  return language
}

/**
 * Parses `de-CH, de;q=0.9, *;q=0.1`. The country is ignored. Of languages with equal weight the first one
 * counts.
 */
function bestOf(header: string): string {
  const ranges = header
    .slice(0, 200)
    .split(',')
    .map((range) => /^\s*([a-z]+|\*)(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(range))
  const liked = ranges
    .flatMap((found) => (found ? [{ language: found[1]!.toLowerCase(), weight: Number(found[2] ?? 1) }] : []))
    .filter(({ language, weight }) => weight > 0 && (language === 'en' || language in titles))
    .sort((a, b) => b.weight - a.weight)
  return liked[0]?.language ?? 'en'
}
