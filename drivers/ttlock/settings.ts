import { createHash } from 'node:crypto'
import { withDefaults } from '../../src/devices/driving/with-defaults.ts'

/** The settings of one account at the cloud. */
export interface TtlockSettings {
  /** Without a slash at its end. */
  baseUrl: string
  timeoutMs: number
  settleMs: number
  callsPerMinute: number
  /** The codes of the locks that each gateway serves. */
  gateways: Record<string, readonly string[]>
  clientId: string
  clientSecret: string
  username: string
  /** The MD5 of the password in lower-case hex, which the cloud expects. */
  passwordDigest: string
}

type Connection = Pick<TtlockSettings, 'baseUrl' | 'timeoutMs' | 'settleMs' | 'callsPerMinute' | 'gateways'>
type Credentials = Pick<TtlockSettings, 'clientId' | 'clientSecret' | 'username'> & { password: string }

/**
 * The hosts for which `http:` is permitted: this machine and private addresses. It sends token, PINs and password in clear.
 */
const privateHost = [
  'localhost',
  '127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
  '10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
  '192\\.168\\.\\d{1,3}\\.\\d{1,3}',
  '172\\.(?:1[6-9]|2\\d|3[01])\\.\\d{1,3}\\.\\d{1,3}',
  '\\[::1\\]',
  '\\[f[cd][\\da-f]{2}:[\\da-f:]+\\]',
].join('|')

const lockCode = { type: 'string', pattern: '^[1-9]\\d{0,17}$' }

/** JSON Schema of a provider's `connection`. */
export const connectionSchema = {
  type: 'object',
  examples: [{ gateways: { 'First floor': ['532323', '532324'] } }],
  additionalProperties: false,
  properties: {
    baseUrl: {
      type: 'string',
      default: 'https://euapi.ttlock.com',
      maxLength: 200,
      pattern: `^(?:https://[A-Za-z\\d.-]+|https://\\[[\\da-f:]+\\]|http://(?:${privateHost}))(?::\\d{1,5})?(?:/[\\w./-]*)?$`,
      description: 'The cloud of the account’s region. Without TLS only for an address in the local network',
    },
    timeoutMs: {
      type: 'integer',
      minimum: 50,
      maximum: 120_000,
      default: 30_000,
      description: 'The timeout of one request, including the way through the gateway',
    },
    settleMs: {
      type: 'integer',
      minimum: 0,
      maximum: 60_000,
      default: 8_000,
      description: 'How long a command whose answer was lost may still be on its way to the lock',
    },
    callsPerMinute: {
      type: 'integer',
      minimum: 1,
      maximum: 6_000,
      default: 120,
      description: 'The greatest number of requests in a minute',
    },
    gateways: {
      type: 'object',
      default: {},
      maxProperties: 200,
      propertyNames: { minLength: 1, maxLength: 100 },
      additionalProperties: { type: 'array', maxItems: 1_000, items: lockCode },
      description:
        'The locks of each gateway. A gateway executes one command at a time; locks that are not named share one queue',
    },
  },
}

const word = { type: 'string', minLength: 1, maxLength: 200 }

/** JSON Schema of a provider's `credentials`. */
export const credentialsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['clientId', 'clientSecret', 'username', 'password'],
  properties: {
    clientId: { ...word, description: 'From the application at the Open Platform' },
    clientSecret: { ...word, writeOnly: true, description: 'From the application at the Open Platform' },
    username: { ...word, description: 'The account in the app that administers the locks' },
    password: {
      ...word,
      writeOnly: true,
      description: 'The password of that account, as it is typed into the app',
    },
  },
}

/** The settings in a validated connection and validated credentials. */
export function settingsOf(connection: object, credentials: object): TtlockSettings {
  const { baseUrl, ...entered } = withDefaults<Connection>(connectionSchema, connection)
  const { password, ...account } = withDefaults<Credentials>(credentialsSchema, credentials)
  return {
    ...entered,
    ...account,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    passwordDigest: createHash('md5').update(password).digest('hex'),
  }
}
