import { exactly } from '../jsonapi/description.ts'
import { text } from '../jsonapi/schemas/words.ts'
import type { JsonSchema } from '../resource/field.ts'
import { dataSchema } from './journal-event.ts'

const orNull = (schema: JsonSchema) => ({ ...schema, type: [schema.type, 'null'] })

/** The schema that `dataschema` names. */
const eventDataSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: orNull({ type: 'string', description: 'The id of the resource.' }),
    type: { ...text, description: 'The type of the resource.' },
    revision: orNull({
      type: 'integer',
      description: 'The revision of the resource after the event; null if it is not known.',
    }),
    changed: {
      type: 'array',
      items: text,
      description: 'The names of the changed fields; empty if they are not known.',
    },
    by: exactly({
      id: {
        ...text,
        description:
          "Who caused the event: the id of an account, a token or a kiosk's station, or a part of the appliance such as `retention`.",
      },
      name: orNull({
        type: 'string',
        description:
          'The name that it has now, or had when it was deleted; null for a part of the appliance.',
      }),
    }),
    links: exactly({ self: orNull({ type: 'string', description: 'The address of the resource.' }) }),
    document: {
      type: ['object', 'null'],
      description: 'Only in webhooks with the payload `full`: the resource at the time of the delivery.',
    },
  },
  required: ['id', 'type', 'revision', 'changed', 'by', 'links'],
  // Some types have further members, such as the unit of stay.unit-assigned.
  additionalProperties: true,
}

/** The schema of a published event: CloudEvents 1.0. */
export const cloudEventSchema: JsonSchema = exactly({
  specversion: { const: '1.0' },
  id: { ...text, format: 'uuid', description: 'Every delivery of an event has the same id.' },
  source: { ...text, description: '`urn:property:` and the id of the property.' },
  type: { ...text, description: 'The type of the event, such as `stay.checked-in`.' },
  subject: { ...text, description: 'The subject of the event: `stays/{id}`.' },
  time: { ...text, format: 'date-time' },
  datacontenttype: { const: 'application/json' },
  dataschema: { const: dataSchema },
  sequence: {
    ...text,
    pattern: '^[0-9]{20}$',
    description: 'Higher than the sequence of every earlier event. Numbers may be skipped.',
  },
  data: eventDataSchema,
})
