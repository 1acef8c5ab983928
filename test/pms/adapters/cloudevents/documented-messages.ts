import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { asyncApi } from '../../../../src/pms/adapters/cloudevents/asyncapi.ts'

type Values = Record<string, unknown>

export interface AsyncApiMessage {
  name: string
  payload: Values
  headers?: Values
  correlationId?: unknown
  examples?: { payload: unknown }[]
}

export interface AsyncApiChannel {
  address: string
  parameters: Values
  messages: Record<string, { $ref: string }>
}

export interface AsyncApiOperation {
  action: 'send' | 'receive'
  channel: { $ref: string }
  messages?: { $ref: string }[]
  reply?: { channel: { $ref: string }; messages: { $ref: string }[] }
}

export interface AsyncApiDocument {
  asyncapi: string
  channels: Record<string, AsyncApiChannel>
  operations: Record<string, AsyncApiOperation>
  components: { messages: Record<string, AsyncApiMessage> }
}

/** What went over a broker. */
export interface Sent {
  topic: string
  payload: string
  correlationData?: Buffer | undefined
  responseTopic?: string | undefined
  messageExpiryInterval?: number | undefined
}

/** As it is served: without what JSON cannot say. */
export const document = JSON.parse(JSON.stringify(asyncApi('0.0.0'))) as AsyncApiDocument

const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false, strictRequired: false })
formats.default(ajv, ['date', 'date-time', 'uuid', 'email'])

const checks = Object.fromEntries(
  Object.entries(document.components.messages).map(([name, { payload, headers = {} }]) => [
    name,
    { payload: ajv.compile(payload), headers: ajv.compile(headers) },
  ]),
)

/** The channel that a topic is of; null for none. */
export function channelOf(topic: string): { name: string; channel: AsyncApiChannel } | null {
  for (const [name, channel] of Object.entries(document.channels)) {
    const steps = channel.address
      .split('/')
      .map((step) => (step.startsWith('{') ? '[^/]+' : RegExp.escape(step)))
    if (new RegExp(`^${steps.join('/')}$`).test(topic)) return { name, channel }
  }
  return null
}

/** The name of the documented message that this is; throws what keeps it from being any of its channel. */
export function documentedAs({ topic, payload, ...headers }: Sent): string {
  const found = channelOf(topic)
  if (!found) throw new Error(`no channel has the topic ${topic}`)
  const message = JSON.parse(payload) as Values
  const shown = { ...headers, correlationData: headers.correlationData?.toString('hex') }
  const plain = JSON.parse(JSON.stringify(shown))
  const wrong: string[] = []
  for (const name of Object.keys(found.channel.messages)) {
    const check = checks[name]
    if (check?.payload(message) && check.headers(plain)) return name
    wrong.push(`${name}: ${ajv.errorsText(check?.payload.errors ?? check?.headers.errors)}`)
  }
  throw new Error(`${topic}: ${payload.slice(0, 500)}\n${wrong.join('\n')}`)
}
