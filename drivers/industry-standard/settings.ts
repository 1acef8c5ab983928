import { withDefaults } from '../../src/devices/driving/with-defaults.ts'
import { type DateFormat, dateFormats } from './dates.ts'

/** How the appliance communicates with one lock system. */
export interface IndustryStandardSettings {
  path: string
  baudRate: number
  patience: number
  vendor: string
  dateFormat: DateFormat
  /** The operator's field, with the password after it where there is one. It never appears in a text. */
  operator: string
  password: string | null
  /** The digit, 1 to 8, of each authorization. */
  digits: ReadonlyMap<string, number>
  /** Whether a key is denied every authorization that it is not granted, regardless of the room's defaults. */
  deniesOthers: boolean
}

type Connection = Pick<
  IndustryStandardSettings,
  'path' | 'baudRate' | 'patience' | 'dateFormat' | 'operator'
> & {
  dialect: Dialect
  authorizations: Record<string, number>
  denyOthers: boolean
}

type Dialect = 'onity' | 'salto'

const vendors: Record<Dialect, string> = { onity: 'Onity', salto: 'SALTO' }

/** Latin-1 characters of a field, without the colon between operator and password. */
const word = '[!-9;-~\u00a1-\u00b2\u00b4-\u00ff]'

/** JSON Schema of a provider's `connection`. */
export const connectionSchema = {
  type: 'object',
  examples: [{ path: 'tcp://192.168.1.30:6669', dialect: 'onity', authorizations: { Pool: 1, Garage: 2 } }],
  additionalProperties: false,
  required: ['path'],
  properties: {
    path: {
      type: 'string',
      pattern: '^(tcp://.+:[0-9]{1,5}|/.+)$',
      description: 'tcp://host:port of the PC of the lock system, or the path of a serial line to it',
    },
    baudRate: {
      type: 'integer',
      enum: [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200],
      default: 9_600,
      description: 'The baud rate of a serial line; 8 bits, no parity',
    },
    dialect: {
      enum: Object.keys(vendors),
      default: 'onity',
      description: 'The vendor of the lock system',
    },
    dateFormat: {
      enum: dateFormats,
      default: 'HHDDMMYY',
      description: 'The format of dates in requests; default HHDDMMYY. Both formats are read in answers',
    },
    operator: {
      type: 'string',
      pattern: `^${word}(?:(?: |${word}){0,18}${word})?$`,
      default: 'NIGHTPORTER',
      description:
        'The operator name that the lock system knows, at most 20 characters; keys are made in its name',
    },
    authorizations: {
      type: 'object',
      default: {},
      maxProperties: 8,
      propertyNames: { minLength: 1 },
      additionalProperties: { type: 'integer', minimum: 1, maximum: 8 },
      description: 'The authorizations beside the rooms: for each name its number in the lock system',
    },
    denyOthers: {
      type: 'boolean',
      default: true,
      description: 'Whether a request explicitly denies the authorizations above that a key is not granted',
    },
    patience: {
      type: 'number',
      minimum: 0.01,
      maximum: 10,
      default: 1,
      description: 'Multiplies every deadline except that of the answer',
    },
  },
}

/** JSON Schema of a provider's `credentials`. */
export const credentialsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    password: {
      type: 'string',
      pattern: `^${word}{1,32}$`,
      writeOnly: true,
      description: 'The password of the operator, if the lock system requires one',
    },
  },
}

/** The settings in a validated connection and validated credentials. */
export function settingsOf(connection: object, credentials: object): IndustryStandardSettings {
  const entered = withDefaults<Connection>(connectionSchema, connection)
  const { operator, dialect, authorizations, denyOthers, ...others } = entered
  const { password = null } = credentials as { password?: string }
  return {
    ...others,
    vendor: vendors[dialect],
    operator: password === null ? operator : `${operator}:${password}`,
    password,
    digits: new Map(Object.entries(authorizations)),
    deniesOthers: denyOthers,
  }
}
