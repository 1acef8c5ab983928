import type { Webhook } from '../resources/webhook.ts'

export const secretContext = 'webhook'

/** The secrets that a delivery is signed with now: the present one, and for a day the one before. */
export function secretsOf(
  { secret, previousSecret, previousUntil }: Webhook,
  unseal: (sealed: string, context: string) => string,
  now: number,
): string[] {
  const before = (previousUntil ?? 0) > now ? previousSecret : null
  return [secret, before].flatMap((sealed) => (sealed ? [unseal(sealed, secretContext)] : []))
}
