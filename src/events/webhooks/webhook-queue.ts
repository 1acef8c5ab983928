import type { Clock } from '../../host/clock.ts'
import type { Door } from '../../resource/change.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Feed, Heard } from '../feed.ts'
import type { Webhook } from '../resources/webhook.ts'
import { type WebhookDelivery, webhookDelivery } from '../resources/webhook-delivery.ts'
import { type Backlog, fill, hears, mostKept, putBack, takeFirst } from './backlog.ts'
import type { Outcome } from './post.ts'
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
} from './webhook-changes.ts'

/** What a queue reads, writes and tells the time with. */
export interface QueueTools {
  feed: Feed
  reader: Pick<Reader, 'rows'>
  door: Door
  clock: Pick<Clock, 'now' | 'monotonic'>
  random(): number
  /** Whether another receiver was reached after a moment of `monotonic`: then the box has a line. */
  othersReached(webhookId: string, after: number): boolean
}

/** What one webhook is told, in order for each subject. */
export interface WebhookQueue {
  readonly id: string
  readonly tools: QueueTools
  /** Its declaration, and what is kept for it until its next attempt, the oldest event first. */
  row: Webhook
  kept: WebhookDelivery[]
  readonly backlog: Backlog
  readonly receiver: ReceiverState
  /** Subjects that something is under way about. */
  readonly subjects: Set<string>
  /** New events that are under way, or being kept. */
  readonly unsettled: Set<number>
}

/** One event that is to be delivered now. */
export interface Sending {
  heard: Heard
  /** The delivery it is kept as, when it has failed before or was held behind another. */
  kept: WebhookDelivery | null
}

const actor = { by: 'webhooks', requestId: null }
const sendsAtOnce = 4

/** The queue of a webhook whose events up to the line `start` of the journal are settled. */
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

/** Takes its declaration, and what is kept for it, as they are now. */
export function refreshQueue(queue: WebhookQueue, row: Webhook): void {
  // Off and on again: it begins with what happens then.
  if (row.enabled === false) queue.backlog.events.length = 0
  const filters = [
    { path: 'webhookId', operator: 'eq' as const, value: queue.id },
    { path: 'state', operator: 'eq' as const, value: 'waiting' },
  ]
  const sort = [{ path: 'sequence', descending: false }]
  queue.kept = queue.tools.reader.rows(webhookDelivery, { filters, sort, page: { size: 2 * mostKept } })
  queue.row = row
}

/** What is not sent now will be later, without anything happening. */
export function isWaiting(queue: WebhookQueue): boolean {
  return isOn(queue) && (queue.kept.length > 0 || queue.backlog.events.length > 0)
}

/** Up to which line of the journal all is settled: delivered, kept, or not for it. */
export function settledUpTo({ backlog, unsettled }: WebhookQueue): number {
  const { read, events } = backlog
  return Math.min(read, ...[...unsettled, events[0]?.sequence ?? Infinity].map((each) => each - 1))
}

/** What is to be sent now; null when nothing is. Each is given to `settle` before another about the same subject comes. */
export function nextOf(queue: WebhookQueue): Sending | null {
  const { subjects, receiver, unsettled, tools } = queue
  if (!isOn(queue) || subjects.size >= sendsAtOnce) return null
  if (!maySend(receiver, subjects.size, tools.clock.monotonic())) return null
  const sending = nextKept(queue) ?? nextNew(queue)
  if (!sending) return null
  subjects.add(sending.heard.event.subject)
  if (!sending.kept) unsettled.add(sending.heard.sequence)
  return sending
}

/** Writes down what became of a delivery. What could not be written down, or was not to be, is sent anew. */
export async function settle(queue: WebhookQueue, sending: Sending, outcome: Outcome): Promise<void> {
  const { heard, kept } = sending
  const isKept = await keepOutcome(queue, sending, outcome)
  release(queue, heard)
  if (!isKept && !kept) sendAnew(queue, heard)
}

function isOn({ row }: WebhookQueue): boolean {
  return row.enabled !== false
}

