import { catalogue } from '../catalogue.ts'
import { type Language, preferredLanguage } from './language.ts'

/** Returns the titles of errors by code in a language; none in English, because the English titles are those of the problems. */
export function titlesIn(language: Language): Readonly<Record<string, string>> {
  return language === 'en' ? {} : catalogue(language)
}

/**
 * Returns the title of a code in the language that the Accept-Language header prefers; in English when none
 * of its languages exists.
 */
export function titleFor(header: string | undefined, code: string, english: string): string {
  return titlesIn(preferredLanguage(header))[code] ?? english
}
