import { type Command, command, type Document, type Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { inSlice, type Slice, type Sliced } from '../../resource/slice.ts'
import { uuidBytes } from '../../resource/uuid-sql.ts'
import { report, tally } from '../lost-events.ts'
import { webhook } from '../resources/webhook.ts'
import {
  type WebhookDelivery,
  waitsMs,
  waitsSinceSql,
  webhookDelivery,
} from '../resources/webhook-delivery.ts'

/** What a command has changed of the deliveries of one webhook. */
export interface DeliveryChanges {
  /** The revision of the webhook afterwards. Each command that changes a delivery adds one. */
  revision: number
  /** The deliveries that are new or changed, and wait. */
  waiting: WebhookDelivery[]
  /** The ids of those that do not wait any more. */
  gone: string[]
}

export type KeptDelivery = Pick<
  WebhookDelivery,
  'sequence' | 'eventId' | 'eventType' | 'subject' | 'expiresAt'
> &
  Partial<
    Pick<
      Attributes<typeof webhookDelivery.fields>,
      'attempts' | 'refusals' | 'nextAttemptAt' | 'lastAttemptAt' | 'lastStatus' | 'lastError'
    >
  >

/**
 * The command that stores events that were not acknowledged, and those held behind them. Deliveries that are
 * already stored stay unchanged. Returns null without the webhook.
 */
export const keepDeliveries = command(
  'webhook/keep-deliveries',
  (
    tx,
    { webhookId, deliveries }: { webhookId: string; deliveries: readonly KeptDelivery[] },
  ): DeliveryChanges | null => {
    if (tx.revision(webhook, webhookId) === null) return null
    const waiting = deliveries
      .filter(({ sequence }) => !isStored(tx, webhookId, sequence))
      .map((each) => tx.insert(webhookDelivery, { ...each, webhookId, state: 'waiting' }))
    return changesOf(tx, webhookId, { waiting })
  },
)

interface Failure {
  id: string
  attempts: number
  refusals: number
  /** Whether the delivery becomes a dead letter. */
  isOver: boolean
  nextAttemptAt: number | null
  lastStatus: number | null
  lastError: string
}

/** The command that stores a failed attempt of a delivery. Returns null without the delivery. */
export const deliveryFailed = command(
  'webhook/failed',
  (tx, { id, isOver, ...failure }: Failure): DeliveryChanges | null => {
    const row = found(tx, id)
    if (!row) return null
    const death = isOver && { state: 'dead' as const, diedAt: tx.now }
    const after = tx.patch(webhookDelivery, id, { ...failure, lastAttemptAt: tx.now, ...death })
    return changesOf(tx, row.webhookId, isOver ? { gone: [id] } : { waiting: [after] })
  },
)

/** The command that deletes an acknowledged delivery. Returns null without the delivery. */
export const deliveryTaken = command(
  'webhook/taken',
  (tx, { id }: { id: string }): DeliveryChanges | null => {
    const row = found(tx, id)
    if (!row) return null
    tx.remove(webhookDelivery, id)
    return changesOf(tx, row.webhookId, { gone: [id] })
  },
)

/** The largest number of dead letters of a webhook to which expired events are added. */
const mostDead = 10_000

interface Expired {
  webhookId: string
  deliveries: readonly KeptDelivery[]
  /** Whether more events of this webhook expire at once; their number is in the same event. */
  more: boolean
}

/**
 * The command that makes dead letters of events that nothing but the journal kept and that have waited too long. Beyond 10,000 dead
 * letters of a webhook they are dropped. Both are counted and reported. Returns null.
 */
export const expireEvents = command(
  'webhook/expire-events',
  (tx, { webhookId, deliveries, more }: Expired): null => {
    if (tx.revision(webhook, webhookId) === null) return null
    const anew = deliveries.filter(({ sequence }) => !isStored(tx, webhookId, sequence))
    const stored = anew.slice(0, Math.max(0, mostDead - deadOf(tx, webhookId)))
    for (const each of stored)
      tx.insert(webhookDelivery, { ...each, webhookId, ...deathByAge(tx, null), attempts: 0 })
    tally(tx, 'expired', webhookId, stored.length)
    tally(tx, 'dropped', webhookId, anew.length - stored.length)
    if (!more) report(tx, 'expired')
    return null
  },
)

/**
 * The command for one slice of deliveries: those that wait and have expired become dead letters, those of disabled webhooks as well.
 */
const expireDeliveries = command('webhook/expire', (tx, slice: Slice): Sliced => {
  const condition = `state = 'waiting' AND ${waitsSinceSql} < ?`
  const rows = { table: webhookDelivery.table, condition, values: [slice.before] }
  const sliced = inSlice(tx, rows, slice, (part, id) => {
    const { webhookId, lastError } = part.find(webhookDelivery, id)
    part.patch(webhookDelivery, id, deathByAge(part, lastError ?? null))
    tally(part, 'expired', webhookId, 1)
  })
  if (sliced.next === null) report(tx, 'expired')
  return sliced
})

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

/** The command that deletes dead letters by age, and reports how many. */
const forgetDead = command('webhook/forget-dead', (tx, slice: Slice): Sliced => {
  const rows = {
    table: webhookDelivery.table,
    condition: "state = 'dead' AND diedAt < ?",
    values: [slice.before],
  }
  const sliced = inSlice(tx, rows, slice, (part, id) => {
    const { webhookId } = part.find(webhookDelivery, id)
    part.remove(webhookDelivery, id)
    tally(part, 'dropped', webhookId, 1)
  })
  if (sliced.next === null) report(tx, 'dropped')
  return sliced
})

/** The number of dead letters that one command revives. */
const mostAgain = 1_000

/** The command that revives the dead letters of a webhook, a thousand at a time, the oldest event first. */
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
      [{ path: 'sequence', descending: false }],
      mostAgain + 1,
    )
    for (const row of dead.slice(0, mostAgain)) revive(tx, row.id)
    return { waiting: Math.min(dead.length, mostAgain), more: dead.length > mostAgain }
  },
)

