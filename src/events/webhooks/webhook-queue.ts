import type { Clock } from '../../host/clock.ts'
import type { Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Feed, FeedEvent } from '../feed.ts'
import type { Webhook } from '../resources/webhook.ts'
import { type WebhookDelivery, webhookDelivery } from '../resources/webhook-delivery.ts'
import { type Backlog, canReceive, fill, mostKept, putBack, takeFirst } from './backlog.ts'
import { hearsNow } from './maker.ts'
import type { DeliveryOutcome } from './post.ts'
import {
  isReceiversFault,
  leaveAlone,
  maySend,
  maySendNew,
  type ReceiverState,
  waitAMinute,
} from './receiver-state.ts'
import { isDue, nextAttempt } from './retry-plan.ts'
import {
  deliveryFailed,
  deliveryTaken,
  type KeptDelivery,
  keepDeliveries,
  switchOffWebhook,
} from './webhook-commands.ts'

/** The reader, writer and clock of a queue. */
export interface QueueTools {
  feed: Feed
  reader: Pick<Reader, 'rows' | 'row'>
  writer: Writer
  clock: Pick<Clock, 'now' | 'monotonic'>
  random(): number
  /** Whether another receiver was reached after a monotonic time; the box then has a network. */
  othersReached(webhookId: string, after: number): boolean
}

/** The queue of one webhook, ordered for each subject. */
export interface WebhookQueue {
  readonly id: string
  readonly tools: QueueTools
  /** The webhook's row, and its kept deliveries that wait for a retry, the oldest event first. */
  row: Webhook
  kept: WebhookDelivery[]
  readonly backlog: Backlog
  readonly receiver: ReceiverState
  /** The subjects with a running delivery. */
  readonly subjects: Set<string>
  /** The new events that are being delivered, or being stored as deliveries. */
  readonly unsettled: Set<number>
}

/** One event to deliver now. */
export interface Sending {
  feedEvent: FeedEvent
  /** Its kept delivery, when it failed before or was held behind another. */
  kept: WebhookDelivery | null
}

const actor = { by: 'webhooks', requestId: null }
const sendsAtOnce = 4

/** Creates the queue of a webhook whose events are settled up to the journal line `start`. */
export function webhookQueue(row: Webhook, start: number, tools: QueueTools): WebhookQueue {
  return {
    id: row.id,
    tools,
    row,
    kept: [],
    backlog: { read: start, events: [] },
    receiver: { failures: 0, triesAnewAt: 0, down: null },
    subjects: new Set(),
    unsettled: new Set(),
  }
}

/** Reloads the webhook's row and its kept deliveries. */
export function refreshQueue(queue: WebhookQueue, row: Webhook): void {
  // A disabled webhook drops its backlog: when it is enabled again, it starts with later events.
  if (row.enabled === false) queue.backlog.events.length = 0
  const filters = [
    { path: 'webhookId', operator: 'eq' as const, value: queue.id },
    { path: 'state', operator: 'eq' as const, value: 'waiting' },
  ]
  const sort = [{ path: 'sequence', descending: false }]
  queue.kept = queue.tools.reader.rows(webhookDelivery, { filters, sort, page: { size: 2 * mostKept } })
  queue.row = row
}

/** Whether the queue contains events that become due without any write. */
export function isWaiting(queue: WebhookQueue): boolean {
  return isOn(queue) && (queue.kept.length > 0 || queue.backlog.events.length > 0)
}

/** Returns the journal line up to which every event is delivered, kept, or not for this webhook. */
export function settledUpTo({ backlog, unsettled }: WebhookQueue): number {
  const { read, events } = backlog
  return Math.min(read, ...[...unsettled, events[0]?.sequence ?? Infinity].map((each) => each - 1))
}

/**
 * Returns the next event to send; null without one. The caller must pass each to `settle` before the next
 * event of the same subject is returned.
 */
