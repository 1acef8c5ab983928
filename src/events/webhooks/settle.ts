import { attemptsOf } from '../resources/webhook-delivery.ts'
import { deliveryFailed, deliveryTaken, keepDeliveries } from './delivery-commands.ts'
import type { DeliveryOutcome } from './post.ts'
import { leaveAlone, waitAMinute } from './receiver-state.ts'
import { nextAttempt } from './retry-plan.ts'
import { switchOffWebhook } from './webhook-commands.ts'
import { asKept, isWritten, putBackIn, release, type Sending, type WebhookQueue } from './webhook-queue.ts'

type Failed = Exclude<DeliveryOutcome, { is: 'taken' }>

const actor = { by: 'webhooks', requestId: null }

/** Stores the outcome of a delivery. An event whose outcome was not stored is sent again. */
export async function settle(queue: WebhookQueue, sending: Sending, outcome: DeliveryOutcome): Promise<void> {
  const { feedEvent, kept } = sending
  const isStored = await (outcome.is === 'taken' ? taken(queue, sending) : failed(queue, sending, outcome))
  release(queue, feedEvent)
  if (!isStored && !kept) putBackIn(queue, feedEvent)
}

async function taken(queue: WebhookQueue, { kept }: Sending): Promise<boolean> {
  queue.receiver.down = null
  queue.receiver.failures = 0
  return !kept || isWritten(queue, queue.tools.writer.execute(deliveryTaken, { id: kept.id }, { actor }))
}

async function failed(queue: WebhookQueue, sending: Sending, outcome: Failed): Promise<boolean> {
  const { id, receiver, tools } = queue
  const now = tools.clock.monotonic()
  if (outcome.is === 'unreached') leaveAlone(receiver, now)
  else {
    receiver.down = null
    receiver.failures++
    waitAMinute(receiver, now)
  }
  const isStored = await isWritten(queue, stored(queue, sending, outcome))
  if (outcome.is === 'refused' && outcome.status === 410) {
    const why = 'The receiver answered 410 Gone. Check the url, then enable the webhook again.'
    await isWritten(queue, tools.writer.execute(switchOffWebhook, { webhookId: id, why }, { actor }))
  }
  return isStored
}

function stored({ id, tools }: WebhookQueue, { feedEvent, kept }: Sending, outcome: Failed) {
  const { clock, writer, random } = tools
  const now = clock.now()
  const { isOver, ...failure } = failureOf(attemptsOf(kept), outcome, { now, random: random() })
  if (kept) return writer.execute(deliveryFailed, { id: kept.id, isOver, ...failure }, { actor })
  const delivery = { ...asKept(feedEvent), ...failure, lastAttemptAt: now }
  return writer.execute(keepDeliveries, { webhookId: id, deliveries: [delivery] }, { actor })
}

/**
 * The fields of a delivery after a failed attempt. Only an attempt that has reached the receiver counts for the retry plan: while the
 * receiver is not reached, because its host or the line is down, the delivery waits for it until it expires.
 */
function failureOf(
  { attempts, refusals }: { attempts: number; refusals: number },
  outcome: Failed,
  { now, random }: { now: number; random: number },
) {
  const common = { attempts: attempts + 1, lastError: outcome.reason }
  if (outcome.is === 'unreached')
    return { ...common, refusals, isOver: false, nextAttemptAt: null, lastStatus: null }
  const retryAfterMs = outcome.retryAfterMs ?? 0
  const nextAttemptAt = nextAttempt(refusals + 1, { now, random, retryAfterMs })
  const isOver = nextAttemptAt === null
  return { ...common, refusals: refusals + 1, isOver, nextAttemptAt, lastStatus: outcome.status }
}
