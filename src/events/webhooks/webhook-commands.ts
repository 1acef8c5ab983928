import { type Command, command, type Document, type Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { inSlice, type Slice, type Sliced } from '../../resource/slice.ts'
import { cursorOf, setCursor, webhook } from '../resources/webhook.ts'
import { type WebhookDelivery, webhookDelivery } from '../resources/webhook-delivery.ts'

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

export type KeptDelivery = Pick<WebhookDelivery, 'sequence' | 'eventId' | 'eventType' | 'subject'> &
  Partial<
    Pick<
      Attributes<typeof webhookDelivery.fields>,
      'attempts' | 'nextAttemptAt' | 'lastAttemptAt' | 'lastStatus' | 'lastError'
    >
  >

/**
 * The command that stores events that were not acknowledged, and those held behind them. Deliveries that are
 * already stored stay unchanged.
 */
export const keepDeliveries = command(
  'webhook/keep-deliveries',
  (tx, { webhookId, deliveries }: { webhookId: string; deliveries: readonly KeptDelivery[] }): null => {
    if (!isThere(tx, webhookId)) return null
    for (const each of deliveries) {
      const same = tx.select(webhookDelivery, [
        { path: 'webhookId', operator: 'eq', value: webhookId },
        { path: 'sequence', operator: 'eq', value: each.sequence },
      ])
      if (same.length === 0) tx.insert(webhookDelivery, { ...each, webhookId, state: 'waiting' })
    }
    return null
  },
)

interface Failure {
  id: string
  attempts: number
  /** Null makes the delivery a dead letter. */
  nextAttemptAt: number | null
  lastStatus: number | null
  lastError: string
}

export const deliveryFailed = command('webhook/failed', (tx, { id, ...failure }: Failure): null => {
  const row = found(tx, id)
  if (!row) return null
  const isOver = failure.nextAttemptAt === null
  tx.patch(webhookDelivery, id, {
    ...failure,
    lastAttemptAt: tx.now,
    ...(isOver && { state: 'dead', diedAt: tx.now }),
  })
  return null
})

export const deliveryTaken = command('webhook/taken', (tx, { id }: { id: string }): null => {
  if (found(tx, id)) tx.remove(webhookDelivery, id)
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

/**
 * The command that sends a delivery again as soon as it is its turn. A dead letter gets all its attempts
 * again.
 */
export const sendAgain = command('webhook/send-again', (tx, { id }: { id: string }): Document => {
  const { state } = tx.find(webhookDelivery, id)
  if (state === 'dead') revive(tx, id)
  else tx.patch(webhookDelivery, id, { nextAttemptAt: null })
  return tx.document(webhookDelivery, id)
})

/** The command that deletes dead letters by age. */
const forgetDead = command('webhook/forget-dead', (tx, slice: Slice): Sliced => {
  const rows = {
    table: webhookDelivery.table,
    condition: "state = 'dead' AND diedAt < ?",
    values: [slice.before],
  }
  return inSlice(tx, rows, slice, (part, id) => part.remove(webhookDelivery, id))
})

/** The number of dead letters that one command revives. */
const mostAgain = 1_000

/** The command that revives the dead letters of a webhook, a thousand at a time. */
export const sendAllAgain = command(
  'webhook/send-all-again',
  (tx, { id }: { id: string }): { waiting: number; more: boolean } => {
    tx.find(webhook, id)
    const dead = tx.select(
      webhookDelivery,
      [
        { path: 'webhookId', operator: 'eq', value: id },
        { path: 'state', operator: 'eq', value: 'dead' },
      ],
      [],
      mostAgain + 1,
    )
    for (const row of dead.slice(0, mostAgain)) revive(tx, row.id)
    return { waiting: Math.min(dead.length, mostAgain), more: dead.length > mostAgain }
  },
)

function revive(tx: Transaction, id: string): void {
  tx.patch(webhookDelivery, id, { state: 'waiting', attempts: 0, nextAttemptAt: null, diedAt: null })
}

function isThere(tx: Transaction, webhookId: string): boolean {
  return tx.revision(webhook, webhookId) !== null
}

function found(tx: Transaction, id: string): WebhookDelivery | undefined {
  const filters = [{ path: 'id', operator: 'eq' as const, value: id }]
  return tx.select(webhookDelivery, filters, [], 1)[0] as WebhookDelivery | undefined
}

export const webhookChanges: readonly Command<never, unknown>[] = [
  rotateWebhookSecret,
  keepPlaces,
  keepDeliveries,
  deliveryFailed,
  deliveryTaken,
  switchOffWebhook,
  sendAgain,
  sendAllAgain,
  forgetDead,
]
