import type { BackgroundWork } from '../../host/background-work.ts'
import type { Clock, Timer } from '../../host/clock.ts'
import type { Serializing } from '../../jsonapi/serializer.ts'
import type { Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Feed } from '../feed.ts'
import { type Webhook, webhook } from '../resources/webhook.ts'
import { postOf } from './message.ts'
import type { PhoneFacts } from './phone-message.ts'
import { type DeliveryOutcome, post } from './post.ts'
import { type Rounds, rounds } from './rounds.ts'
import { authorization, secretsOf } from './secrets.ts'
import { settle } from './settle.ts'
import { signed } from './signature.ts'
import { keepPlaces } from './webhook-commands.ts'
import { isWaiting, nextOf, type Sending, type WebhookQueue } from './webhook-queue.ts'
import { moved, refreshQueues, type WebhookQueues } from './webhook-queues.ts'

interface DeliveryOptions {
  feed: Feed
  serializing: Serializing & { reader: Reader }
  writer: Writer
  clock: Clock
  background: BackgroundWork
  /** What the messages to phones say. */
  facts: PhoneFacts
  /** Decrypts what was sealed for a context. */
  unseal(sealed: string, context: string): string
  /** Returns a number from 0 to 1. */
  random?(): number
  /** Calls the listener after each write, until the returned function is called. */
  written(listener: () => void): () => void
  /** Called with faults of the program; the delivery is retried. */
  failed(error: unknown): void
}

const sendsAtOnce = 8
/** How often the queues are checked for due retries. */
const looksEveryMs = 250
/**
 * How long close waits for answers. An event that a receiver got but did not acknowledge is sent again after
 * the next start.
 */
const answersEndWithinMs = 1_000
/**
 * How long after a delivery the cursors are stored. After a crash, the deliveries since then are repeated.
 */
const keepsPlacesAfterMs = 1_000
const actor = { by: 'webhooks', requestId: null }

/** The state of the running deliveries. */
interface Sender {
  options: DeliveryOptions
  queues: WebhookQueues
  looks: Rounds
  /** Ends the rounds after writes; null while there are none. */
  unfollow: (() => void) | null
  /** Stores the cursors of the webhooks. */
  placeTimer: Timer | null
  underWay: Set<Promise<void>>
  giveUp: AbortController
}

/** Delivers its events to every webhook, at least once, in order for each subject, until `close`. */
export function deliveries(options: DeliveryOptions) {
  const { feed, serializing, writer, clock, background, failed } = options
  const { reader } = serializing
  const tools = { feed, reader, writer, clock, random: options.random ?? Math.random }
  const sender: Sender = {
    options,
    queues: { tools, byId: new Map(), saved: new Map(), seen: -1 },
    looks: rounds({ clock, background, failed, run: () => round(sender) }),
    unfollow: null,
    placeTimer: null,
    underWay: new Set(),
    giveUp: new AbortController(),
  }
  const { looks } = sender
  const ends = [() => sender.unfollow?.(), feed.changed(looks.soon, `${webhook.type}.`)]
  looks.soon()
  return {
    /**
     * Starts no more deliveries. Resolves when the running ones have ended, or were cancelled after a second,
     * and their outcomes are stored.
     */
    async close(): Promise<void> {
      for (const end of ends) end()
      looks.end()
      sender.placeTimer?.cancel()
      const late = clock.setTimeout(() => sender.giveUp.abort(), answersEndWithinMs)
      await Promise.allSettled(sender.underWay)
      late.cancel()
      await savePlaces(sender)
    },
  }
}

function round(sender: Sender): void {
  const { queues, looks, underWay, options } = sender
  refreshQueues(queues)
  followWrites(sender)
  for (let isAny = true; isAny && underWay.size < sendsAtOnce; ) isAny = sendOne(sender)
  if ([...queues.byId.values()].some(isWaiting)) looks.later(looksEveryMs)
  if (moved(queues).length === 0) return
  sender.placeTimer ??= options.clock.setTimeout(() => void savePlaces(sender), keepsPlacesAfterMs).unref()
}

/**
 * Starts a round after writes while there is a webhook. It does not follow the feed, because kept deliveries have no
 * journal lines.
 */
function followWrites(sender: Sender): void {
  const { queues, looks, options } = sender
  if (queues.byId.size > 0) sender.unfollow ??= options.written(looks.written)
  else {
    sender.unfollow?.()
    sender.unfollow = null
  }
}

/**
 * Sends one event of the webhook with the fewest running deliveries, so that slow receivers do not delay
 * others. Returns false when there is nothing to send.
 */
function sendOne(sender: Sender): boolean {
  for (const each of [...sender.queues.byId.values()].sort((a, b) => a.subjects.size - b.subjects.size)) {
    const sending = nextOf(each)
    if (!sending) continue
    send(sender, each, sending)
    return true
  }
  return false
}

function send(sender: Sender, to: WebhookQueue, sending: Sending): void {
  const { underWay, looks, options } = sender
  const work = deliver(sender, to, sending)
    .catch(options.failed)
    .finally(() => {
      underWay.delete(work)
      looks.soon()
    })
  underWay.add(work)
}

async function deliver(sender: Sender, to: WebhookQueue, sending: Sending): Promise<void> {
  const { row } = to
  const outcome = await posted(sender, row, sending)
  // A delivery that was cancelled because the appliance stops has not failed.
  if (sender.giveUp.signal.aborted && outcome.is !== 'taken') return
  await settle(to, sending, outcome)
}

async function posted(
  { options, giveUp }: Sender,
  row: Webhook,
  { feedEvent }: Sending,
): Promise<DeliveryOutcome> {
  const { serializing, facts, unseal, clock, failed } = options
  try {
    const at = clock.now()
    const { body, headers: own } = postOf(feedEvent, row, { serializing, facts, now: at })
    const signatures = signed(secretsOf(row, unseal, at), { id: feedEvent.event.id, body, at })
    const headers = { ...own, ...authorization(row, unseal), ...signatures }
    return await post({ url: row.url, headers, body, clock, signal: giveUp.signal })
  } catch (error) {
    // A fault of the program with one event must not hold up the others.
    failed(error)
    return { is: 'refused', status: null, reason: 'the appliance could not make the message' }
  }
}

async function savePlaces(sender: Sender): Promise<void> {
  const { queues, options } = sender
  sender.placeTimer = null
  const places = moved(queues)
  if (places.length === 0) return
  try {
    await options.writer.execute(keepPlaces, places, { actor })
    for (const { webhookId, sequence } of places) queues.saved.set(webhookId, sequence)
  } catch (error) {
    options.failed(error)
  }
}
