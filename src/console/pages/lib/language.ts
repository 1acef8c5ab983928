import { batch, signal } from '@preact/signals'

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

/**
 * Returns a signal with the texts of a screen in the chosen language. `load` imports the file of another language,
 * which exports its texts by the name of the language. English is part of the page, so a page is never empty.
 */
export function translated<T>(
  english: T,
  load: (language: Language) => Promise<Partial<Record<Language, T>>>,
) {
  const texts = signal(english)
  const read = async (to: Language) => (to === 'en' ? english : (await load(to).catch(() => null))?.[to])
  const change = async (to: Language) => {
    const found = await read(to)
    // Texts that come late do not undo a later choice, such as that of the next guest of a kiosk.
    if (!found || to !== wanted) return
    texts.value = found
    language.value = to
    document.documentElement.lang = to
  }
  changes.push(change)
  all.push({
    read,
    show: (found) => {
      const before = texts.peek()
      texts.value = (found as T | undefined) ?? before
      return () => {
        texts.value = before
      }
    },
  })
  const first = change(wanted).finally(() => void loading.delete(first))
  loading.add(first)
  return texts
}

const changes: ((to: Language) => Promise<void>)[] = []
/** The texts of all imported files. `show` shows others, and returns how to end that. */
const all: { read(to: Language): Promise<unknown>; show(found: unknown): () => void }[] = []
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
  await Promise.all(changes.map((change) => change(to)))
  // Texts that did not come change nothing.
  if (wanted === to) wanted = language.value
}

/**
 * Draws something in another language than that of the page, such as a paper for a guest. `draw` returns what is drawn at once; what
 * it leaves to a component is in the language of the page. The page itself is not drawn anew.
 */
export async function inLanguage<T>(to: Language, draw: () => T): Promise<T> {
  const found = await Promise.all(all.map(async (each) => ({ each, texts: await each.read(to) })))
  return batch(() => {
    const before = language.peek()
    const ends = found.map(({ each, texts }) => each.show(texts))
    language.value = to
    try {
      return draw()
    } finally {
      language.value = before
      for (const end of ends) end()
    }
  })
}
