import { instant, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** How long an event waits for its receiver, in milliseconds: 30 days after it happened, or after it was sent again. */
export const waitsMs = 30 * 86_400_000

/**
 * An event that a webhook did not acknowledge, or that is held behind one. An event that is acknowledged at
 * once leaves no row.
 */
export const webhookDelivery = resource('webhook-delivery', {
  base: '/api/config/v1',
  path: 'webhook-deliveries',
  scopes: { read: 'config.read', write: 'config.write' },
  operations: ['list', 'read'],
  bookkeeping: true,
  fields: {
    webhookId: reference('webhook', { required: true, readOnly: true, touches: true }),
    sequence: integer({ required: true, readOnly: true, note: 'The sequence of the event, as a number.' }),
    eventId: text({ required: true, readOnly: true, note: 'The `webhook-id` of the event.' }),
    eventType: text({ required: true, readOnly: true }),
    subject: text({ required: true, readOnly: true }),
    state: oneOf(['waiting', 'dead'], {
      required: true,
      readOnly: true,
      note: '`dead`: it was refused ten times, or has waited 30 days. It can be sent again for 30 days.',
    }),
    attempts: integer({ readOnly: true, default: 0 }),
    refusals: integer({
      readOnly: true,
      note: 'The attempts that reached the receiver. After ten the delivery is `dead`. Null for one that an earlier release has kept: all its attempts count.',
    }),
    nextAttemptAt: instant({
      readOnly: true,
      note: 'Null if it is sent as soon as the receiver is reached, and the earlier deliveries of the same subject are done.',
    }),
    lastAttemptAt: instant({ readOnly: true }),
    lastStatus: integer({
      readOnly: true,
      note: 'The HTTP status of the last answer; null if there was none.',
    }),
    lastError: text({ readOnly: true }),
    diedAt: instant({ readOnly: true }),
    expiresAt: instant({
      readOnly: true,
      note: 'If it still waits then, it becomes `dead`. Null for one that an earlier release has kept: 30 days after `createdAt`.',
    }),
  },
  indexes: [
    { fields: ['webhookId', 'sequence'], unique: true, why: 'the deliveries of a webhook, in order' },
    {
      fields: ['webhookId', 'state', 'sequence'],
      why: 'the deliveries of a webhook that wait, in order, and how many are dead',
    },
    { fields: ['sequence'], why: 'which lines of the journal are still needed' },
    { fields: ['state', 'diedAt'], why: 'the dead letters, and which of them are too old' },
  ],
})

export type WebhookDelivery = Row<typeof webhookDelivery.fields>

/** SQL for when the event of a row of the table `webhook_delivery` began to wait for its receiver, Unix milliseconds. */
export const waitsSinceSql = `coalesce(expiresAt - ${waitsMs}, createdAt)`

/** The attempts of a delivery, and those that reached the receiver; of one that an earlier release has kept all did. None without a delivery. */
export function attemptsOf(delivery: Pick<WebhookDelivery, 'attempts' | 'refusals'> | null) {
  const attempts = delivery?.attempts ?? 0
  return { attempts, refusals: delivery?.refusals ?? attempts }
}
