/** A sentence of the box in the language of the page, with its code and values. */
export interface Message {
  code: string
  values: Record<string, string | number>
  text: string
}

/** The sentences as one text. */
export const textOf = (messages: readonly Message[] | null): string =>
  (messages ?? []).map(({ text }) => text).join(' ')
