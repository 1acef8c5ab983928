import { textOf } from '../../../../reservation/values/value-schema.ts'
import type { JsonSchema } from '../../../../resource/field.ts'

/**
 * A message of either side: a CloudEvent 1.0 in structured JSON. An unsolicited message of the PMS carries `sequence`
 * and `previous`: the cursor after this message, and the cursor before it.
 */
export interface Message<Data extends object = object> {
  readonly specversion: '1.0'
  /** Two messages with the same id and source are the same message. */
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject?: string
  /** UTC. */
  readonly time?: string
  readonly datacontenttype?: string
  readonly sequence?: string
  readonly previous?: string | null
  readonly data: Data
}

/** Bytes of one message as JSON. */
export const largestMessage = 256 * 1024
/** Bytes of one page, reply or batch as JSON. */
export const largestPage = 8 * 1024 * 1024

/** A cursor of the PMS: any text, which the appliance stores and returns unchanged. */
export const cursorSchema: JsonSchema = {
  ...textOf(1, 1_000),
  title:
    'A position in the changes of the PMS. It is opaque to the property, which only compares it for equality.',
}

/** The schema of all members except `data`. Unknown attributes are allowed and ignored, as CloudEvents requires. */
export const envelopeSchema: JsonSchema = {
  type: 'object',
  properties: {
    specversion: { const: '1.0' },
    id: { ...textOf(1, 255), title: 'Unique within the source: the same id is the same message.' },
    source: { ...textOf(1, 500), title: 'The sender as a URI; `urn:property:{id}` for a property.' },
    type: {
      ...textOf(1, 100),
      pattern: '^[a-z][a-z0-9-]*(\\.[a-z][a-z0-9-]*)+$',
      $comment: 'lower-case words with dots between them',
    },
    subject: { ...textOf(1, 500), title: 'The subject of the message, such as `reservations/R-4711`.' },
    time: { type: 'string', format: 'date-time' },
    datacontenttype: { enum: ['application/json'] },
    dataschema: textOf(1, 500),
    sequence: cursorSchema,
    previous: {
      ...cursorSchema,
      type: ['string', 'null'],
      title: 'The `sequence` of the previous message; null for the first.',
    },
    data: { type: 'object' },
  },
  required: ['specversion', 'id', 'source', 'type', 'data'],
}

/** The schema of a whole message of this type with these data. */
export function payloadOf(type: string, data: JsonSchema): JsonSchema {
  const { properties, ...others } = envelopeSchema as { properties: Record<string, JsonSchema> }
  return { ...others, properties: { ...properties, type: { const: type }, data } }
}

/** An epoch of the boxes of one property. */
export const epochSchema: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description:
    'The highest epoch of the property that the PMS has received, in `system.restored` or in the state. An appliance with a lower one was replaced, and stops making keys.',
}
