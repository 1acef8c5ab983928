import { createHmac, timingSafeEqual } from 'node:crypto'
import { batchTooLarge, Problem } from '../../../resource/problem.ts'
import type { CallbackRequest } from '../../contract.ts'

/** The maximum distance of `webhook-timestamp` from the appliance's time. An older message may be a replay. */
const windowSeconds = 300
/** The maximum number of messages in one request. */
const maxMessages = 100

/**
 * The messages in a callback request, each as bytes. Throws unauthenticated unless one of its signatures is made with one
 * of the secrets and its timestamp is current, batch-too-large for too many messages, and SyntaxError for a body that is
 * not JSON.
 */
export function signedMessages(
  request: CallbackRequest,
  secrets: readonly string[],
  now: number,
): Uint8Array[] {
  expectSigned(request, secrets, now)
  const body: unknown = JSON.parse(request.text)
  const messages = Array.isArray(body) ? body : [body]
  if (messages.length > maxMessages) throw batchTooLarge('messages', messages.length, maxMessages)
  // The bytes of a single message stay as they were sent, for the quarantine.
  if (!Array.isArray(body)) return [Buffer.from(request.text)]
  return messages.map((message) => Buffer.from(JSON.stringify(message)))
}

function expectSigned({ header, text }: CallbackRequest, secrets: readonly string[], now: number): void {
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  const signatures = header('webhook-signature').split(' ').slice(0, 10)
  if (id === '' || !/^\d{1,12}$/.test(timestamp))
    throw unauthenticated('The request must be signed by the Standard Webhooks rules.')
  if (Math.abs(now / 1_000 - Number(timestamp)) > windowSeconds) {
    throw unauthenticated(`webhook-timestamp must be within ${windowSeconds} seconds of now.`)
  }
  const isSigned = secrets.some((secret) => {
    const expected = signatureOf(`${id}.${timestamp}.${text}`, secret)
    return signatures.some((signature) => isSame(signature, expected))
  })
  if (!isSigned)
    throw unauthenticated('webhook-signature is not valid for any registration of this property.')
}

/**
 * The signature of Standard Webhooks. It uses the native hash, because any client may send a megabyte here: the library
 * that signs the appliance's own webhooks takes ten times as long.
 */
function signatureOf(signed: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function unauthenticated(detail: string): Problem {
  return new Problem('unauthenticated', detail, { header: 'webhook-signature' })
}
