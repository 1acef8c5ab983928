import type { Webhook } from '../resources/webhook.ts'

export const secretContext = 'webhook'

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
