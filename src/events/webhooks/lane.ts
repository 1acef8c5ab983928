import { grants } from '../../gate/scopes.ts'
import type { Door } from '../../resource/change.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Feed, Heard } from '../feed.ts'
import type { Webhook } from '../resources/webhook.ts'
import { type WebhookDelivery, webhookDelivery } from '../resources/webhook-delivery.ts'
import { mayHear, typesIn } from '../wanted.ts'
import type { Outcome } from './post.ts'
import { isDue, linePause, nextAttempt } from './retry-plan.ts'
import {
  deliveryFailed,
  deliveryTaken,
  type KeptDelivery,
  keepDeliveries,
  switchOffWebhook,
} from './webhook-changes.ts'

interface LaneTools {
  feed: Feed
  reader: Pick<Reader, 'rows'>
  door: Door
  now(): number
  /** Milliseconds that never go back. */
  monotonic(): number
  random(): number
  /** Whether another receiver was reached after a moment of `monotonic`: then the box has a line. */
  othersReached(webhookId: string, after: number): boolean
}

/** One event that is to be delivered now. */
export interface Sending {
  heard: Heard
  /** The delivery it is kept as, when it has failed before or was held behind another. */
  kept: WebhookDelivery | null
}

/** What one webhook is told, in order for each subject. */
export interface Lane {
  /** Takes its declaration, and what is kept for it, as they are now. */
  refresh(row: Webhook): void
  row(): Webhook
  /** What is to be sent now; null when nothing is. Each is given to `done` before another about the same subject comes. */
  next(): Sending | null
  done(sending: Sending, outcome: Outcome): Promise<void>
  /** How many are under way. */
  sends(): number
  /** What is not sent now will be later, without anything happening. */
  isWaiting(): boolean
  /** Up to which line of the journal all is settled: delivered, kept, or not for it. */
  place(): number
}

const actor = { by: 'webhooks', requestId: null }
/** Read from the journal and not yet sent. */
const mostRead = 100
const linesATime = 200
const pagesAtOnce = 5
/** Kept for a webhook and not given up: with more, the journal keeps what follows. */
const mostKept = 1_000
const sendsAtOnce = 4
/** After so many failures in a row nothing new is sent but one a minute, to see. */
const failuresInRow = 5
const triesAnewMs = 60_000

