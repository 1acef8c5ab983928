import type { Reader } from '../../resource/keeper.ts'
import { cursorName, cursors, type Webhook, webhook } from '../resources/webhook.ts'
import type { Checkpoint } from './webhook-commands.ts'
import {
  type QueueTools,
  refreshQueue,
  settledUpTo,
  type WebhookQueue,
  webhookQueue,
} from './webhook-queue.ts'

const mostWebhooks = 100

/** The queues of all webhooks. */
export interface WebhookQueues {
  tools: Omit<QueueTools, 'reader'> & { reader: Reader }
  byId: Map<string, WebhookQueue>
  /** The stored cursor of each webhook. */
  saved: Map<string, number>
  /** A number over all webhooks at the last refresh; it changes with any of them. */
  seen: number
}

/**
 * Reloads the webhooks and their kept deliveries, if any has changed. A delivery bumps the revision of its
 * webhook, so one number covers both.
 */
export function refreshQueues(queues: WebhookQueues): void {
  const { reader } = queues.tools
  const known = reader.count(
    'SELECT coalesce(sum(rid * 1048576 + revision + createdAt % 1000000007), 0) FROM webhook',
  )
  if (known === queues.seen) return
  const rows = reader.rows(webhook, { filters: [], sort: [], page: { size: mostWebhooks } })
  const places = reader.counters(cursors.from, cursors.to)
  for (const id of queues.byId.keys()) if (!rows.some((row) => row.id === id)) queues.byId.delete(id)
  for (const row of rows) take(queues, row, places.get(cursorName(row.id)))
  queues.seen = known
}

/** Returns the cursors that differ from the stored ones. */
export function moved({ byId, saved }: WebhookQueues): Checkpoint[] {
  return [...byId].flatMap(([webhookId, queue]) => {
    const sequence = settledUpTo(queue)
    return sequence === saved.get(webhookId) ? [] : [{ webhookId, sequence }]
  })
}

/**
 * Updates the queue of a webhook. A webhook that starts anew gets a new queue, which starts after its cursor,
 * or at the newest line.
 */
function take({ tools, byId, saved }: WebhookQueues, row: Webhook, cursor?: number): void {
  const before = byId.get(row.id)
  if (before?.row.revision === row.revision) return
  const start = cursor ?? tools.feed.newest()
  const isNew = before?.row.beginsAt !== row.beginsAt
  const queue = before && !isNew ? before : webhookQueue(row, start, tools)
  if (isNew) saved.set(row.id, start)
  byId.set(row.id, queue)
  refreshQueue(queue, row)
}
