import { type Description, exactly } from '../jsonapi/description.ts'
import { text } from '../jsonapi/schemas/words.ts'
import { typePattern } from './event-filter.ts'
import { cloudEventSchema } from './event-schema.ts'

const link = { ...text, format: 'uri-reference' }
/** The schema of a sequence number. */
export const sequence = { ...text, pattern: '^[0-9]{1,20}$' }
/** The schema of `filter[type]`. */
export const typesSchema = { ...text, description: `Types, separated by commas. Each matches ${typePattern}` }
/** The schema of `page[size]`. */
export const sizeSchema = { type: 'integer', minimum: 1, maximum: 1000, default: 100 }
const types = {
  schema: typesSchema,
  notes: 'Event types, or whole families of types: `stay.checked-in,key.*`.',
}
const subject = {
  schema: text,
  notes: 'The subjects of the events, with commas between them: `stays/{id},keys/{id}`.',
}

const kept =
  'Events are kept for at least seven days. If events after the requested one were deleted, the answer is 410 `events-gone`.'
const visibility =
  'A token receives the events of the resources that it may list: events of keys need `keys.read`. With `audit.read` it receives all events.'

export const says = {
  list: {
    id: 'listEvents',
    summary: 'List events in order',
    notes: `CloudEvents 1.0. ${visibility} To continue later, send \`meta.sequence\` as \`filter[sequence][gt]\`. A page with \`links.next\` may be shorter than \`page[size]\`, or empty. If \`Accept\` names only \`application/cloudevents-batch+json\`, the answer is a plain batch with \`next\` in the header Link. ${kept}`,
    query: {
      'filter[sequence][gt]': {
        schema: sequence,
        notes: 'Only events after this one. Default: from the oldest stored event.',
      },
      sort: {
        schema: { enum: ['-sequence'] },
        notes: 'The newest events first. Default: the oldest first.',
      },
      'filter[sequence][lt]': {
        schema: sequence,
        notes: 'With `sort=-sequence`: only events before this one. Default: from the newest event.',
      },
      'filter[type]': types,
      'filter[subject]': subject,
      'filter[by]': {
        schema: text,
        notes: 'Who caused it: the id of an account, a token or a station, or a part of the appliance.',
      },
      'filter[date]': {
        schema: { ...text, format: 'date' },
        notes: 'With `sort=-sequence`: only the events of one day of the property.',
      },
      'page[size]': { schema: sizeSchema },
    },
    answers: {
      200: {
        schema: exactly({
          data: {
            type: 'array',
            items: exactly({
              type: { const: 'event' },
              id: text,
              attributes: exactly({ sequence, event: cloudEventSchema }),
            }),
          },
          links: exactly({ self: link, next: link }, ['next']),
          meta: exactly({ sequence }),
        }),
        also: { 'application/cloudevents-batch+json': { type: 'array', items: cloudEventSchema } },
      },
    },
    problems: [
      'unknown-parameter',
      'malformed-request',
      'invalid-filter-value',
      'invalid-sort-field',
      'invalid-page-size',
      'events-gone',
    ],
  },
  follow: {
    id: 'followEvents',
    summary: 'Stream events as they happen',
    notes: `Server-sent events: \`id\` is the sequence, \`data\` a CloudEvent. The stream begins after the event in \`Last-Event-ID\`, otherwise after the one in \`after\`, otherwise with the next event. ${visibility} When nothing happens, an event \`beat\` with the \`time\` is sent every 15 s. The connection of a client that reads nothing for a minute is closed; the client continues by connecting again with \`Last-Event-ID\`. ${kept}`,
    query: {
      after: {
        schema: sequence,
        notes: 'The same as Last-Event-ID, for clients that cannot send this header.',
      },
      'filter[type]': types,
      'filter[subject]': subject,
    },
    answers: { 200: { schema: text, type: 'text/event-stream' } },
    problems: [
      'unknown-parameter',
      'malformed-request',
      'invalid-filter-value',
      'events-gone',
      'busy',
      'starting-up',
    ],
  },
} satisfies Record<string, Description>