export function lane(first: Webhook, start: number, tools: LaneTools): Lane {
  const { feed, reader, door, now, monotonic } = tools
  const { id } = first
  let row = first
  let kept: WebhookDelivery[] = []
  let read = start
  const fresh: Heard[] = []
  /** Subjects that something is under way about. */
  const underWay = new Set<string>()
  /** New events that are under way, or being kept. */
  const unsettled = new Set<number>()
  let failures = 0
  let triesAnewAt = 0
  /** The line is taken to be down since, and is tried again at: by the clock that never goes back. */
  let down: { since: number; looks: number; looksAt: number } | null = null

  const may = (scope: string) => grants(row.hears ?? [], scope)

  function refresh(now: Webhook): void {
    // Off and on again: it begins with what happens then.
    if (now.enabled === false) fresh.length = 0
    const filters = [
      { path: 'webhookId', operator: 'eq' as const, value: id },
      { path: 'state', operator: 'eq' as const, value: 'waiting' },
    ]
    const sort = [{ path: 'sequence', descending: false }]
    kept = reader.rows(webhookDelivery, { filters, sort, page: { size: 2 * mostKept } })
    row = now
  }

  function next(): Sending | null {
    if (row.enabled === false || underWay.size >= sendsAtOnce) return null
    if (down && (underWay.size > 0 || monotonic() < down.looksAt)) return null
    const sending = nextKept() ?? nextFresh()
    if (!sending) return null
    underWay.add(sending.heard.event.subject)
    if (!sending.kept) unsettled.add(sending.heard.sequence)
    return sending
  }

  /** The oldest about each subject, when its time has come. */
  function nextKept(): Sending | null {
    const seen = new Set<string>()
    for (const each of kept) {
      if (seen.has(each.subject)) continue
      seen.add(each.subject)
      if (underWay.has(each.subject) || !isTime(each)) continue
      const [heard] = feed.after(each.sequence - 1, 1).heard
      if (heard?.sequence !== each.sequence) void written(door.write(deliveryFailed, gone(each), { actor }))
      // Whoever changed the webhook since may hear less.
      else if (!mayHear(heard.kind, may)) void written(door.write(deliveryTaken, { id: each.id }, { actor }))
      else return { heard, kept: each }
    }
    return null
  }

  function isTime({ nextAttemptAt, lastAttemptAt }: WebhookDelivery): boolean {
    return isDue(nextAttemptAt, { now: now(), plannedAt: lastAttemptAt })
  }

  function nextFresh(): Sending | null {
    fill()
    if (failures >= failuresInRow && monotonic() < triesAnewAt) return null
    const held = new Set(kept.map(({ subject }) => subject))
    const behind = fresh.filter(({ event }) => held.has(event.subject) && !underWay.has(event.subject))
    if (behind.length > 0) void hold(behind)
    const at = fresh.findIndex(({ event }) => !held.has(event.subject) && !underWay.has(event.subject))
    if (at < 0) return null
    triesAnewAt = monotonic() + triesAnewMs
    const [heard] = fresh.splice(at, 1)
    return { heard: heard!, kept: null }
  }

  function fill(): void {
    const isOfType = typesIn(row.types ?? [])
    // After a crash, lines are read again that something is kept of.
    const isKept = new Set(kept.map(({ sequence }) => sequence))
    if (read < feed.kept()) read = feed.kept()
    for (let pages = 0; pages < pagesAtOnce && fresh.length < mostRead && kept.length < mostKept; pages++) {
      const page = feed.after(read, linesATime)
      read = page.last
      fresh.push(
        ...page.heard.filter(
          ({ sequence, event, kind }) => isOfType(event.type) && mayHear(kind, may) && !isKept.has(sequence),
        ),
      )
      if (!page.more) return
    }
  }

  /** What follows an event that has failed waits behind it, and others pass. */
  async function hold(behind: Heard[]): Promise<void> {
    for (const each of behind) {
      fresh.splice(fresh.indexOf(each), 1)
      unsettled.add(each.sequence)
      underWay.add(each.event.subject)
    }
    const deliveries = behind.map((heard) => asKept(heard))
    const isKept = await written(door.write(keepDeliveries, { webhookId: id, deliveries }, { actor }))
    for (const each of behind) {
      unsettled.delete(each.sequence)
      underWay.delete(each.event.subject)
      if (!isKept) putBack(each)
    }
  }

  async function done({ heard, kept: before }: Sending, outcome: Outcome): Promise<void> {
    const isKept = await settled({ heard, kept: before }, outcome)
    unsettled.delete(heard.sequence)
    underWay.delete(heard.event.subject)
    if (!isKept && !before) putBack(heard)
  }

  /** False where nothing about it could be written down, or was to be: it is sent anew. */
  async function settled({ heard, kept: before }: Sending, outcome: Outcome): Promise<boolean> {
    if (outcome.is === 'unreached' && !lineStands()) return false
    if (outcome.is !== 'unreached') down = null
    if (outcome.is === 'taken') {
      failures = 0
      return !before || written(door.write(deliveryTaken, { id: before.id }, { actor }))
    }
    failures++
    triesAnewAt = monotonic() + triesAnewMs
    const failure = failed(before, outcome)
    const isKept = before
      ? await written(door.write(deliveryFailed, { id: before.id, ...failure }, { actor }))
      : await written(
          door.write(
            keepDeliveries,
            { webhookId: id, deliveries: [{ ...asKept(heard), ...failure, lastAttemptAt: now() }] },
            { actor },
          ),
        )
    if (outcome.is === 'refused' && outcome.status === 410) {
      const why = 'Its receiver answered 410: it is gone.'
      await written(door.write(switchOffWebhook, { webhookId: id, why }, { actor }))
    }
    return isKept
  }

  /**
   * Nobody was reached: the fault is the receiver's where another receiver was reached since. Else the box has no line, and
   * what waits for a line uses up no attempt.
   */
  function lineStands(): boolean {
    const since = down?.since ?? monotonic()
    if (tools.othersReached(id, since)) return true
    const looks = down?.looks ?? 0
    down = { since, looks: looks + 1, looksAt: monotonic() + linePause(looks) }
    return false
  }

  function failed(before: WebhookDelivery | null, outcome: Exclude<Outcome, { is: 'taken' }>) {
    const attempts = (before?.attempts ?? 0) + 1
    const retryAfterMs = outcome.is === 'refused' ? (outcome.retryAfterMs ?? 0) : 0
    return {
      attempts,
      nextAttemptAt: nextAttempt(attempts, { now: now(), random: tools.random(), retryAfterMs }),
      lastStatus: outcome.is === 'refused' ? outcome.status : null,
      lastError: outcome.reason,
    }
  }

  /** False when it was not: the disk is full, or too much is waiting. The line is then left alone for a while. */
  async function written(writing: Promise<unknown>): Promise<boolean> {
    try {
      await writing
      return true
    } catch {
      down ??= { since: monotonic(), looks: 0, looksAt: monotonic() + linePause(0) }
      return false
    }
  }

  function putBack(heard: Heard): void {
    if (row.enabled === false) return
    const at = fresh.findIndex(({ sequence }) => sequence > heard.sequence)
    fresh.splice(at < 0 ? fresh.length : at, 0, heard)
  }

  return {
    refresh,
    row: () => row,
    next,
    done,
    sends: () => underWay.size,
    isWaiting: () => row.enabled !== false && (kept.length > 0 || fresh.length > 0),
    place: () => Math.min(read, ...[...unsettled, fresh[0]?.sequence ?? Infinity].map((each) => each - 1)),
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
