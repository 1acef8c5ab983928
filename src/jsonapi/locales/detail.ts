import texts from './details.json' with { type: 'json' }
import type { Language, Translations } from './language.ts'

/**
 * The details of errors, by code, in every language. The English sentence is the key: it is the one in the code, with
 * its parameters in braces, such as `The key is now {status}.` A detail that is not here stays English. A test names
 * each sentence of stays, keys, dispensers, payments and assignments that is missing here, and each one here that no
 * code says any more.
 */
export const details: Readonly<Record<string, readonly Translations[]>> = texts

/** A sentence of the catalogue, with the pattern that finds its parameters in the English text. */
interface Sentence {
  pattern: RegExp
  texts: Translations
}

const compiled = new Map<string, readonly Sentence[]>()

/** A longer detail is not searched: the time of a pattern grows with each parameter. */
const longestDetail = 1_000

/** Returns a detail in another language than English; null when the catalogue does not have it. */
export function detailIn(language: Language, code: string, english: string): string | null {
  if (!Object.hasOwn(details, code) || english.length > longestDetail) return null
  const sentences = compiled.getOrInsertComputed(code, compile)
  for (const { pattern, texts } of sentences) {
    const found = pattern.exec(english)
    if (found) return filled(texts[language], found.groups ?? {})
  }
  return null
}

const parameter = /\{(\w+)\}/g

/** The sentence with the most text of its own is tried first, because a parameter matches any text. */
function compile(code: string): readonly Sentence[] {
  const own = ({ en }: Translations) => en.replaceAll(parameter, '').length
  return details[code]!.toSorted((a, b) => own(b) - own(a)).map((texts) => ({
    texts,
    pattern: patternOf(texts.en),
  }))
}

/** Each parameter becomes a named group: `The key is now {status}.` matches `The key is now blocked.` */
export function patternOf(sentence: string): RegExp {
  const parts = sentence
    .split(parameter)
    .map((part, index) => (index % 2 ? `(?<${part}>.+?)` : RegExp.escape(part)))
  return new RegExp(`^${parts.join('')}$`, 's')
}

function filled(sentence: string, values: Record<string, string>): string {
  return sentence.replaceAll(parameter, (_, name: string) => values[name] ?? '')
}