/** The oldest about each subject, when its time has come. */
function nextKept(queue: WebhookQueue): Sending | null {
  const { door, feed } = queue.tools
  const seen = new Set<string>()
  for (const each of queue.kept) {
    if (seen.has(each.subject)) continue
    seen.add(each.subject)
    if (queue.subjects.has(each.subject) || !isTime(queue, each)) continue
    const [heard] = feed.after(each.sequence - 1, 1).heard
    if (heard?.sequence !== each.sequence)
      void isWritten(queue, door.write(deliveryFailed, gone(each), { actor }))
    // Whoever changed the webhook since may hear less.
    else if (!hears(queue.row, heard.kind))
      void isWritten(queue, door.write(deliveryTaken, { id: each.id }, { actor }))
    else return { heard, kept: each }
  }
  return null
}

function isTime({ tools }: WebhookQueue, { nextAttemptAt, lastAttemptAt }: WebhookDelivery): boolean {
  return isDue(nextAttemptAt, { now: tools.clock.now(), plannedAt: lastAttemptAt })
}

/** The oldest new event about a subject of which nothing is kept or under way. */
function nextNew(queue: WebhookQueue): Sending | null {
  const { backlog, kept, receiver, row, subjects, tools } = queue
  const now = tools.clock.monotonic()
  fill(backlog, tools.feed, row, kept)
  if (!maySendNew(receiver, now)) return null
  const held = new Set(kept.map(({ subject }) => subject))
  const isFree = ({ event }: Heard) => !subjects.has(event.subject)
  const behind = backlog.events.filter((each) => held.has(each.event.subject) && isFree(each))
  if (behind.length > 0) void hold(queue, behind)
  const heard = takeFirst(backlog, (each) => !held.has(each.event.subject) && isFree(each))
  if (!heard) return null
  waitAMinute(receiver, now)
  return { heard, kept: null }
}

/** What follows an event that has failed waits behind it, and others pass. */
async function hold(queue: WebhookQueue, behind: readonly Heard[]): Promise<void> {
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

function release({ unsettled, subjects }: WebhookQueue, { sequence, event }: Heard): void {
  unsettled.delete(sequence)
  subjects.delete(event.subject)
}

function sendAnew(queue: WebhookQueue, heard: Heard): void {
  if (isOn(queue)) putBack(queue.backlog, heard)
}

/** False where nothing about it could be written down, or was to be. */
async function keepOutcome(queue: WebhookQueue, sending: Sending, outcome: Outcome): Promise<boolean> {
  const { id, receiver, tools } = queue
  const { door, clock, othersReached } = tools
  const now = clock.monotonic()
  const isElsewhere = (since: number) => othersReached(id, since)
  if (outcome.is === 'unreached' && !isReceiversFault(receiver, isElsewhere, now)) return false
  if (outcome.is !== 'unreached') receiver.down = null
  if (outcome.is === 'taken') {
    receiver.failures = 0
    const { kept } = sending
    return !kept || isWritten(queue, door.write(deliveryTaken, { id: kept.id }, { actor }))
  }
  receiver.failures++
  waitAMinute(receiver, now)
  const isKept = await keepFailed(queue, sending, outcome)
  if (outcome.is === 'refused' && outcome.status === 410) {
    const why = 'Its receiver answered 410: it is gone.'
    await isWritten(queue, door.write(switchOffWebhook, { webhookId: id, why }, { actor }))
  }
  return isKept
}

type Failed = Exclude<Outcome, { is: 'taken' }>

function keepFailed(queue: WebhookQueue, { heard, kept }: Sending, outcome: Failed): Promise<boolean> {
  const { clock, door } = queue.tools
  const failure = failureOf(queue, kept, outcome)
  if (kept) return isWritten(queue, door.write(deliveryFailed, { id: kept.id, ...failure }, { actor }))
  return keep(queue, [{ ...asKept(heard), ...failure, lastAttemptAt: clock.now() }])
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
  return isWritten(queue, tools.door.write(keepDeliveries, { webhookId: id, deliveries }, { actor }))
}

/** False when it was not: the disk is full, or too much is waiting. The receiver is then left alone for a while. */
async function isWritten({ receiver, tools }: WebhookQueue, writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing
    return true
  } catch {
    leaveAlone(receiver, tools.clock.monotonic())
    return false
  }
}

function asKept({ sequence, event }: Heard): KeptDelivery {
  return { sequence, eventId: event.id, eventType: event.type, subject: event.subject }
}

/** Its line of the journal was purged before it could be sent. */
function gone({ id, attempts }: WebhookDelivery) {
  return {
    id,
    attempts: attempts ?? 0,
    nextAttemptAt: null,
    lastStatus: null,
    lastError: 'the event is no longer kept',
  }
}
