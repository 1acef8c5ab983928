import type { Language } from '../jsonapi/locales/language.ts'
import { type Message, messagesText, type ShownMessage, shownMessage } from '../jsonapi/locales/message.ts'

/** The status of a check, in the words of the health-check draft. */
export type Health = 'pass' | 'warn' | 'fail'

/** What a check found; its time is that of the status. */
export interface Found {
  componentId?: string
  componentType: 'component' | 'datastore' | 'system'
  observedValue: string | number | boolean | null
  observedUnit?: string
  status: Health
  /** What is wrong and what a person should do; empty when there is nothing to say. */
  messages: readonly Message[]
  /** The name of the device or PMS that the messages are about. */
  about?: string
}

/** One check, in the format of the health-check draft. */
export interface Check extends Omit<Found, 'messages' | 'about'> {
  componentName?: string
  time: string
  output: string | null
  messages: ShownMessage[]
}

/** Returns a check as an answer shows it, in a language. */
export function shownCheck({ messages, about, ...found }: Found, time: string, language: Language): Check {
  const text = messagesText(language, messages)
  // The fault texts of some drivers already begin with the name.
  const isNamed = text === null || about === undefined || text.startsWith(`${about}: `)
  return {
    ...found,
    ...(about !== undefined && { componentName: about }),
    time,
    output: isNamed ? text : `${about}: ${text}`,
    messages: messages.map((each) => shownMessage(language, each)),
  }
}
