import { randomUUID } from 'node:crypto'
import { type CloudEvent, expectCloudEvent } from './cloud-event.ts'

type Listener = (event: CloudEvent) => void | Promise<void>

/** Tells whoever listens, within the process and at once; it keeps nothing. What must not be lost stands in the journal. */
export interface Bus {
  /** Makes an event of now and tells every listener of its type. Throws a RangeError for what is no event. */
  publish<Data extends object>(type: string, subject: string, data: Data): CloudEvent<Data>
  /** Listens to one type until the returned function is called. */
  subscribe(type: string, listener: Listener): () => void
}

export interface BusOptions {
  /** Of all its events: `urn:property:` and the property's id. */
  source: () => string
  now: () => number
  /** Told of a listener that fails or falls behind; the others never notice. */
  failed(error: unknown): void
}

/** More is a listener that nobody takes away again. */
const mostListeners = 500
/** Events of one listener that are under way; one more is not delivered to it. */
const mostUnderWay = 100

interface Subscription {
  type: string
  listener: Listener
  underWay: number
}

export function bus({ source, now, failed }: BusOptions): Bus {
  const subscriptions = new Set<Subscription>()

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
      // After the publisher is done: nobody's listening makes him wait, and nobody is told twice in one breath.
      await null
      if (subscriptions.has(subscription)) await subscription.listener(event)
    } catch (error) {
      failed(error)
    } finally {
      subscription.underWay--
    }
  }

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
