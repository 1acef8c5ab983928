import { type Command, command, type Document, type Transaction } from '../../resource/command.ts'
import { cursorOf, setCursor, webhook } from '../resources/webhook.ts'
import { deliveryChanges } from './delivery-commands.ts'

const overlapMs = 86_400_000

interface SecretRotation {
  id: string
  /** The new secret, sealed. */
  secret: string
  revision?: number | undefined
}

/**
 * The command that replaces a secret. For another 24 hours, deliveries are signed with the previous one as
 * well.
 */
export const rotateWebhookSecret = command('webhook/rotate-secret', (tx, input: SecretRotation): Document => {
  tx.expectRevision(webhook, { ...input })
  const { secret: previousSecret = null } = tx.find(webhook, input.id)
  const previousUntil = tx.now + overlapMs
  tx.patch(webhook, input.id, { secret: input.secret, previousSecret, previousUntil })
  return tx.document(webhook, input.id)
})

/** The cursor of a webhook: the journal line up to which everything is settled. */
export interface Checkpoint {
  webhookId: string
  sequence: number
}

/**
 * The command that stores the cursors of webhooks. It skips a webhook that was deleted, or that was enabled
 * again and starts later.
 */
export const keepPlaces = command('webhook/places', (tx, places: readonly Checkpoint[]): null => {
  for (const { webhookId, sequence } of places) {
    if (isThere(tx, webhookId) && sequence > cursorOf(tx, webhookId)) setCursor(tx, webhookId, sequence)
  }
  return null
})

/** The command that disables a webhook whose receiver answered that it is gone. */
export const switchOffWebhook = command(
  'webhook/switch-off',
  (tx, { webhookId, why }: { webhookId: string; why: string }): null => {
    if (isThere(tx, webhookId))
      tx.patch(webhook, webhookId, { enabled: false, switchedOffBecause: why.slice(0, 255) })
    return null
  },
)

function isThere(tx: Transaction, webhookId: string): boolean {
  return tx.revision(webhook, webhookId) !== null
}

export const webhookChanges: readonly Command<never, unknown>[] = [
  rotateWebhookSecret,
  keepPlaces,
  switchOffWebhook,
  ...deliveryChanges,
]
