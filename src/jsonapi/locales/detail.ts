import { catalogue } from '../catalogue.ts'
import { counted, filled, ofSeveral } from './filled.ts'
import type { Language, Translations } from './language.ts'

/**
 * A sentence in every language. `source` is the English one of the API, where a reader gets other words: the API says unit for a
 * room. The code has the form for several of a word with two forms.
 */
type SentenceTexts = Translations & { source?: string }

/**
 * The details of errors, by code, in every language. The key is the English sentence in the code, with its parameters
 * in braces, such as `The key is now {status}.` A word whose form follows a number stands with both forms, `{count:room|rooms}`. A
 * detail without an entry stays as it is in the code. A test lists the sentences of stays, keys, dispensers, payments and
 * assignments without an entry, and the entries that the code no longer uses. A detail that is a sentence for the staff, word for word, needs no entry.
 */
export const details = () => catalogue<Readonly<Record<string, readonly SentenceTexts[]>>>('details')

/** A sentence of the catalogue, with the pattern that finds its parameters in the English text. */
interface Sentence {
  pattern: RegExp
  texts: Translations
  /** The English sentence of the API. */
  api: string
  /** Whether the form of a word in it follows a number. */
  isCounted: boolean
}

const compiled = new Map<string, readonly Sentence[]>()

/** A longer detail is not searched: the time of a pattern grows with each parameter. */
const longestDetail = 1_000

/**
 * Returns a detail as a reader of a language understands it; null when no catalogue has it. Code that asks for no language gets
 * the names of the API, see `detailOfApi`.
 */
export function detailIn(language: Language, code: string, english: string): string | null {
  if (english.length > longestDetail) return null
  const own = Object.hasOwn(details(), code) ? translated(language, sentencesOf(code), english) : null
  return own ?? forStaff(english)?.[language] ?? reasonIn(language, english)
}

/** Returns a detail with the names of the API, in which each word has the form for its number. */
export function detailOfApi(code: string, english: string): string {
  if (english.length > longestDetail || !Object.hasOwn(details(), code)) return english
  for (const { pattern, api, isCounted } of sentencesOf(code)) {
    const found = isCounted && pattern.exec(english)
    if (found) return counted('en', api, found.groups ?? {})
  }
  return english
}

/** Returns a sentence in a language, if it is one of these. */
function translated(language: Language, sentences: readonly Sentence[], english: string): string | null {
  for (const { pattern, texts } of sentences) {
    const found = pattern.exec(english)
    if (found) return withReason(language, texts, found.groups ?? {})
  }
  return null
}

/** Returns a reason in a language, also one behind the name of what it is about, such as `Lobby encoder: no reply`. */
function reasonIn(language: Language, english: string): string | null {
  const own = translated(language, sentencesOf(), english)
  if (own !== null) return own
  const [, about, why] = /^(.+?): (.+)$/s.exec(english) ?? []
  const known = why === undefined ? null : reasonIn(language, why)
  return known === null ? null : `${about}${language === 'fr' ? ' ' : ''}: ${known}`
}

/** The parameter `why` is a reason itself. */
function withReason(language: Language, texts: Translations, values: Record<string, string>): string {
  const { why } = values
  const known = why === undefined ? null : reasonIn(language, why)
  return filled(language, texts[language], known === null ? values : { ...values, why: known })
}

/** Returns the sentence for the staff, such as the trouble of the disk. */
function forStaff(english: string): Translations | undefined {
  const messages = catalogue<Readonly<Record<string, Translations>>>('messages')
  return Object.values(messages).find(({ en }) => en === english)
}

/** Returns a detail in a language; as it is where the catalogue does not have it. */
export function detailOrEnglish(language: Language, code: string, english: string): string {
  return detailIn(language, code, english) ?? english
}

const parameter = /\{(\w+)\}/g

/**
 * Returns the sentences of a code, or without one why a device or its line does not work, in the words of any code, and what is
 * wrong with a line in the network.
 */
function sentencesOf(code = ''): readonly Sentence[] {
  const texts = () => (code === '' ? catalogue<readonly SentenceTexts[]>('reasons') : details()[code]!)
  return compiled.getOrInsertComputed(code, () => compile(texts()))
}

/** The sentence with the most fixed text is tried first, because a parameter matches any text. */
function compile(sentences: readonly SentenceTexts[]): readonly Sentence[] {
  const own = (texts: SentenceTexts) => sourceOf(texts).replaceAll(parameter, '').length
  return sentences
    .toSorted((a, b) => own(b) - own(a))
    .map((texts) => {
      const api = texts.source ?? texts.en
      const said = sourceOf(texts)
      return { texts, api, isCounted: said !== api, pattern: patternOf(said) }
    })
}

/** Returns the sentence in the code. */
export const sourceOf = ({ source, en }: SentenceTexts): string => ofSeveral(source ?? en)

/** Each parameter becomes a named group: `The key is now {status}.` matches `The key is now blocked.` An address has no spaces. */
export function patternOf(sentence: string): RegExp {
  const parts = sentence
    .split(parameter)
    .map((part, index) =>
      index % 2 ? `(?<${part}>${part === 'address' ? '\\S' : '.'}+?)` : RegExp.escape(part),
    )
  return new RegExp(`^${parts.join('')}$`, 's')
}
