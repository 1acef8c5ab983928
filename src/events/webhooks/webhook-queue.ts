import type { Clock } from '../../host/clock.ts'
import type { Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Feed, FeedEvent } from '../feed.ts'
import type { Webhook } from '../resources/webhook.ts'
import { attemptsOf, type WebhookDelivery, waitsMs, webhookDelivery } from '../resources/webhook-delivery.ts'
import {
  type Backlog,
  canReceive,
  dropOutdated,
  fill,
  mostKept,
  mostRead,
  putBack,
  takeFirst,
} from './backlog.ts'
import {
  type DeliveryChanges,
  deliveryFailed,
  deliveryTaken,
  expireEvents,
  type KeptDelivery,
  keepDeliveries,
} from './delivery-commands.ts'
import { hearsNow } from './maker.ts'
import { isOutdated } from './phone-message.ts'
import { leaveAlone, maySend, maySendNew, type ReceiverState, waitAMinute } from './receiver-state.ts'
import { isDue } from './retry-plan.ts'
import { switchOffWebhook } from './webhook-commands.ts'

/** The reader, writer and clock of a queue. */
export interface QueueTools {
  feed: Feed
  reader: Pick<Reader, 'rows' | 'row'>
  writer: Writer
  clock: Pick<Clock, 'now' | 'monotonic' | 'mayForget'>
  random(): number
}

