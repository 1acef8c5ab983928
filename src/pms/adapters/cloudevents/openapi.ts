import { cloudEventSchema } from '../../../events/event-schema.ts'
import { textOf } from '../../../reservation/values/value-schema.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { type ExtensionMethod, extensionMethods } from '../../contract.ts'
import { payloadOf } from './messages/envelope.ts'
import { type MessageKind, type MessageType, messages, type RequestType } from './messages/messages.ts'

/**
 * The OpenAPI 3.1 document of what a PMS serves to an appliance over HTTP, for generating a server or a client. `webhooks`
 * has what the PMS may post to the callback of the appliance.
 */
export function pmsOpenApi(version: string): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'nightporter over HTTP: what a PMS serves',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: 'https://pms.example/property-4711', description: '`connection.baseUrl` of the box.' }],
    security: [{ token: [] }, { clientCredentials: [] }, { clientCertificate: [] }],
    paths,
    webhooks: { change: { post: callback } },
    components: { schemas: schemas(), responses: failures, securitySchemes },
  }
}

const json = 'application/json'

const introduction = `A property (the appliance in the hotel) asks its property management system (PMS) for changes, and offers what was
changed in the property. The property connects to the PMS; the PMS never has to connect to it. Requests may be repeated: each POST has an
\`Idempotency-Key\`, and offers have ids and are executed once. Redirects are not followed. An answer has at most 8 MiB.`

const securitySchemes = {
  token: { type: 'http', scheme: 'bearer', description: '`credentials.token` of the configuration.' },
  clientCredentials: {
    type: 'oauth2',
    description: '`credentials.clientId` and `clientSecret`, sent to `connection.tokenUrl` as HTTP Basic.',
    flows: { clientCredentials: { tokenUrl: 'https://pms.example/token', scopes: {} } },
  },
  clientCertificate: { type: 'mutualTLS', description: '`credentials.clientCertificate` and `clientKey`.' },
}

const failure: JsonSchema = {
  type: 'object',
  properties: {
    detail: { ...textOf(1, 500), description: 'A sentence for the front desk.' },
    reason: { ...textOf(1, 500), description: 'Used if there is no `detail`.' },
    title: { ...textOf(1, 500), description: 'Used if there is neither.' },
  },
}
const retryAfter = {
  'Retry-After': { description: 'Seconds or a date, at most an hour ahead.', schema: { type: 'string' } },
}

function failing(description: string, headers?: JsonSchema): JsonSchema {
  return { description, ...(headers && { headers }), content: { [json]: { schema: failure } } }
}

const failures: Record<string, JsonSchema> = {
  Unauthorized: failing('The token is not valid. The property fetches another one once, where it can.'),
  CursorGone: failing('The cursor is no longer known. The property then requests all that is not over.'),
  TooLarge: failing('The batch is too large. The property offers fewer at once.'),
  Busy: failing('The PMS cannot answer now. The property repeats the request later.', retryAfter),
  Failed: failing('Any other status is a fault. The property repeats the request later.'),
}

const referredTo = (kind: 'schemas' | 'responses', name: string) => ({ $ref: `#/components/${kind}/${name}` })
const commonFailures = {
  401: referredTo('responses', 'Unauthorized'),
  429: referredTo('responses', 'Busy'),
  503: referredTo('responses', 'Busy'),
  default: referredTo('responses', 'Failed'),
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'Equal for repetitions of the same request.',
  schema: textOf(1, 128),
}

/** The body of a request or an answer, with the example of its message. */
function content(type: MessageType): JsonSchema {
  const { data } = messages[type].example
  const { requestId: _, ...shown } = data as Record<string, unknown>
  return { [json]: { schema: referredTo('schemas', type), example: shown } }
}

function answer(type: MessageType, headers?: JsonSchema): JsonSchema {
  return { description: messages[type].summary, ...(headers && { headers }), content: content(type) }
}

/** An operation that has the same form as the request over a broker, with a body. */
function posted(id: string, type: RequestType, more: JsonSchema = {}): JsonSchema {
  return {
    operationId: id,
    summary: messages[type].summary,
    parameters: [idempotencyKey],
    requestBody: { required: true, content: content(type) },
    responses: { 200: answer(messages[type].reply), ...more, ...commonFailures },
  }
}

/** The members of a request as parameters of its query. */
function queryOf(type: RequestType): JsonSchema[] {
  const { properties = {}, required = [] } = messages[type].data as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).flatMap(([name, schema]) =>
    name === 'requestId' ? [] : [{ name, in: 'query', required: required.includes(name), schema }],
  )
}

const etag = { ETag: { description: 'Of a page without changes.', schema: { type: 'string' } } }

