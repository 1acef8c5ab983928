import { signal } from '@preact/signals'

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

function begun(): Language {
  const asked = [localStorage.getItem(kept), ...navigator.languages.map((each) => each.slice(0, 2))]
  return asked.find(isLanguage) ?? 'en'
}

export function isLanguage(text: string | null | undefined): text is Language {
  return languages.includes(text as Language)
}

/** The language that a person has chosen in this browser, before that of the account; null for none. */
export function chosenLanguage(accountId: string): Language | null {
  const text = localStorage.getItem(`${kept}.${accountId}`)
  return isLanguage(text) ? text : null
}

/** Changes the language of the page, and keeps it for one person in this browser. */
export async function chooseLanguage(accountId: string, to: Language): Promise<void> {
  localStorage.setItem(`${kept}.${accountId}`, to)
  await changeLanguage(to)
}

/**
 * The texts of a page set in the language that is chosen. `load` reads those of another language; English is there at once, so
 * that a page is never empty. The current texts are `texts.value`.
 */
export function translated<T>(english: T, load: (language: Language) => Promise<T>) {
  const texts = signal(english)
  const change = async (to: Language) => {
    const found = to === 'en' ? english : await load(to).catch(() => null)
    if (found === null) return
    texts.value = found
    language.value = to
    document.documentElement.lang = to
  }
  changes.push(change)
  return { texts, ready: change(language.value) }
}

const changes: ((to: Language) => Promise<void>)[] = []

/** Changes the language of the page. `isKept` keeps it for this browser; a kiosk does not. */
export async function changeLanguage(to: Language, isKept = true): Promise<void> {
  if (isKept) localStorage.setItem(kept, to)
  await Promise.all(changes.map((change) => change(to)))
}
