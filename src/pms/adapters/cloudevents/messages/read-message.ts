import { validate } from '../../../../jsonapi/schemas/validate.ts'
import type { JsonSchema } from '../../../../resource/field.ts'
import { Problem } from '../../../../resource/problem.ts'
import type { Refused } from '../../../sync-contract.ts'
import { excessIn, mayExceed } from './bounds.ts'
import { envelopeSchema, largestMessage, type Message } from './envelope.ts'

/** The received data, for the quarantine. */
export interface Received {
  /** The data as text, truncated. */
  text: string
  /** Bytes of all that was sent. */
  size: number
}

export type Read<Good> = { is: 'read'; value: Good } | { is: 'refused'; refused: Refused }

const largestPayload = 64 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses the bytes of one message. Never throws for received data. */
export async function readMessage(bytes: Uint8Array): Promise<Read<Message>> {
  const came = () => ({ text: truncatedBytes(bytes), size: bytes.length })
  if (bytes.length > largestMessage) return tooLarge(came(), null)
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    return refuse('The message is not JSON in UTF-8.', came())
  }
  const tooMuch = excessIn(value)
  return tooMuch === null ? asMessage(value, came) : refuse(tooMuch, came(), idIn(value))
}

/** Reads one message of a page that was already parsed. */
export async function messageIn(value: unknown): Promise<Read<Message>> {
  const tooMuch = excessIn(value)
  const id = idIn(value)
  if (tooMuch !== null) return refuse(tooMuch, { text: `(too long to show: ${id})`, size: 0 }, id)
  if (mayExceed(value, largestMessage)) {
    const came = receivedValue(value)
    if (came.size > largestMessage) return tooLarge(came, id)
  }
  return asMessage(value, () => receivedValue(value))
}

/** A parsed value as text. Its depth must have been checked: JSON.stringify is recursive. */
export function receivedValue(value: unknown): Received {
  const text = JSON.stringify(value) ?? 'null'
  return { text, size: Buffer.byteLength(text) }
}

async function asMessage(value: unknown, came: () => Received): Promise<Read<Message>> {
  const wrong = await schemaErrors(envelopeSchema, value, '')
  return wrong === null ? { is: 'read', value: value as Message } : refuse(wrong, came(), idIn(value))
}

function tooLarge(came: Received, id: unknown): Read<never> {
  return refuse(`The message has ${came.size} bytes; at most ${largestMessage} are accepted.`, came, id)
}

/** The reservation that a message names, whatever else is wrong with it. */
function idIn(value: unknown): unknown {
  return (value as { data?: { externalId?: unknown } | null } | null)?.data?.externalId ?? null
}

/** A sentence that names the invalid fields; null for a valid value. */
export async function schemaErrors(
  schema: JsonSchema,
  value: unknown,
  place: string,
): Promise<string | null> {
  try {
    await validate(schema, value)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return [error, ...error.others].slice(0, 3).map(sentence(place)).join(' ').slice(0, longestReason)
  }
}

const longestReason = 500

function sentence(place: string) {
  return ({ message, options: { pointer } }: Problem) => {
    if (!pointer) return message.replace(/^the body/, place === '' ? 'The message' : place)
    return place === '' ? message : `${place}/${message}`
  }
}

/** Quarantines the received data, with a reason. */
export function refuse(reason: string, { text, size }: Received, externalId?: unknown): Read<never> {
  const named = typeof externalId === 'string' && externalId.length <= 128
  return {
    is: 'refused',
    refused: { reason, payload: truncated(text), size, externalId: named ? externalId : null },
  }
}

/** The beginning of a text, cut between characters. */
function truncated(text: string): string {
  return text.length * 3 <= largestPayload ? text.toWellFormed() : truncatedBytes(Buffer.from(text))
}

function truncatedBytes(bytes: Uint8Array): string {
  let end = Math.min(bytes.length, largestPayload)
  if (end < bytes.length) while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, end).toString('utf8')
  // Each invalid byte becomes a replacement character of three bytes.
  return Buffer.byteLength(text) <= largestPayload ? text : text.slice(0, largestPayload / 3)
}
