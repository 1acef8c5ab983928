import { type Signal, signal } from '@preact/signals'

export const languages = ['en', 'de', 'es', 'fr', 'pt'] as const
export type Language = (typeof languages)[number]

/** Each language by its own name. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
}

const kept = 'nightporter.language'

/** The language of the page. */
export const language = signal<Language>(begun())
/** The language that was chosen last. Its texts may not be there yet. */
let wanted = language.value

function begun(): Language {
  const asked = [localStorage.getItem(kept), ...navigator.languages.map((each) => each.slice(0, 2))]
  return asked.find(isLanguage) ?? 'en'
}

/** Whether the pages have texts in this language. */
export function isLanguage(text: string | null | undefined): text is Language {
  return languages.includes(text as Language)
}

/** The language that a person chose in this browser. It overrides that of the account; null for none. */
export function chosenLanguage(accountId: string): Language | null {
  const text = localStorage.getItem(`${kept}.${accountId}`)
  return isLanguage(text) ? text : null
}

/** Changes the language of the page, and stores it for one person in this browser. */
export async function chooseLanguage(accountId: string, to: Language): Promise<void> {
  localStorage.setItem(`${kept}.${accountId}`, to)
  await changeLanguage(to)
}

/** The texts of one file. `read` resolves with those of another language, if they come. */
export interface FileTexts {
  texts: Signal<unknown>
  read(to: Language): Promise<unknown>
}

/** The texts of all imported files. */
export const allTexts: FileTexts[] = []

/**
 * Returns a signal with the texts of a screen in the chosen language. `load` imports the file of another language,
 * which exports its texts by the name of the language. English is part of the page, so a page is never empty.
 */
export function translated<T>(
  english: T,
  load: (language: Language) => Promise<Partial<Record<Language, T>>>,
): Signal<T> {
  const texts = signal(english)
  const each: FileTexts = {
    texts,
    read: async (to) => (to === 'en' ? english : (await load(to).catch(() => null))?.[to]),
  }
  allTexts.push(each)
  const first = change(each, wanted).finally(() => void loading.delete(first))
  loading.add(first)
  return texts
}

async function change({ texts, read }: FileTexts, to: Language): Promise<void> {
  const found = await read(to)
  // Texts that come late do not undo a later choice, such as that of the next guest of a kiosk.
  if (!found || to !== wanted) return
  texts.value = found
  language.value = to
  document.documentElement.lang = to
}

/** The texts of files that were imported while the page has another language than English. */
const loading = new Set<Promise<void>>()

/** Resolves when the texts of all imported files are there in the language of the page. */
export async function textsLoaded(): Promise<void> {
  await Promise.all(loading)
}

/** Changes the language of the page. With `isKept` this browser stores it; a kiosk does not. */
export async function changeLanguage(to: Language, isKept = true): Promise<void> {
  if (isKept) localStorage.setItem(kept, to)
  wanted = to
  await Promise.all(allTexts.map((each) => change(each, to)))
  // Texts that did not come change nothing.
  if (wanted === to) wanted = language.value
}