const registration =
  'With the name `webhooks`, `callbackUrl` is where the PMS may post its changes, signed with `secret`; DELETE ends that.'

function extension(method: ExtensionMethod): JsonSchema {
  const payload = { content: { [json]: { schema: { description: 'Any JSON.' } } } }
  return {
    operationId: `${method.toLowerCase()}Extension`,
    summary: messages['pms.extension.invoked'].summary,
    ...(method !== 'GET' && { description: registration }),
    parameters: method === 'POST' ? [idempotencyKey] : [],
    ...(method !== 'GET' && { requestBody: payload }),
    responses: {
      200: { description: 'The answer, which the property passes on unchanged.', ...payload },
      204: { description: 'Done, without an answer.' },
      400: failing('Refused.'),
      404: failing('There is no such extension; 405 and 501 mean the same.'),
      422: failing('Refused.'),
      ...commonFailures,
    },
  }
}

const paths: Record<string, JsonSchema> = {
  '/changes': {
    get: {
      operationId: 'requestChanges',
      summary: messages['pms.changes.requested'].summary,
      parameters: [
        ...queryOf('pms.changes.requested'),
        {
          name: 'If-None-Match',
          in: 'header',
          description: 'The `ETag` of the last page, if it was empty.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: answer('pms.changes.replied', etag),
        304: { description: 'Nothing has changed since the last page.' },
        410: referredTo('responses', 'CursorGone'),
        ...commonFailures,
      },
    },
  },
  '/offers': {
    post: posted('offerReservations', 'pms.reservations.offered', {
      413: referredTo('responses', 'TooLarge'),
    }),
  },
  '/capabilities': {
    get: {
      operationId: 'requestCapabilities',
      summary: messages['pms.capabilities.requested'].summary,
      parameters: queryOf('pms.capabilities.requested'),
      responses: { 200: answer('pms.capabilities.replied'), ...commonFailures },
    },
  },
  '/unit-assignments': { post: posted('requestUnitAssignment', 'pms.unit-assignment.requested') },
  '/events': {
    post: {
      operationId: 'receiveEvents',
      summary:
        'Events of the property, oldest first. Until 2xx confirms all of them, the same are sent again.',
      parameters: [idempotencyKey],
      requestBody: {
        required: true,
        content: {
          'application/cloudevents-batch+json': { schema: { type: 'array', items: cloudEventSchema } },
        },
      },
      responses: { 204: { description: 'Received.' }, ...commonFailures },
    },
  },
  '/extensions/{name}': {
    parameters: [
      {
        name: 'name',
        in: 'path',
        required: true,
        schema: (messages['pms.extension.invoked'].data.properties as Record<string, JsonSchema>).name,
      },
    ],
    ...Object.fromEntries(extensionMethods.map((method) => [method.toLowerCase(), extension(method)])),
  },
}

const callback: JsonSchema = {
  operationId: 'postChange',
  summary:
    'Optional: a change at once, to the `callbackUrl` that the extension `webhooks` has received, signed by Standard Webhooks with its `secret`.',
  security: [],
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  })),
  requestBody: {
    required: true,
    content: {
      'application/cloudevents+json': { schema: referredTo('schemas', 'change') },
      'application/cloudevents-batch+json': {
        schema: { type: 'array', items: referredTo('schemas', 'change'), minItems: 1, maxItems: 100 },
      },
    },
  },
  responses: {
    204: { description: 'Received.' },
    401: { description: 'The signature or the time is wrong.' },
  },
}

/** The data of each message that goes over HTTP, by its type, and a change: any notification. */
function schemas(): Record<string, JsonSchema> {
  const all = Object.entries(messages as Record<string, MessageKind>)
  const notifications = all.filter(([, { is }]) => is === 'notification')
  const exchanged: MessageType[] = [
    'pms.changes.replied',
    'pms.reservations.offered',
    'pms.offers.answered',
    'pms.capabilities.replied',
    'pms.unit-assignment.requested',
    'pms.unit-assignment.replied',
  ]
  return {
    ...Object.fromEntries(exchanged.map((type) => [type, overHttp(type)])),
    ...Object.fromEntries(notifications.map(([type, { data }]) => [type, payloadOf(type, data)])),
    change: { oneOf: notifications.map(([type]) => referredTo('schemas', type)) },
  }
}

/** The data without the id that relates a reply to its request over a broker. */
function overHttp(type: MessageType): JsonSchema {
  const { data } = messages[type] as MessageKind
  const { properties, required = [] } = data as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  if (!properties) return data
  const { requestId: _, changes, ...others } = properties
  const typed = changes && { changes: { ...changes, items: referredTo('schemas', 'change') } }
  return {
    ...data,
    properties: { ...typed, ...others },
    required: required.filter((name) => name !== 'requestId'),
  }
}
