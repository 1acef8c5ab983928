import { grants } from '../../auth/scopes.ts'
import { canRead, typesIn } from '../event-filter.ts'
import type { Feed, FeedEvent } from '../feed.ts'
import { sentenceOf } from '../phone-events.ts'
import type { Webhook } from '../resources/webhook.ts'
import type { WebhookDelivery } from '../resources/webhook-delivery.ts'
import { isOutdated } from './phone-message.ts'

/**
 * The largest number of kept deliveries of a webhook that wait. Beyond it, further events stay in the
 * journal.
 */
export const mostKept = 1_000
/** The number of events of a webhook that are read from the journal before the first is sent. */
export const mostRead = 100
const linesATime = 200
const pagesAtOnce = 5

/** The events that were read from the journal for one webhook and are not yet sent. */
export interface Backlog {
  /** The last journal line that was read. */
  read: number
  /** Oldest first. */
  events: FeedEvent[]
}

/**
 * Reads until `most` events are in the backlog. It skips events that the webhook did not subscribe to or may not
 * receive, and those that are kept as deliveries.
 */
export function fill(
  backlog: Backlog,
  feed: Feed,
  row: Webhook,
  kept: readonly WebhookDelivery[],
  most = mostRead,
): void {
  const { events } = backlog
  const isOfType = typesIn(row.types ?? [])
  // After a crash, lines are read again whose events are already kept.
  const isKept = new Set(kept.map(({ sequence }) => sequence))
  backlog.read = Math.max(backlog.read, feed.kept())
  for (let pages = 0; pages < pagesAtOnce && events.length < most; pages++) {
    const page = feed.after(backlog.read, linesATime)
    backlog.read = page.last
    const wanted = page.events.filter((each) => isOfType(each.event.type) && canReceive(row, each))
    events.push(...wanted.filter(({ sequence }) => !isKept.has(sequence)))
    if (!page.more) return
  }
}

/** Removes and returns the first event for which `test` returns true; null without one. */
export function takeFirst({ events }: Backlog, test: (feedEvent: FeedEvent) => boolean): FeedEvent | null {
  const at = events.findIndex(test)
  return at < 0 ? null : (events.splice(at, 1)[0] ?? null)
}

/** Returns an event to its position, to be sent again. */
export function putBack({ events }: Backlog, feedEvent: FeedEvent): void {
  const at = events.findIndex(({ sequence }) => sequence > feedEvent.sequence)
  events.splice(at < 0 ? events.length : at, 0, feedEvent)
}

/**
 * Whether a webhook's current scopes allow an event, and its format has a text of it. A message to a phone says no more than the
 * status does.
 */
export function canReceive({ format, hears }: Webhook, { event, kind }: FeedEvent): boolean {
  const may = (scope: string) => grants(hears ?? [], scope)
  return format === 'message' ? may('status.read') && sentenceOf(event) !== null : canRead(kind, may)
}

/** Removes the messages to a phone that are outdated, unless no later one waits. */
export function dropOutdated({ events }: Backlog, row: Webhook, now: number): void {
  const first = events.findIndex((each) => !isOutdated(row, each, now))
  events.splice(0, first < 0 ? events.length - 1 : first)
}
