import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

/** A secret of 32 random bytes, as the Standard Webhooks rules write it. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The headers that prove who sent a body: a signature for each secret. */
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