/** The queue of one webhook, ordered for each subject. */
export interface WebhookQueue {
  readonly id: string
  readonly tools: QueueTools
  /** The webhook's row, and its kept deliveries that wait for a retry, the oldest event first. */
  row: Webhook
  kept: WebhookDelivery[]
  /** The scopes that are stored. `row` has those of them that its maker has now. */
  granted: string[]
  /** Whether more deliveries wait than `kept` has. */
  isCut: boolean
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
const dayMs = 86_400_000

/** Creates the queue of a webhook whose events are settled up to the journal line `start`. */
export function webhookQueue(row: Webhook, start: number, tools: QueueTools): WebhookQueue {
  return {
    id: row.id,
    tools,
    row,
    kept: [],
    granted: row.hears ?? [],
    isCut: false,
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
  queue.isCut = queue.kept.length === 2 * mostKept
  queue.row = row
  queue.granted = row.hears ?? []
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
  if (!isOn(queue) || !hasMaker(queue)) return null
  expire(queue)
  if (subjects.size >= sendsAtOnce) return null
  if (!maySend(receiver, subjects.size, tools.clock.monotonic())) return null
  const sending = nextKept(queue) ?? nextNew(queue)
  if (!sending) return null
  subjects.add(sending.feedEvent.event.subject)
  if (!sending.kept) unsettled.add(sending.feedEvent.sequence)
  return sending
}

/** Whether a webhook is enabled. */
export function isOn({ row }: WebhookQueue): boolean {
  return row.enabled !== false
}

/** Whether the maker of a webhook still exists. Reduces the webhook to the rights that it has now; without a maker the webhook is disabled. */
function hasMaker(queue: WebhookQueue): boolean {
  const { id, tools, row, granted } = queue
  const hears = hearsNow(tools.reader, { ...row, hears: granted }, tools.clock.now())
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
    // The webhook's scopes may have been reduced since, and its format changed.
    else if (!canReceive(queue.row, feedEvent) || isLeftOut(queue, each, feedEvent))
      void isWritten(queue, writer.execute(deliveryTaken, { id: each.id }, { actor }))
    else return { feedEvent, kept: each }
  }
  return null
}

/** Whether a delivery is a message to a phone that is outdated, while a later one waits. */
function isLeftOut({ kept, row, tools }: WebhookQueue, each: WebhookDelivery, feedEvent: FeedEvent): boolean {
  return kept.at(-1) !== each && tools.clock.mayForget() && isOutdated(row, feedEvent, tools.clock.now())
}

function isTime({ tools }: WebhookQueue, { nextAttemptAt, lastAttemptAt }: WebhookDelivery): boolean {
  return isDue(nextAttemptAt, { now: tools.clock.now(), plannedAt: lastAttemptAt })
}

/** Returns the oldest new event of a subject without kept or running deliveries. */
function nextNew(queue: WebhookQueue): Sending | null {
  const { backlog, kept, receiver, row, subjects, tools } = queue
  const now = tools.clock.monotonic()
  // A subject of a delivery that is not in `kept` would get its events in another order.
  if (kept.length >= mostKept) return null
  fill(backlog, tools.feed, row, kept)
  if (tools.clock.mayForget()) dropOutdated(backlog, row, tools.clock.now())
  if (!maySendNew(receiver, now)) return null
  const held = new Set(kept.map(({ subject }) => subject))
  const isFree = ({ event }: FeedEvent) => !subjects.has(event.subject)
  const behind = backlog.events.filter((each) => held.has(each.event.subject) && isFree(each))
  // Later events of a subject are kept behind a failed one. Those of other subjects continue.
  if (behind.length > 0)
    void settleTogether(queue, behind, (deliveries) =>
      tools.writer.execute(keepDeliveries, { webhookId: queue.id, deliveries }, { actor }),
    )
  const feedEvent = takeFirst(backlog, (each) => !held.has(each.event.subject) && isFree(each))
  if (!feedEvent) return null
  waitAMinute(receiver, now)
  return { feedEvent, kept: null }
}

/**
 * Makes dead letters of new events that have waited for 30 days, for a receiver that takes none. With the oldest go those that would
 * follow within a day, so that there is one event about them a day.
 */
function expire(queue: WebhookQueue): void {
  const { backlog, kept, row, subjects, tools } = queue
  if (!tools.clock.mayForget()) return
  const expired = tools.clock.now() - waitsMs
  const isBefore = (before: number) => (each: FeedEvent) => Date.parse(each.event.time) < before
  fill(backlog, tools.feed, row, kept, 1)
  if (!backlog.events.slice(0, 1).some(isBefore(expired))) return
  fill(backlog, tools.feed, row, kept)
  const isFree = ({ event }: FeedEvent) => !subjects.has(event.subject)
  const old = backlog.events.filter(isBefore(expired + dayMs)).filter(isFree)
  if (old.length === 0) return
  const more = old.length === backlog.events.length && old.length >= mostRead
  void settleTogether(queue, old, (deliveries) =>
    tools.writer.execute(expireEvents, { webhookId: queue.id, deliveries, more }, { actor }),
  )
}

/** Takes new events out of the backlog, and stores them with one write; those that could not be stored are put back. */
async function settleTogether(
  queue: WebhookQueue,
  events: readonly FeedEvent[],
  write: (deliveries: KeptDelivery[]) => Promise<DeliveryChanges | null>,
): Promise<void> {
  const { backlog, unsettled, subjects } = queue
  for (const each of events) {
    takeFirst(backlog, (one) => one === each)
    unsettled.add(each.sequence)
    subjects.add(each.event.subject)
  }
  const isKept = await isWritten(queue, write(events.map(asKept)))
  for (const each of events) {
    release(queue, each)
    if (!isKept) putBackIn(queue, each)
  }
}

/** Ends the delivery of an event: the next one of its subject may be sent. */
export function release({ unsettled, subjects }: WebhookQueue, { sequence, event }: FeedEvent): void {
  unsettled.delete(sequence)
  subjects.delete(event.subject)
}

/** Returns a new event to the backlog, to be sent again. */
export function putBackIn(queue: WebhookQueue, feedEvent: FeedEvent): void {
  if (isOn(queue)) putBack(queue.backlog, feedEvent)
}

/**
 * Waits for a write, and takes its changes over. Returns false when it failed, because the disk is full or the writer is busy; the
 * receiver then gets a pause.
 */
export async function isWritten(
  queue: WebhookQueue,
  writing: Promise<DeliveryChanges | null>,
): Promise<boolean> {
  try {
    takeOver(queue, await writing)
    return true
  } catch {
    leaveAlone(queue.receiver, queue.tools.clock.monotonic())
    return false
  }
}

/**
 * Changes the kept deliveries as a command has changed the stored ones. After changes of others, and when deliveries that are not in
 * memory may have their turn, it does nothing: `refreshQueues` finds another revision then, and reads all.
 */
function takeOver(queue: WebhookQueue, changes: DeliveryChanges | null): void {
  const { row, kept, isCut } = queue
  if (changes?.revision !== row.revision + 1 || (isCut && kept.length <= mostKept)) return
  const changed = new Set([...changes.gone, ...changes.waiting.map(({ id }) => id)])
  const others = kept.filter(({ id }) => !changed.has(id))
  queue.kept = [...others, ...changes.waiting].sort((a, b) => a.sequence - b.sequence)
  queue.row = { ...row, revision: changes.revision }
}

/** Returns the delivery that keeps a new event. */
export function asKept({ sequence, event }: FeedEvent): KeptDelivery {
  const expiresAt = Date.parse(event.time) + waitsMs
  const named = { eventId: event.id, eventType: event.type, subject: event.subject }
  return { sequence, ...named, refusals: 0, expiresAt }
}

/** The outcome for an event whose journal line was purged before it could be sent. */
function gone(delivery: WebhookDelivery) {
  return {
    id: delivery.id,
    isOver: true,
    ...attemptsOf(delivery),
    nextAttemptAt: null,
    lastStatus: null,
    lastError: 'the event is no longer kept',
  }
}
