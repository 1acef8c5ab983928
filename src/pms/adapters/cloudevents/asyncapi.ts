import { cloudEventSchema } from '../../../events/event-schema.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { payloadOf } from './messages/envelope.ts'
import { type MessageKind, type MessageType, messages, type RequestType } from './messages/messages.ts'
import { houseStateSchema, houseStateType } from './mqtt/state.ts'
import { type Channel, type ChannelName, channels, defaultPrefix, kindOf } from './mqtt/topics.ts'

/** The AsyncAPI 3 document of all messages between an appliance and its PMS over a broker, from the appliance's side. */
export function asyncApi(version: string): JsonSchema {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'nightporter over MQTT',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: contentType,
    servers: { broker },
    channels: mapped(channels, channelOf),
    operations: operations(),
    components: { messages: componentMessages(), securitySchemes },
  }
}

const contentType = 'application/cloudevents+json'
const bindingVersion = '0.2.0'

const introduction = `A house and its property management system exchange reservations over any broker of MQTT 5. Every message is a
CloudEvent 1.0 in structured JSON, sent with QoS 1. All topics of a house stand below one prefix, \`${defaultPrefix}\` unless its
configuration says otherwise.

Workers of a PMS share the requests with \`$share/pms/nightporter/v1/+/requests/#\`. A reply goes to the Response Topic of its
request with its Correlation Data. Messages may arrive more than once and in any order: each message contains the complete reservation with its revision,
offers have ids and are executed once, and changes can be requested after a cursor.`

const securitySchemes = {
  password: { type: 'userPassword', description: 'The user name and password of the box.' },
  certificate: { type: 'X509', description: 'The certificate of the box.' },
}

const broker = {
  host: 'broker.example:8883',
  protocol: 'secure-mqtt',
  protocolVersion: '5',
  description: 'The broker of the hotel, of its chain or of its PMS.',
  security: Object.keys(securitySchemes).map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
  bindings: {
    mqtt: {
      clientId: 'nightporter-{propertyId}-{configurationId}',
      cleanSession: false,
      sessionExpiryInterval: 604_800,
      lastWill: { topic: `${defaultPrefix}/${channels.state.address}`, qos: 1, retain: true },
      bindingVersion,
    },
  },
}

/** The types of the messages at each kind of topic. */
const typesAt: Record<ChannelName, readonly string[]> = {
  state: [houseStateType],
  events: ['house.event'],
  requests: named(({ is }) => is === 'request'),
  replies: named(({ is }) => is === 'reply'),
  changes: named(({ is }) => is === 'notification'),
}

function named(which: (kind: MessageKind) => boolean): string[] {
  return Object.entries(messages as Record<string, MessageKind>).flatMap(([type, kind]) =>
    which(kind) ? [type] : [],
  )
}

function channelOf({ address, title, description, parameters }: Channel, name: ChannelName): JsonSchema {
  const all = { propertyId: 'The id of the property.', ...parameters }
  return {
    address: `${defaultPrefix}/${address}`,
    title,
    description,
    servers: [{ $ref: '#/servers/broker' }],
    parameters: mapped(all, (text) => ({ description: text })),
    messages: Object.fromEntries(
      typesAt[name].map((type) => [type, { $ref: `#/components/messages/${type}` }]),
    ),
  }
}

/** The operations of the appliance: it publishes its state and its events, sends requests, and receives changes. */
function operations(): Record<string, JsonSchema> {
  const requests = typesAt.requests as readonly RequestType[]
  return {
    tellState: operation('state', 'send', 'Publishes whether the property is online.'),
    tellEvents: operation('events', 'send', 'Publishes events of the property.'),
    ...Object.fromEntries(requests.map((type) => [`ask-${kindOf(type)}`, requestOperation(type)])),
    hearChanges: operation('changes', 'receive', 'Receives changes from the PMS.'),
  }
}

function operation(name: ChannelName, action: 'send' | 'receive', summary: string): JsonSchema {
  const { retained, expirySeconds } = channels[name]
  return {
    action,
    channel: { $ref: `#/channels/${name}` },
    summary,
    bindings: {
      mqtt: {
        qos: 1,
        retain: retained,
        ...(typeof expirySeconds === 'number' && { messageExpiryInterval: expirySeconds }),
        bindingVersion,
      },
    },
  }
}

function requestOperation(type: RequestType): JsonSchema {
  const { summary, reply } = messages[type]
  const replies: MessageType[] = [reply, 'pms.request.failed']
  return {
    ...operation('requests', 'send', summary),
    messages: [{ $ref: `#/channels/requests/messages/${type}` }],
    reply: {
      address: {
        location: '$message.header#/responseTopic',
        description: 'Always below `replies/` of the same property. A PMS replies only there.',
      },
      channel: { $ref: '#/channels/replies' },
      messages: replies.map((each) => ({ $ref: `#/channels/replies/messages/${each}` })),
    },
  }
}

function componentMessages(): Record<string, JsonSchema> {
  return {
    [houseStateType]: {
      ...messageOf(
        houseStateType,
        'Whether the property is online.',
        payloadOf(houseStateType, houseStateSchema),
      ),
    },
    'house.event': messageOf(
      'house.event',
      'One event of the property, as in `/api/v2/events`, with one of the types there.',
      cloudEventSchema,
    ),
    ...mapped(messages as Record<string, MessageKind>, (kind, type) => ({
      ...messageOf(type, kind.summary, payloadOf(type, kind.data)),
      ...(kind.is !== 'notification' && {
        correlationId: {
          location: '$message.header#/correlationData',
          description: 'The Correlation Data of the request: any bytes, which the reply returns unchanged.',
        },
        headers: headersOf(kind),
      }),
      examples: [{ name: type, payload: kind.example }],
    })),
  }
}

function messageOf(name: string, summary: string, payload: JsonSchema): JsonSchema {
  return {
    name,
    summary,
    contentType,
    payload,
    bindings: { mqtt: { payloadFormatIndicator: 1, contentType, bindingVersion } },
  }
}

/** The MQTT 5 properties of a message that belong to the contract. */
function headersOf({ is }: MessageKind): JsonSchema {
  const correlationData = { type: 'string', description: 'Bytes; 16 of them in a request of the property.' }
  if (is === 'reply')
    return { type: 'object', properties: { correlationData }, required: ['correlationData'] }
  const properties = {
    correlationData,
    responseTopic: { type: 'string', description: 'The topic for the reply.' },
    messageExpiryInterval: {
      type: 'integer',
      minimum: 1,
      description: 'How long the reply is awaited, in seconds.',
    },
  }
  return { type: 'object', properties, required: Object.keys(properties) }
}

function mapped<Name extends string, From, To>(
  record: Readonly<Record<Name, From>>,
  change: (value: From, name: Name) => To,
): Record<Name, To> {
  const entries = Object.entries(record) as [Name, From][]
  return Object.fromEntries(entries.map(([name, value]) => [name, change(value, name)])) as Record<Name, To>
}
