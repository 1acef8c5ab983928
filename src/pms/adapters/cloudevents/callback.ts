import { createHmac, timingSafeEqual } from 'node:crypto'
import { Problem } from '../../../resource/problem.ts'
import type { CallbackRequest } from '../../contract.ts'

/** The maximum difference of the clocks. An older message may be a replay. */
const windowSeconds = 300
/** The maximum number of messages in one call. */
const maxMessages = 100

/**
 * The messages in a callback request. Throws unauthenticated unless a current signature with one of the secrets is
 * valid.
 */
export function signedMessages(told: CallbackRequest, secrets: readonly string[], now: number): Uint8Array[] {
  expectSigned(told, secrets, now)
  const said: unknown = JSON.parse(told.text)
  const messages = Array.isArray(said) ? said : [said]
  if (messages.length > maxMessages) {
    throw new Problem('batch-too-large', `At most ${maxMessages} messages are taken at once.`, {
      meta: { limit: maxMessages },
    })
  }
  // A single one as it came; of several each by itself.
  if (!Array.isArray(said)) return [Buffer.from(told.text)]
  return messages.map((message) => Buffer.from(JSON.stringify(message)))
}

function expectSigned({ header, text }: CallbackRequest, secrets: readonly string[], now: number): void {
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  const given = header('webhook-signature').split(' ').slice(0, 10)
  if (id === '' || !/^\d{1,12}$/.test(timestamp))
    throw unauthenticated('It must be signed as Standard Webhooks says.')
  if (Math.abs(now / 1_000 - Number(timestamp)) > windowSeconds) {
    throw unauthenticated(`webhook-timestamp must be within ${windowSeconds} seconds of now.`)
  }
  const isSigned = secrets.some((secret) => {
    const expected = signatureOf(`${id}.${timestamp}.${text}`, secret)
    return given.some((signature) => isSame(signature, expected))
  })
  if (!isSigned) throw unauthenticated('webhook-signature is none of this house.')
}

/**
 * Uses the native hash: any client may send a megabyte here, and the signing function of the webhooks takes ten times
 * as long.
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