export function nextOf(queue: WebhookQueue): Sending | null {
  const { subjects, receiver, unsettled, tools } = queue
  if (!isOn(queue) || !hasMaker(queue) || subjects.size >= sendsAtOnce) return null
  if (!maySend(receiver, subjects.size, tools.clock.monotonic())) return null
  const sending = nextKept(queue) ?? nextNew(queue)
  if (!sending) return null
  subjects.add(sending.feedEvent.event.subject)
  if (!sending.kept) unsettled.add(sending.feedEvent.sequence)
  return sending
}

/** Stores the outcome of a delivery. An event whose outcome was not stored is sent again. */
export async function settle(queue: WebhookQueue, sending: Sending, outcome: DeliveryOutcome): Promise<void> {
  const { feedEvent, kept } = sending
  const isKept = await keepOutcome(queue, sending, outcome)
  release(queue, feedEvent)
  if (!isKept && !kept) sendAnew(queue, feedEvent)
}

function isOn({ row }: WebhookQueue): boolean {
  return row.enabled !== false
}

/** Whether the maker of a webhook still exists. Reduces the webhook to its rights; without a maker the webhook is disabled. */
function hasMaker(queue: WebhookQueue): boolean {
  const { id, tools, row } = queue
  const hears = hearsNow(tools.reader, row, tools.clock.now())
  if (hears) {
    queue.row = { ...row, hears }
    return true
  }
  queue.row = { ...row, enabled: false }
  const why = 'The token or the account that made it is gone.'
  void isWritten(queue, tools.writer.execute(switchOffWebhook, { webhookId: id, why }, { actor }))
  return false
}

/** Returns the oldest kept delivery of a subject whose retry is due. */
function nextKept(queue: WebhookQueue): Sending | null {
  const { writer, feed } = queue.tools
  const seen = new Set<string>()
  for (const each of queue.kept) {
    if (seen.has(each.subject)) continue
    seen.add(each.subject)
    if (queue.subjects.has(each.subject) || !isTime(queue, each)) continue
    const [feedEvent] = feed.after(each.sequence - 1, 1).events
    if (feedEvent?.sequence !== each.sequence)
      void isWritten(queue, writer.execute(deliveryFailed, gone(each), { actor }))
    // The webhook's scopes may have been reduced since.
    else if (!canReceive(queue.row, feedEvent.kind))
      void isWritten(queue, writer.execute(deliveryTaken, { id: each.id }, { actor }))
    else return { feedEvent, kept: each }
  }
  return null
}

function isTime({ tools }: WebhookQueue, { nextAttemptAt, lastAttemptAt }: WebhookDelivery): boolean {
  return isDue(nextAttemptAt, { now: tools.clock.now(), plannedAt: lastAttemptAt })
}

/** Returns the oldest new event of a subject without kept or running deliveries. */
function nextNew(queue: WebhookQueue): Sending | null {
  const { backlog, kept, receiver, row, subjects, tools } = queue
  const now = tools.clock.monotonic()
  fill(backlog, tools.feed, row, kept)
  if (!maySendNew(receiver, now)) return null
  const held = new Set(kept.map(({ subject }) => subject))
  const isFree = ({ event }: FeedEvent) => !subjects.has(event.subject)
  const behind = backlog.events.filter((each) => held.has(each.event.subject) && isFree(each))
  if (behind.length > 0) void hold(queue, behind)
  const feedEvent = takeFirst(backlog, (each) => !held.has(each.event.subject) && isFree(each))
  if (!feedEvent) return null
  waitAMinute(receiver, now)
  return { feedEvent, kept: null }
}

/** Keeps the later events of a subject behind a failed one. Events of other subjects continue. */
async function hold(queue: WebhookQueue, behind: readonly FeedEvent[]): Promise<void> {
  const { backlog, unsettled, subjects } = queue
  for (const each of behind) {
    takeFirst(backlog, (one) => one === each)
    unsettled.add(each.sequence)
    subjects.add(each.event.subject)
  }
  const isKept = await keep(queue, behind.map(asKept))
  for (const each of behind) {
    release(queue, each)
    if (!isKept) sendAnew(queue, each)
  }
}

