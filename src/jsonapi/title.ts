import { preferredLanguage } from './language.ts'
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
  return titles[preferredLanguage(header)]?.[code] ?? english
}
