import de from './de.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import { preferredLanguage } from './language.ts'
import pt from './pt.json' with { type: 'json' }

/** The titles of errors by code, in the languages besides English. The English titles are those of the problems. */
export const titles: Readonly<Record<string, Readonly<Record<string, string>>>> = { de, es, fr, pt }

/**
 * Returns the title of a code in the language that the Accept-Language header prefers; in English when none
 * of its languages exists.
 */
export function titleFor(header: string | undefined, code: string, english: string): string {
  return titles[preferredLanguage(header)]?.[code] ?? english
}