function release({ unsettled, subjects }: WebhookQueue, { sequence, event }: FeedEvent): void {
  unsettled.delete(sequence)
  subjects.delete(event.subject)
}

function sendAnew(queue: WebhookQueue, feedEvent: FeedEvent): void {
  if (isOn(queue)) putBack(queue.backlog, feedEvent)
}

/**
 * Stores the outcome. Returns false when it could not be stored, or when the box is offline and it must not
 * be.
 */
async function keepOutcome(
  queue: WebhookQueue,
  sending: Sending,
  outcome: DeliveryOutcome,
): Promise<boolean> {
  const { id, receiver, tools } = queue
  const { writer, clock, othersReached } = tools
  const now = clock.monotonic()
  const isElsewhere = (since: number) => othersReached(id, since)
  if (outcome.is === 'unreached' && !isReceiversFault(receiver, isElsewhere, now)) return false
  if (outcome.is !== 'unreached') receiver.down = null
  if (outcome.is === 'taken') {
    receiver.failures = 0
    const { kept } = sending
    return !kept || isWritten(queue, writer.execute(deliveryTaken, { id: kept.id }, { actor }))
  }
  receiver.failures++
  waitAMinute(receiver, now)
  const isKept = await keepFailed(queue, sending, outcome)
  if (outcome.is === 'refused' && outcome.status === 410) {
    const why = 'The receiver answered 410 Gone. Check the url, then enable the webhook again.'
    await isWritten(queue, writer.execute(switchOffWebhook, { webhookId: id, why }, { actor }))
  }
  return isKept
}

type Failed = Exclude<DeliveryOutcome, { is: 'taken' }>

function keepFailed(queue: WebhookQueue, { feedEvent, kept }: Sending, outcome: Failed): Promise<boolean> {
  const { clock, writer } = queue.tools
  const failure = failureOf(queue, kept, outcome)
  if (kept) return isWritten(queue, writer.execute(deliveryFailed, { id: kept.id, ...failure }, { actor }))
  return keep(queue, [{ ...asKept(feedEvent), ...failure, lastAttemptAt: clock.now() }])
}

function failureOf({ tools }: WebhookQueue, kept: WebhookDelivery | null, outcome: Failed) {
  const attempts = (kept?.attempts ?? 0) + 1
  const isRefused = outcome.is === 'refused'
  const retryAfterMs = isRefused ? (outcome.retryAfterMs ?? 0) : 0
  const now = tools.clock.now()
  return {
    attempts,
    nextAttemptAt: nextAttempt(attempts, { now, random: tools.random(), retryAfterMs }),
    lastStatus: isRefused ? outcome.status : null,
    lastError: outcome.reason,
  }
}

function keep(queue: WebhookQueue, deliveries: readonly KeptDelivery[]): Promise<boolean> {
  const { id, tools } = queue
  return isWritten(queue, tools.writer.execute(keepDeliveries, { webhookId: id, deliveries }, { actor }))
}

/**
 * Waits for a write. Returns false when it failed, because the disk is full or the writer is busy; the
 * receiver then gets a pause.
 */
async function isWritten({ receiver, tools }: WebhookQueue, writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing
    return true
  } catch {
    leaveAlone(receiver, tools.clock.monotonic())
    return false
  }
}

function asKept({ sequence, event }: FeedEvent): KeptDelivery {
  return { sequence, eventId: event.id, eventType: event.type, subject: event.subject }
}

/** The outcome for an event whose journal line was purged before it could be sent. */
function gone({ id, attempts }: WebhookDelivery) {
  return {
    id,
    attempts: attempts ?? 0,
    nextAttemptAt: null,
    lastStatus: null,
    lastError: 'the event is no longer kept',
  }
}
