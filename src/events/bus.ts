import { randomUUID } from 'node:crypto'
import { type CloudEvent, expectCloudEvent } from './cloud-event.ts'

type Listener = (event: CloudEvent) => void | Promise<void>

/**
 * Delivers events to listeners within the process, at once and without storing them. Events that must not be
 * lost are in the journal.
 */
export type Bus = ReturnType<typeof bus>

export interface BusOptions {
  /** The source of all events: `urn:property:` and the property's id. */
  source: () => string
  now: () => number
  /** Called when a listener fails or falls behind. The other listeners are not affected. */
  failed(error: unknown): void
}

/** The largest number of listeners; more of them indicate a leak. */
const mostListeners = 500
/**
 * The largest number of events that one listener processes at once. Further events are not delivered to it.
 */
const mostUnderWay = 100

interface Subscription {
  type: string
  listener: Listener
  underWay: number
}

/** Delivers events to the listeners in this process. A listener that throws is reported to `failed`, and the others hear the event. */
export function bus({ source, now, failed }: BusOptions) {
  const subscriptions = new Set<Subscription>()

  /**
   * Creates an event with the current time and delivers it to every listener of its type. Throws a RangeError
   * for an invalid event.
   */
  function publish<Data extends object>(type: string, subject: string, data: Data): CloudEvent<Data> {
    const event: CloudEvent<Data> = Object.freeze({
      specversion: '1.0',
      id: randomUUID(),
      source: source(),
      type,
      subject,
      time: new Date(now()).toISOString(),
      datacontenttype: 'application/json',
      data: Object.freeze(data),
    })
    expectCloudEvent(event)
    for (const each of subscriptions) if (each.type === type) void deliver(each, event)
    return event
  }

  async function deliver(subscription: Subscription, event: CloudEvent): Promise<void> {
    if (subscription.underWay >= mostUnderWay) {
      failed(
        new Error(`a listener has ${mostUnderWay} events to finish: ${event.type} ${event.id} passes it by`),
      )
      return
    }
    subscription.underWay++
    try {
      // Delivered after the publisher's turn: a listener does not delay the publisher.
      await null
      if (subscriptions.has(subscription)) await subscription.listener(event)
    } catch (error) {
      failed(error)
    } finally {
      subscription.underWay--
    }
  }

  /** Adds a listener for one type, until the returned function is called. */
  function subscribe(type: string, listener: Listener): () => void {
    if (subscriptions.size >= mostListeners) throw new RangeError(`more than ${mostListeners} listeners`)
    const subscription: Subscription = { type, listener, underWay: 0 }
    subscriptions.add(subscription)
    return () => {
      subscriptions.delete(subscription)
    }
  }

  return { publish, subscribe }
}
