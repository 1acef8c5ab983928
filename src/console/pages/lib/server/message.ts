/** A sentence of the box in the language of the page, with its code and values. */
export interface Message {
  code: string
  values: Record<string, string | number>
  text: string
}

/** The addresses of pages and of their screens, such as `/setup` and `/desk#/keys`. */
const screens = /(?<![\w.-])(\/(?:desk|setup)(?:#\/[\w/-]*\w)?)(?![\w/-])/

/** Returns the parts of a text: every second one is the address of a screen. */
export const screensIn = (text: string): string[] => text.split(screens)

/** The sentences as one text. */
export const textOf = (messages: readonly Message[] | null): string =>
  (messages ?? []).map(({ text }) => text).join(' ')
