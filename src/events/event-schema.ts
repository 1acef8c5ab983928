import { exactly } from '../jsonapi/description.ts'
import type { JsonSchema } from '../resource/field.ts'
import { dataSchema } from './journal-event.ts'

const text = { type: 'string' }
const orNull = (schema: JsonSchema) => ({ ...schema, type: [schema.type, 'null'] })

/** The schema that `dataschema` names. */
const eventDataSchema: JsonSchema = {
  type: 'object',
  properties: {
    id: orNull({ type: 'string', description: 'Of what it is about.' }),
    type: { ...text, description: 'Of the resource it is about.' },
    revision: orNull({ type: 'integer', description: 'The one it led to, where that is known.' }),
    changed: {
      type: 'array',
      items: text,
      description: 'Names of the fields that changed, where that is known.',
    },
    links: exactly({ self: orNull({ type: 'string', description: 'Where it can be read.' }) }),
    document: {
      type: ['object', 'null'],
      description: 'In webhooks with payload `full`: what it is about, as it is at the delivery.',
    },
  },
  required: ['id', 'type', 'revision', 'changed', 'links'],
  // A few types have further members, such as the unit of stay.unit-assigned.
  additionalProperties: true,
}

/** The schema of a published event: CloudEvents 1.0. */
export const cloudEventSchema: JsonSchema = exactly({
  specversion: { const: '1.0' },
  id: { ...text, format: 'uuid', description: 'The same event has the same id, however often it is told.' },
  source: { ...text, description: '`urn:property:` and the id of the property.' },
  type: { ...text, description: 'What happened: `stay.checked-in`.' },
  subject: { ...text, description: 'What it is about: `stays/{id}`.' },
  time: { ...text, format: 'date-time' },
  datacontenttype: { const: 'application/json' },
  dataschema: { const: dataSchema },
  sequence: {
    ...text,
    pattern: '^[0-9]{20}$',
    description: 'Higher than that of every event before it; numbers may be left out.',
  },
  data: eventDataSchema,
})
