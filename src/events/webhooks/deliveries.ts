import type { Clock, Timer } from '../../host/clock.ts'
import { guarded } from '../../host/guarded.ts'
import type { Speaking } from '../../jsonapi/speaker.ts'
import type { Door } from '../../resource/change.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Feed } from '../feed.ts'
import { cursorName, cursors, type Webhook, webhook } from '../resources/webhook.ts'
import { type Lane, lane, type Sending } from './lane.ts'
import { messageOf } from './message.ts'
import { type Outcome, post } from './post.ts'
import { secretsOf } from './secrets.ts'
import { signed } from './signature.ts'
import { keepPlaces } from './webhook-changes.ts'

interface DeliveryOptions {
  feed: Feed
  speaking: Speaking & { reader: Reader }
  door: Door
  clock: Clock
  /** Opens what was sealed for a context. */
  unseal(sealed: string, context: string): string
  /** From 0 to 1. */
  random?(): number
  /** Calls back when anything was written, until the returned function is called. */
  written(listener: () => void): () => void
  /** Told of what is our own fault; the delivery is tried again. */
  failed(error: unknown): void
}

interface Deliveries {
  /** Begins no delivery any more; resolves when what was under way is answered, or given up after a second, and written down. */
  close(): Promise<void>
}

const sendsAtOnce = 8
/** How often is looked whether the time of what waits has come. */
const looksEveryMs = 250
/** Where the store could not be read, it is looked again. */
const looksAgainMs = 1_000
/** What is written in the meantime is looked at once. */
const gathersMs = 10
/** How far webhooks have come is written down so long after it was so: what was delivered since is told twice after a crash. */
const keepsPlacesAfterMs = 1_000
/** What a receiver has taken and not yet answered would be told again after the next start. */
const answersEndWithinMs = 1_000
const mostWebhooks = 100
const actor = { by: 'webhooks', requestId: null }

/** Tells every webhook what it wants to hear, at least once, in order for each subject, for as long as it runs. */
export function deliveries(options: DeliveryOptions): Deliveries {
  const { feed, speaking, door, clock, failed } = options
  const { now, monotonic } = clock
  const { reader } = speaking
  const random = options.random ?? Math.random
  const lanes = new Map<string, Lane>()
  const saved = new Map<string, number>()
  const reached = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  const giveUp = new AbortController()
  let seen = -1
  let isOpen = true
  let isAsked = false
  let lookTimer: Timer | null = null
  let placeTimer: Timer | null = null
  let gathering: Timer | null = null
  // What is kept for webhooks has no lines in the journal, so its writes are heard of as all others are.
  const stop = options.written(() => {
    gathering ??= clock.setTimeout(gathered, gathersMs)
  })
  soon()

  function isAnyThere(): boolean {
    return reader.count('SELECT count(*) FROM webhook') > 0
  }

  const gathered = guarded(failAndLookAgain, () => {
    gathering = null
    if (lanes.size > 0 || isAnyThere()) soon()
  })

  function soon(): void {
    if (isAsked || !isOpen) return
    isAsked = true
    setImmediate(
      guarded(failAndLookAgain, () => {
        isAsked = false
        if (isOpen) round()
      }),
    )
  }

  function failAndLookAgain(error: unknown): void {
    failed(error)
    lookLater(looksAgainMs)
  }

  function lookLater(ms: number): void {
    lookTimer ??= clock.setTimeout(lookNow, ms).unref()
  }

  function lookNow(): void {
    lookTimer = null
    soon()
  }

  function round(): void {
    refresh()
    for (let isAny = true; isAny && underWay.size < sendsAtOnce; ) isAny = sendOne()
    const all = [...lanes.values()]
    if (all.some((each) => each.isWaiting())) lookLater(looksEveryMs)
    if (all.some((each) => each.place() !== saved.get(each.row().id))) {
      placeTimer ??= clock.setTimeout(saveNow, keepsPlacesAfterMs).unref()
    }
  }

  /** Of who has the least under way: slow receivers keep no other from his turn. False when there is nothing to send now. */
  function sendOne(): boolean {
    for (const each of [...lanes.values()].sort((a, b) => a.sends() - b.sends())) {
      const sending = each.next()
      if (!sending) continue
      send(each, sending)
      return true
    }
    return false
  }

  /** A delivery that is kept, or not any more, is a new revision of its webhook: one number says whether anything has changed. */
  function refresh(): void {
    const known = reader.count(
      'SELECT coalesce(sum(rid * 1048576 + revision + createdAt % 1000000007), 0) FROM webhook',
    )
    if (known === seen) return
    const rows = reader.rows(webhook, { filters: [], sort: [], page: { size: mostWebhooks } })
    const places = reader.counters(cursors.from, cursors.to)
    for (const id of lanes.keys()) {
      if (rows.some((row) => row.id === id)) continue
      lanes.delete(id)
      reached.delete(id)
    }
    for (const row of rows) {
      const before = lanes.get(row.id)
      const isNew = before?.row().beginsAt !== row.beginsAt
      if (before?.row().revision === row.revision) continue
      const start = places.get(cursorName(row.id)) ?? feed.newest()
      const tools = { feed, reader, door, now, monotonic, random, othersReached }
      const here = before && !isNew ? before : lane(row, start, tools)
      if (isNew) saved.set(row.id, start)
      lanes.set(row.id, here)
      here.refresh(row)
    }
    seen = known
  }

  function othersReached(webhookId: string, after: number): boolean {
    return [...reached].some(([id, at]) => id !== webhookId && at > after)
  }

  function send(to: Lane, sending: Sending): void {
    const work = deliver(to, sending)
      .catch(failed)
      .finally(() => {
        underWay.delete(work)
        soon()
      })
    underWay.add(work)
  }

  async function deliver(to: Lane, sending: Sending): Promise<void> {
    const row = to.row()
    const outcome = await posted(row, sending)
    // What was given up because the appliance stops has not failed.
    if (giveUp.signal.aborted && outcome.is !== 'taken') return
    if (outcome.is !== 'unreached') reached.set(row.id, monotonic())
    await to.done(sending, outcome)
  }

  async function posted(row: Webhook, { heard }: Sending): Promise<Outcome> {
    try {
      const body = messageOf(heard, row, speaking)
      const headers = signed(secretsOf(row, options.unseal, now()), { id: heard.event.id, body, at: now() })
      return await post({ url: row.url, headers, body, clock, signal: giveUp.signal })
    } catch (error) {
      // A fault of ours with this one event must not hold up the others.
      failed(error)
      return { is: 'refused', status: null, reason: 'the appliance could not make the message' }
    }
  }

  function saveNow(): void {
    placeTimer = null
    void savePlaces()
  }

  async function savePlaces(): Promise<void> {
    const moved = [...lanes.values()].flatMap((each) => {
      const [webhookId, sequence] = [each.row().id, each.place()]
      return sequence === saved.get(webhookId) ? [] : [{ webhookId, sequence }]
    })
    if (moved.length === 0) return
    try {
      await door.write(keepPlaces, moved, { actor })
      for (const { webhookId, sequence } of moved) saved.set(webhookId, sequence)
    } catch (error) {
      failed(error)
    }
  }

  async function close(): Promise<void> {
    isOpen = false
    stop()
    for (const timer of [lookTimer, placeTimer, gathering]) timer?.cancel()
    const late = clock.setTimeout(() => giveUp.abort(), answersEndWithinMs)
    await Promise.allSettled(underWay)
    late.cancel()
    await savePlaces()
  }

  return { close }
}
