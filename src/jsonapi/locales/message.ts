import type { JsonSchema } from '../../resource/field.ts'
import { catalogue } from '../catalogue.ts'
import { exactly } from '../description.ts'
import { detailIn } from './detail.ts'
import { filled } from './filled.ts'
import type { Language, Translations } from './language.ts'
import { titlesIn } from './title.ts'

/** The sentences for the staff, by code, in every language. Their parameters are in braces, such as `{count}`. */
export const messages = () => catalogue<Readonly<Record<MessageCode, Translations>>>('messages')

export type MessageCode = keyof typeof import('./messages.json')

/**
 * A sentence for the staff: its code, and a value for each of its parameters. A sentence can be a value of another one, such
 * as ` at {time}`.
 */
export interface Message {
  code: MessageCode
  values?: Readonly<Record<string, MessageValue>>
}

export type MessageValue = string | number | Message | Failure | readonly MessageValue[]

/** A failure with its code and the driver's own words, which are English. */
interface Failure {
  errorCode: string
  detail: string
}

/** A message as answers contain it. */
export interface ShownMessage {
  code: string
  values: Record<string, string | number>
  text: string
}

/** Returns a message with its values and its text in a language. */
export function shownMessage(language: Language, { code, values = {} }: Message): ShownMessage {
  const shown = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : valueText(language, value),
    ]),
  )
  const sentence = messages()[code]?.[language] ?? code
  return { code, values: shown, text: filled(language, sentence, shown) }
}

/** Returns the text of a message in a language. */
export function messageText(language: Language, message: Message): string {
  return shownMessage(language, message).text
}

/** Returns several messages as one text; null without any. */
export function messagesText(language: Language, all: readonly Message[]): string | null {
  return all.length > 0 ? all.map((each) => messageText(language, each)).join(' ') : null
}

/** Returns the text of a value. A list has commas. */
export function valueText(language: Language, value: MessageValue): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (isList(value)) return value.map((each) => valueText(language, each)).join(', ')
  return 'code' in value ? messageText(language, value) : failureText(language, value)
}

function isList(value: MessageValue): value is readonly MessageValue[] {
  return Array.isArray(value)
}

/**
 * Returns the detail of the failure in the language; without a translation, the title of its code. English keeps the
 * driver's words. The text ends like a sentence.
 */
function failureText(language: Language, { errorCode, detail }: Failure): string {
  const title = titlesIn(language)[errorCode]
  const said = (language === 'en' ? null : (detailIn(language, errorCode, detail) ?? title)) ?? detail
  return /[.!?]$/.test(said) ? said : `${said}.`
}

/** The message about a failure of a device or a lock system. */
export function failureMessage(errorCode: string, detail: string): Message {
  return { code: 'device-failed', values: { errorCode, detail: { errorCode, detail } } }
}

/** The schema of a list of messages in an answer. */
export const messagesSchema: JsonSchema = {
  type: 'array',
  description:
    'Each sentence with its code, its values, and its text in the language of Accept-Language (en, de, es, fr, pt).',
  items: exactly({
    code: { type: 'string' },
    values: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
    text: { type: 'string' },
  }),
}
