import { withDefaults } from '../../src/devices/driving/with-defaults.ts'
import { type CodePageName, codePages } from './code-page.ts'
import type { Framing } from './framing.ts'

/** How the line to the other side is set up. */
export interface LineSettings {
  direction: 'listen' | 'connect'
  path: string | null
  host: string
  port: number
  peers: readonly string[]
  framing: Framing
  baudRate: number
  codePage: CodePageName
  patience: number
}

const lineProperties = {
  direction: {
    enum: ['listen', 'connect'],
    default: 'listen',
    description:
      '`listen`: the other side connects to the appliance. `connect`: the appliance connects to it. A serial line needs `connect`.',
  },
  host: {
    type: 'string',
    format: 'ip-address',
    default: '127.0.0.1',
    description: 'The local address to listen at.',
  },
  peers: {
    type: 'array',
    minItems: 1,
    maxItems: 64,
    uniqueItems: true,
    items: { type: 'string', format: 'network' },
    description:
      'Who may connect: addresses (192.168.1.20) and networks (192.168.1.16/28). Required with `listen`: without any, no connection is accepted, also none from this machine.',
  },
  port: { type: 'integer', minimum: 1, maximum: 65_535, description: 'The local port to listen at.' },
  path: {
    type: 'string',
    minLength: 1,
    description: 'What to connect to: tcp://host:port, or the path of a serial line.',
  },
  framing: {
    enum: ['tcp', 'serial', 'serial-lrc'],
    description:
      'How records are framed: bare (`tcp`), with ACK and NAK (`serial`), or with a check byte too (`serial-lrc`). Default: bare for tcp://, with a check byte for a serial line. Set it for a serial device server.',
  },
  baudRate: { enum: [1_200, 2_400, 4_800, 9_600, 19_200, 38_400], default: 9_600 },
  codePage: { enum: codePages, default: 'windows-1252' },
  patience: {
    type: 'number',
    minimum: 0.01,
    maximum: 10,
    default: 1,
    description: 'Multiplies every deadline of the line.',
  },
}

const options = {
  type: 'object',
  default: {},
  maxProperties: 20,
  propertyNames: { minLength: 1 },
  additionalProperties: { type: 'integer', minimum: 1, maximum: 20 },
  description: 'Authorizations: for each name its position among the key options of the key system.',
}

/** Nothing on such a line authenticates the other end, so its address is the only check. Every program of this machine reaches its loopback addresses. */
const named = {
  required: ['peers'],
  $comment: 'where the other side connects: name the addresses that may connect',
}

const placed = {
  if: { properties: { direction: { const: 'connect' } }, required: ['direction'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ['path'] },
  else: { required: ['port'], allOf: [named] },
}

/** JSON Schema of a provider's `connection`: the appliance acts as the PMS, and sends requests to a key system. */
export const connectionSchema = {
  type: 'object',
  examples: [{ direction: 'listen', port: 5010, peers: ['127.0.0.1'], options: { Pool: 1 } }],
  additionalProperties: false,
  properties: {
    ...lineProperties,
    workstation: {
      type: 'string',
      minLength: 1,
      maxLength: 16,
      pattern: '^[\\x20-\\x7b\\x7d\\x7e]+$',
      default: '1',
      description: 'The workstation that requests to the key system name.',
    },
    onlineLocks: {
      type: 'boolean',
      default: false,
      description:
        'Whether the locks are connected to the key system, so that a cancelled key opens nothing from that moment on.',
    },
    options,
  },
  ...placed,
}

/** JSON Schema of a key service's `connection`: the appliance acts as the key system for a foreign PMS. */
export const serviceSchema = {
  type: 'object',
  examples: [{ direction: 'connect', path: 'tcp://192.0.2.20:5010' }],
  additionalProperties: false,
  properties: { ...lineProperties, options },
  ...placed,
}

type Entered = Omit<LineSettings, 'path' | 'port' | 'peers' | 'framing'> & Partial<LineSettings>

/** The line settings in a validated connection. */
export function lineSettings(connection: Record<string, unknown>): LineSettings {
  const entered = withDefaults<Entered>({ properties: lineProperties }, connection)
  const { direction, path = null } = entered
  const isSerial = direction === 'connect' && path?.startsWith('/') === true
  return { path, port: 0, peers: [], framing: isSerial ? 'serial-lrc' : 'tcp', ...entered }
}

/** The settings of a validated connection that concern requests for keys. */
export function requestSettings(connection: Record<string, unknown>): {
  workstation: string
  options: ReadonlyMap<string, number>
} {
  const entered = withDefaults<{ workstation: string; options: Record<string, number> }>(
    connectionSchema,
    connection,
  )
  return { workstation: entered.workstation, options: new Map(Object.entries(entered.options)) }
}
