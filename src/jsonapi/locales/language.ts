/** The languages of the texts in an answer. A text without a translation is in English. */
export const languages = ['en', 'de', 'es', 'fr', 'pt'] as const
export type Language = (typeof languages)[number]

/** One text in every language. */
export type Translations = Readonly<Record<Language, string>>

/** Returns whether this is a supported language. */
export function isLanguage(code: string | null | undefined): code is Language {
  return (languages as readonly string[]).includes(code ?? '')
}

const known = new Map<string, Language | null>()
const mostKnown = 100

/**
 * Returns the language that an Accept-Language header prefers; null when it names none of the five, or `*` alone. The
 * result is cached, because a browser sends the same header each time.
 */
export function namedLanguage(header: string | undefined): Language | null {
  if (!header) return null
  let language = known.get(header)
  if (language === undefined) {
    if (known.size >= mostKnown) known.clear()
    language = bestOf(header)
    known.set(header, language)
  }
  return language
}

/** Like `namedLanguage`, with English instead of null. */
export function preferredLanguage(header: string | undefined): Language {
  return namedLanguage(header) ?? 'en'
}

/**
 * Parses `de-CH, de;q=0.9, *;q=0.1`. The country is ignored. Of languages with equal weight the first one
 * counts.
 */
function bestOf(header: string): Language | null {
  const ranges = header
    .slice(0, 200)
    .split(',')
    .map((range) => /^\s*([a-z]+|\*)(?:-[\w-]*)?\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(range))
  const liked = ranges
    .flatMap((found) => (found ? [{ language: found[1]!.toLowerCase(), weight: Number(found[2] ?? 1) }] : []))
    .filter(({ language, weight }) => weight > 0 && isLanguage(language))
    .sort((a, b) => b.weight - a.weight)
  return (liked[0]?.language as Language | undefined) ?? null
}
