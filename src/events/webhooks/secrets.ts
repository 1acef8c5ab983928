import type { Webhook } from '../resources/webhook.ts'

export const secretContext = 'webhook'
/** What the access token of a receiver is sealed for. */
export const tokenContext = 'webhook-token'

/** Returns the header with the access token of the receiver; none without one. */
export function authorization(
  { accessToken }: Pick<Webhook, 'accessToken'>,
  unseal: (sealed: string, context: string) => string,
): Record<string, string> {
  return accessToken ? { Authorization: `Bearer ${unseal(accessToken, tokenContext)}` } : {}
}

/**
 * Returns the secrets that sign a delivery now: the current one, and the previous one for a day after a
 * rotation.
 */
export function secretsOf(
  { secret, previousSecret, previousUntil }: Webhook,
  unseal: (sealed: string, context: string) => string,
  now: number,
): string[] {
  const before = (previousUntil ?? 0) > now ? previousSecret : null
  return [secret, before].flatMap((sealed) => (sealed ? [unseal(sealed, secretContext)] : []))
}
