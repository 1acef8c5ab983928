import { type Message, messageText } from '../jsonapi/locales/message.ts'

/** An update, or a step of it, is not possible. Nothing was changed. */
export class UpdateRefused extends Error {
  /** The reason and what to do, in every language. */
  readonly said: Message

  constructor(said: Message, options: { cause?: unknown } = {}) {
    super(messageText('en', said), options)
    this.name = 'UpdateRefused'
    this.said = said
  }
}

/** Returns the sentence for an error: that of an UpdateRefused, or `otherwise` with the text of any other error. */
export function saidBy(error: unknown, otherwise: (detail: string) => Message): Message {
  return error instanceof UpdateRefused ? error.said : otherwise((error as Error).message)
}
