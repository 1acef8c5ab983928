import { type Description, exactly } from '../jsonapi/description.ts'
import { typePattern } from './event-filter.ts'
import { cloudEventSchema } from './event-schema.ts'

const text = { type: 'string' }
const link = { ...text, format: 'uri-reference' }
const sequence = { ...text, pattern: '^[0-9]{1,20}$' }
const types = {
  schema: { ...text, description: `With commas between them, each like ${typePattern}` },
  notes: 'Types, or all of a family: `stay.checked-in,key.*`.',
}
const subject = { schema: text, notes: 'What it is about: `stays/{id}`.' }

const kept = 'At least those of seven days are kept: `410 events-gone` says that some in between are not.'
const heard =
  'Of each thing hears who may look through such things: of keys who holds `keys.read`. `audit.read` hears of everything.'

export const says = {
  list: {
    id: 'listEvents',
    summary: 'Read what happened, in order',
    notes: `CloudEvents 1.0. ${heard} \`meta.sequence\` is the place to go on from; a page with a \`next\` may be shorter, or empty. Who accepts \`application/cloudevents-batch+json\` alone gets a plain batch, and \`next\` in the header Link. ${kept}`,
    query: {
      'filter[sequence][gt]': {
        schema: sequence,
        notes: 'After this event; from the oldest that is kept unless given.',
      },
      'filter[type]': types,
      'filter[subject]': subject,
      'page[size]': { schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 } },
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
      'invalid-page-size',
      'events-gone',
    ],
  },
  follow: {
    id: 'followEvents',
    summary: 'Hear what happens, as it happens',
    notes: `Server-sent events: \`id\` is the sequence, \`data\` a CloudEvent. Begins after \`Last-Event-ID\`, else after \`after\`, else with what happens from now on. ${heard} A comment comes every 15 s; who takes nothing for a minute is hung up on, and goes on where he was by coming again. ${kept}`,
    query: {
      after: { schema: sequence, notes: 'As Last-Event-ID, for who cannot send it.' },
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
