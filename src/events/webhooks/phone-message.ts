import { grants } from '../../auth/scopes.ts'
import { messageText } from '../../jsonapi/locales/message.ts'
import type { Reader } from '../../resource/keeper.ts'
import { doingAt } from '../../resource/values/kiosk-step.ts'
import type { FeedEvent } from '../feed.ts'
import type { Published } from '../journal-event.ts'
import { sentenceOf } from '../phone-events.ts'
import type { Webhook } from '../resources/webhook.ts'

/** What the messages to a phone say besides the event itself. */
export interface PhoneFacts {
  /** The name of the property; null before it has one. */
  propertyName(): string | null
  /** The time zone of the property. */
  zone(): string
  /** The names of the rooms of a stay; null without one. */
  roomOf(stayId: string): string | null
}

/** What is posted: a text, and the headers that say what it is. */
export interface Post {
  body: string
  headers: Record<string, string>
}

type Phone = Pick<Webhook, 'language' | 'hears'>

/** After this time a message is no alarm any more: it says when it happened. */
const freshMs = 15 * 60_000
const hourMs = 3_600_000
/** After this time it is sent only if no later message waits. */
const outdatedMs = 12 * hourMs
/** The longest text, in characters. Longer ones become an attachment at ntfy. */
const longest = 1_000

/** Whether a message is so old that it is left out when a later one waits. */
export function isOutdated({ format }: Pick<Webhook, 'format'>, { event }: FeedEvent, now: number): boolean {
  return format === 'message' && now - Date.parse(event.time) > outdatedMs
}

/** Returns the message to a phone about an event: plain text, with a title and a priority as ntfy reads them. */
export function phoneMessage(
  { event, kind }: FeedEvent,
  webhook: Phone,
  { facts, reader, now }: { facts: PhoneFacts; reader: Pick<Reader, 'row'>; now: number },
): Post {
  const language = webhook.language ?? 'en'
  const { data } = event
  const row = kind.resource && data.id !== null ? reader.row(kind.resource, data.id) : null
  const device = row && 'name' in row && typeof row.name === 'string' ? row.name : '?'
  const name =
    data.kioskName === undefined ? device : (nameOf(data.kioskName) ?? { code: 'phone-a-kiosk' as const })
  const values = { name, ...moreOf(data, webhook, facts) }
  const text = messageText(language, { code: sentenceOf(event) ?? 'phone-test', values })
  const at = Date.parse(event.time)
  if (now - at <= freshMs) return postOf(text, facts, 'urgent')
  const time = new Intl.DateTimeFormat(language, {
    timeZone: facts.zone(),
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(at)
  return postOf(messageText(language, { code: 'phone-late', values: { time, text } }), facts, 'low')
}

/** Returns the message with which a phone is tried. */
export function phoneTest({ language }: Pick<Phone, 'language'>, facts: PhoneFacts): Post {
  return postOf(messageText(language ?? 'en', { code: 'phone-test' }), facts, 'default')
}

/** The step at the kiosk and the room, as far as they are known. The room needs the right to read stays. */
function moreOf(data: Published, { hears }: Phone, facts: PhoneFacts) {
  const stayId = nameOf(data.stayId) ?? (data.type === 'stay' ? data.id : null)
  const mayReadStays = grants(hears ?? [], 'reservations.read')
  const room = stayId !== null && mayReadStays ? facts.roomOf(stayId) : null
  const step = doingAt(nameOf(data.step))
  return {
    step: step === null ? '' : { code: `phone-step-${step}` as const },
    room: room === null ? '' : { code: 'phone-room' as const, values: { room } },
  }
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

const tags = { urgent: 'bell', low: 'hourglass', default: 'white_check_mark' }

function postOf(text: string, facts: PhoneFacts, priority: keyof typeof tags): Post {
  const title = headerText(facts.propertyName() ?? 'nightporter')
  return {
    body: text.slice(0, longest),
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      Title: title,
      Priority: priority,
      Tags: tags[priority],
    },
  }
}

/** Bytes of a part, so that an encoded word has at most 75 characters. */
const partBytes = 42

/** Returns a text as a header may contain it: in encoded words (RFC 2047) unless it is plain ASCII. */
function headerText(text: string): string {
  if (/^[\x20-\x7e]+$/.test(text) && !text.includes('=?')) return text.slice(0, 200).trim()
  const parts: string[] = ['']
  for (const each of [...text].slice(0, 100)) {
    if (Buffer.byteLength(parts.at(-1)! + each) > partBytes) parts.push('')
    parts[parts.length - 1] += each
  }
  return parts.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')
}
