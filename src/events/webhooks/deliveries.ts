import type { Clock, Timer } from '../../host/clock.ts'
import type { Speaking } from '../../jsonapi/speaker.ts'
import type { Door } from '../../resource/change.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Feed } from '../feed.ts'
import type { Webhook } from '../resources/webhook.ts'
import { messageOf } from './message.ts'
import { type Outcome, post } from './post.ts'
import { type Rounds, rounds } from './rounds.ts'
import { secretsOf } from './secrets.ts'
import { signed } from './signature.ts'
import { keepPlaces } from './webhook-changes.ts'
import { isWaiting, nextOf, type Sending, settle, type WebhookQueue } from './webhook-queue.ts'
import { moved, refreshQueues, type WebhookQueues } from './webhook-queues.ts'

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
/** What a receiver has taken and not yet answered would be told again after the next start. */
const answersEndWithinMs = 1_000
/** How far webhooks have come is written down so long after it was so: what was delivered since is told twice after a crash. */
const keepsPlacesAfterMs = 1_000
const actor = { by: 'webhooks', requestId: null }

/** Deliveries at work. */
interface Sender {
  options: DeliveryOptions
  queues: WebhookQueues
  looks: Rounds
  /** Writes down how far webhooks have come. */
  placeTimer: Timer | null
  underWay: Set<Promise<void>>
  giveUp: AbortController
}

/** Tells every webhook what it wants to hear, at least once, in order for each subject, for as long as it runs. */
export function deliveries(options: DeliveryOptions): Deliveries {
  const { feed, speaking, door, clock, failed } = options
  const { reader } = speaking
  const tools = { feed, reader, door, clock, random: options.random ?? Math.random }
  const sender: Sender = {
    options,
    queues: { tools, byId: new Map(), saved: new Map(), reached: new Map(), seen: -1 },
    looks: rounds({ clock, failed, run: () => round(sender), isNeeded: () => isAnyThere(sender) }),
    placeTimer: null,
    underWay: new Set(),
    giveUp: new AbortController(),
  }
  // What is kept for webhooks has no lines in the journal, so its writes are heard of as all others are.
  const stop = options.written(sender.looks.written)
  sender.looks.soon()
  return {
    async close() {
      stop()
      sender.looks.end()
      sender.placeTimer?.cancel()
      const late = clock.setTimeout(() => sender.giveUp.abort(), answersEndWithinMs)
      await Promise.allSettled(sender.underWay)
      late.cancel()
      await savePlaces(sender)
    },
  }
}

function isAnyThere({ queues, options }: Sender): boolean {
  return queues.byId.size > 0 || options.speaking.reader.count('SELECT count(*) FROM webhook') > 0
}

function round(sender: Sender): void {
  const { queues, looks, underWay, options } = sender
  refreshQueues(queues)
  for (let isAny = true; isAny && underWay.size < sendsAtOnce; ) isAny = sendOne(sender)
  if ([...queues.byId.values()].some(isWaiting)) looks.later(looksEveryMs)
  if (moved(queues).length === 0) return
  sender.placeTimer ??= options.clock.setTimeout(() => void savePlaces(sender), keepsPlacesAfterMs).unref()
}

/** Of who has the least under way: slow receivers keep no other from his turn. False when there is nothing to send now. */
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
  // What was given up because the appliance stops has not failed.
  if (sender.giveUp.signal.aborted && outcome.is !== 'taken') return
  if (outcome.is !== 'unreached') sender.queues.reached.set(row.id, sender.options.clock.monotonic())
  await settle(to, sending, outcome)
}

async function posted({ options, giveUp }: Sender, row: Webhook, { heard }: Sending): Promise<Outcome> {
  const { speaking, unseal, clock, failed } = options
  try {
    const body = messageOf(heard, row, speaking)
    const at = clock.now()
    const headers = signed(secretsOf(row, unseal, at), { id: heard.event.id, body, at })
    return await post({ url: row.url, headers, body, clock, signal: giveUp.signal })
  } catch (error) {
    // A fault of ours with this one event must not hold up the others.
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
    await options.door.write(keepPlaces, places, { actor })
    for (const { webhookId, sequence } of places) queues.saved.set(webhookId, sequence)
  } catch (error) {
    options.failed(error)
  }
}
