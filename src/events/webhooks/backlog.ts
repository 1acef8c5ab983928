import { grants } from '../../gate/scopes.ts'
import type { Feed, Heard } from '../feed.ts'
import type { Webhook } from '../resources/webhook.ts'
import type { WebhookDelivery } from '../resources/webhook-delivery.ts'
import { mayHear, typesIn } from '../wanted.ts'

/** Kept for a webhook and not given up: with more, the journal keeps what follows. */
export const mostKept = 1_000
const mostRead = 100
const linesATime = 200
const pagesAtOnce = 5

/** The events that were read from the journal for one webhook and are not yet sent. */
export interface Backlog {
  /** The last line of the journal that was read. */
  read: number
  /** The oldest first. */
  events: Heard[]
}

/** Reads on until 100 events are there, past what the webhook does not want or may not hear, and past what is kept. */
export function fill(backlog: Backlog, feed: Feed, row: Webhook, kept: readonly WebhookDelivery[]): void {
  const { events } = backlog
  const isOfType = typesIn(row.types ?? [])
  // After a crash, lines are read again that something is kept of.
  const isKept = new Set(kept.map(({ sequence }) => sequence))
  const most = kept.length < mostKept ? mostRead : 0
  backlog.read = Math.max(backlog.read, feed.kept())
  for (let pages = 0; pages < pagesAtOnce && events.length < most; pages++) {
    const page = feed.after(backlog.read, linesATime)
    backlog.read = page.last
    const wanted = page.heard.filter(({ event, kind }) => isOfType(event.type) && hears(row, kind))
    events.push(...wanted.filter(({ sequence }) => !isKept.has(sequence)))
    if (!page.more) return
  }
}

/** Takes out the first event for which `test` holds; null without one. */
export function takeFirst({ events }: Backlog, test: (heard: Heard) => boolean): Heard | null {
  const at = events.findIndex(test)
  return at < 0 ? null : (events.splice(at, 1)[0] ?? null)
}

/** Puts an event back in its place: it is sent anew. */
export function putBack({ events }: Backlog, heard: Heard): void {
  const at = events.findIndex(({ sequence }) => sequence > heard.sequence)
  events.splice(at < 0 ? events.length : at, 0, heard)
}

/** Whether a webhook may hear of a kind of event, as its scopes are now. */
export function hears({ hears }: Webhook, kind: Heard['kind']): boolean {
  return mayHear(kind, (scope) => grants(hears ?? [], scope))
}
