import { textOf } from '../../reservation/value-schema.ts'
import type { JsonSchema } from '../../resource/fields.ts'

/**
 * A message of either side: a CloudEvent 1.0 in structured JSON. `sequence` and `previous` stand on what the PMS tells by
 * itself: the cursor after this message, and the one before it.
 */
export interface Message<Data extends object = object> {
  readonly specversion: '1.0'
  /** The same id from the same source is the same message. */
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

/** A place in what the PMS has told: any text, which the house keeps and gives back as it is. */
export const cursorSchema: JsonSchema = {
  ...textOf(1, 1_000),
  title: 'A place in the changes of the PMS: opaque to the house, compared for being equal and nothing else.',
}

/** Of everything but `data`. Attributes that it does not name are allowed and ignored, as CloudEvents wants it. */
export const envelopeSchema: JsonSchema = {
  type: 'object',
  properties: {
    specversion: { const: '1.0' },
    id: { ...textOf(1, 255), title: 'Unique within the source: the same id is the same message.' },
    source: { ...textOf(1, 500), title: 'Who says it, as a URI: `urn:property:{id}` for a house.' },
    type: {
      ...textOf(1, 100),
      pattern: '^[a-z][a-z0-9-]*(\\.[a-z][a-z0-9-]*)+$',
      $comment: 'lower-case words with dots between them',
    },
    subject: { ...textOf(1, 500), title: 'What it is about, such as `reservations/R-4711`.' },
    time: { type: 'string', format: 'date-time' },
    datacontenttype: { enum: ['application/json'] },
    dataschema: textOf(1, 500),
    sequence: cursorSchema,
    previous: {
      ...cursorSchema,
      type: ['string', 'null'],
      title: 'The `sequence` of the message before this one; null when there was none.',
    },
    data: { type: 'object' },
  },
  required: ['specversion', 'id', 'source', 'type', 'data'],
}
