import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** Returns a new secret of 32 random bytes in the format of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** Returns the headers that authenticate a body, with one signature for each secret. */
export function signed(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: number },
): Record<string, string> {
  const moment = new Date(at)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, moment, body)).join(' '),
  }
}