function revive(tx: Transaction, id: string): void {
  const anew = { attempts: 0, refusals: 0, nextAttemptAt: null, diedAt: null, expiresAt: tx.now + waitsMs }
  tx.patch(webhookDelivery, id, { state: 'waiting', ...anew })
}

function deathByAge({ now }: Transaction, lastError: string | null) {
  const why = lastError === null ? '' : `: ${lastError}`
  const days = waitsMs / 86_400_000
  return {
    state: 'dead' as const,
    diedAt: now,
    nextAttemptAt: null,
    lastError: `not delivered within ${days} days${why}`.slice(0, 255),
  }
}

function deadOf(tx: Transaction, webhookId: string): number {
  const sql = `SELECT count(*) FROM webhook_delivery JOIN webhook ON webhook.rid = webhookId
    WHERE webhook.id = ${uuidBytes('?')} AND state = 'dead'`
  return tx.count(sql, webhookId)
}

function isStored(tx: Transaction, webhookId: string, sequence: number): boolean {
  const same = tx.select(webhookDelivery, [
    { path: 'webhookId', operator: 'eq', value: webhookId },
    { path: 'sequence', operator: 'eq', value: sequence },
  ])
  return same.length > 0
}

function found(tx: Transaction, id: string): WebhookDelivery | undefined {
  const filters = [{ path: 'id', operator: 'eq' as const, value: id }]
  return tx.select(webhookDelivery, filters, [], 1)[0] as WebhookDelivery | undefined
}

function changesOf(
  tx: Transaction,
  webhookId: string,
  { waiting = [], gone = [] }: Partial<DeliveryChanges>,
): DeliveryChanges {
  return { revision: tx.revision(webhook, webhookId)!, waiting, gone }
}

export const deliveryChanges: readonly Command<never, unknown>[] = [
  keepDeliveries,
  deliveryFailed,
  deliveryTaken,
  expireEvents,
  expireDeliveries,
  sendAgain,
  sendAllAgain,
  forgetDead,
]
