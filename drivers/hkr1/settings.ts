import { withDefaults } from '../../src/devices/driving/with-defaults.ts'

/** How one site uses the format. */
export interface Hkr1Settings {
  site: number
  /** The key that signs new records; records signed with the other keys are still accepted. */
  keyId: number
  keys: ReadonlyMap<number, Uint8Array>
  /** The secret from which the keys of MIFARE Classic and DESFire cards and the passwords of NTAG cards are derived. */
  master: Uint8Array
  sector: number
  /** The number of the application on DESFire cards, 1 to FFFFFF. */
  application: number
  /** Whether a new DESFire receives a master key of its own. */
  ownCardKey: boolean
  /** Whether NTAG cards receive a password against overwriting. */
  pagePassword: boolean
  /** The bit, 0 to 31, of each common door. */
  commonDoors: ReadonlyMap<string, number>
}

type Connection = Pick<Hkr1Settings, 'keyId' | 'sector' | 'ownCardKey' | 'pagePassword'> & {
  siteId: number
  application: string
  commonDoors: Record<string, number>
}

/** JSON Schema of a provider's `connection`. */
export const connectionSchema = {
  type: 'object',
  examples: [{ siteId: 1, commonDoors: { Entrance: 0, Pool: 1 } }],
  additionalProperties: false,
  required: ['siteId'],
  properties: {
    siteId: { type: 'integer', minimum: 0, maximum: 65535, description: 'The number of this property' },
    keyId: {
      type: 'integer',
      minimum: 0,
      maximum: 255,
      default: 1,
      description: 'The number of the key that signs new cards',
    },
    sector: {
      type: 'integer',
      minimum: 1,
      maximum: 15,
      default: 1,
      description: 'The sector of MIFARE Classic cards that is used',
    },
    application: {
      type: 'string',
      pattern: '^(?!000000)[0-9A-Fa-f]{6}$',
      // "HK1"
      default: '484B31',
      description: 'The number of the application on DESFire cards that is used, in hex',
    },
    ownCardKey: {
      type: 'boolean',
      default: false,
      description:
        'Whether a new DESFire card receives its own master key, so that no one else can format it',
    },
    pagePassword: {
      type: 'boolean',
      default: false,
      description: 'Whether NTAG cards get a password that keeps others from overwriting them',
    },
    commonDoors: {
      type: 'object',
      default: {},
      maxProperties: 32,
      propertyNames: { minLength: 1 },
      additionalProperties: { type: 'integer', minimum: 0, maximum: 31 },
      description: 'Common doors and zones: for each name the bit that the door checks',
    },
  },
}

const secret = { type: 'string', pattern: '^[0-9A-Fa-f]{64}$', writeOnly: true }

/** JSON Schema of a provider's `credentials`. */
export const credentialsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['keys', 'master'],
  properties: {
    keys: {
      type: 'object',
      minProperties: 1,
      additionalProperties: false,
      patternProperties: { '^([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])$': secret },
      description: 'The signing keys by number, each 32 bytes in hex',
    },
    master: { ...secret, description: 'The secret from which card keys are derived: 32 bytes in hex' },
  },
}

/** The settings in a validated connection and validated credentials. */
export function settingsOf(connection: object, credentials: object): Hkr1Settings {
  const entered = withDefaults<Connection>(connectionSchema, connection)
  const { siteId, application, commonDoors, ...others } = entered
  const { keys, master } = credentials as { keys: Record<string, string>; master: string }
  return {
    ...others,
    site: siteId,
    keys: new Map(Object.entries(keys).map(([id, key]) => [Number(id), Uint8Array.fromHex(key)])),
    master: Uint8Array.fromHex(master),
    application: Number.parseInt(application, 16),
    commonDoors: new Map(Object.entries(commonDoors)),
  }
}
