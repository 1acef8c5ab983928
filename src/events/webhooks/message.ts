import { randomUUID } from 'node:crypto'
import { grants } from '../../auth/scopes.ts'
import type { Serializing } from '../../jsonapi/serializer.ts'
import { Problem } from '../../resource/problem.ts'
import type { CloudEvent } from '../cloud-event.ts'
import type { FeedEvent } from '../feed.ts'
import { dataSchema, type Published } from '../journal-event.ts'
import type { Webhook } from '../resources/webhook.ts'
import { type PhoneFacts, type Post, phoneMessage } from './phone-message.ts'

/** Returns what is posted of an event, in the format of the webhook. */
export function postOf(
  feedEvent: FeedEvent,
  row: Webhook,
  { serializing, facts, now }: { serializing: Serializing; facts: PhoneFacts; now: number },
): Post {
  const { reader } = serializing
  if (row.format === 'message') return phoneMessage(feedEvent, row, { facts, reader, now })
  return { body: messageOf(feedEvent, row, serializing), headers: {} }
}

/**
 * Returns the body of a delivery: the event. With `full`, it also contains the current document of the
 * event's resource, as far as the webhook's scopes allow.
 */
function messageOf(
  { event, kind }: FeedEvent,
  { payload, hears }: Webhook,
  serializing: Serializing,
): string {
  const may = (scope: string) => grants(hears ?? [], scope)
  if (payload !== 'full' || !may('events.pii')) return JSON.stringify(event)
  const { resource } = kind
  const { id } = event.data
  const isShown = resource !== null && id !== null && may(kind.scope)
  const document = isShown ? documentOf(serializing, resource, id, may) : null
  return JSON.stringify({ ...event, data: { ...event.data, document } })
}

function documentOf(
  { reader, serializer }: Serializing,
  resource: NonNullable<FeedEvent['kind']['resource']>,
  id: string,
  may: (scope: string) => boolean,
): unknown {
  try {
    const { text } = reader.document(resource, id, serializer.shape(resource, undefined, { may }))
    return JSON.parse(text, withoutPins)
  } catch (error) {
    // The resource was deleted meanwhile.
    if (error instanceof Problem && error.code === 'not-found') return null
    throw error
  }
}

/** Removes PINs completely, including their last digits. */
function withoutPins(name: string, value: unknown): unknown {
  return /^pin$|Pin$/.test(name) ? undefined : value
}

/** Returns the event for testing a receiver. It is not in the journal and has no sequence. */
export function checkEvent(source: string, webhookId: string | null, now: number): CloudEvent<Published> {
  const self = webhookId === null ? null : `/api/config/v1/webhooks/${webhookId}`
  return {
    specversion: '1.0',
    id: randomUUID(),
    source,
    type: 'webhook.tested',
    subject: webhookId === null ? 'webhooks' : `webhooks/${webhookId}`,
    time: new Date(now).toISOString(),
    datacontenttype: 'application/json',
    dataschema: dataSchema,
    data: {
      id: webhookId,
      type: 'webhook',
      revision: null,
      changed: [],
      by: { id: 'webhooks', name: null },
      links: { self },
    },
  }
}
