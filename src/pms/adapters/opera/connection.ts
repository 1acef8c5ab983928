import { peerPolicies, urlProblem } from '../../../devices/network/peer-address.ts'
import { paymentBrands } from '../../../reservation/values/payment-brand.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { Problem } from '../../../resource/problem.ts'

/** A connection and credentials with their defaults. */
export interface OperaSettings {
  gatewayUrl: string
  hotelId: string
  scope: string
  enterpriseId: string | null
  externalSystem: string | null
  chainCode: string | null
  monthsAhead: number
  housekeeping: boolean
  pricesIncludeTax: boolean
  cashierId: number | null
  cancellationCode: string | null
  paymentMethods: Readonly<Record<string, string>>
  encoders: readonly { code: string; controllerId: string }[]
  applicationKey: string
  clientId: string
  clientSecret: string
  keyUser: string | null
  keyPassword: string | null
}

const defaults: OperaSettings = {
  gatewayUrl: '',
  hotelId: '',
  scope: '',
  enterpriseId: null,
  externalSystem: null,
  chainCode: null,
  monthsAhead: 12,
  housekeeping: true,
  pricesIncludeTax: false,
  cashierId: null,
  cancellationCode: null,
  paymentMethods: {},
  encoders: [],
  applicationKey: '',
  clientId: '',
  clientSecret: '',
  keyUser: null,
  keyPassword: null,
}

/** The settings of a validated connection and validated credentials. */
export function operaSettings(
  connection: Record<string, unknown> | null | undefined,
  credentials: Record<string, unknown>,
): OperaSettings {
  return { ...defaults, ...connection, ...credentials }
}

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
/** What a header can hold. */
const word = (maxLength: number) => ({ ...text(maxLength), pattern: '^[\\x21-\\x7e]+$' })

export const connectionSchema: JsonSchema = {
  type: 'object',
  examples: [
    { gatewayUrl: 'https://hotel.hospitality-api.us-ashburn-1.ocs.oraclecloud.com', hotelId: 'SAND01' },
  ],
  properties: {
    gatewayUrl: {
      ...text(500),
      pattern: '^https?://[^\\s/?#]+/?$',
      description: 'The gateway of the environment, from the developer portal of OHIP.',
    },
    hotelId: { ...text(20), pattern: '^[A-Za-z0-9_-]+$', description: 'The code of the property at OPERA.' },
    scope: {
      ...text(1_000),
      pattern: '^[\\x20-\\x7e]*$',
      description: 'The scope in the request for a token.',
    },
    enterpriseId: { ...word(100), description: 'The enterprise in the request for a token.' },
    externalSystem: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 40,
      pattern: '^[\\x21-\\x7e]+$',
      default: null,
      description: 'The code of this appliance as an external system at OPERA; null where it has none.',
    },
    chainCode: {
      type: ['string', 'null'],
      pattern: '^[A-Za-z0-9_-]{1,20}$',
      default: null,
      description:
        'The code of the chain at OPERA, with which the appliance listens to the stream of events; null where streaming is not switched on for it.',
    },
    monthsAhead: { type: 'integer', minimum: 1, maximum: 24, default: defaults.monthsAhead },
    housekeeping: {
      type: 'boolean',
      default: true,
      description:
        'Whether the states of rooms are read and set. The application needs the module HSK for it.',
    },
    pricesIncludeTax: {
      type: 'boolean',
      default: false,
      description:
        'Whether the totals of stays at OPERA contain all taxes. Then they are the prices here, and guests can pay; otherwise stays have no price.',
    },
    cashierId: {
      type: ['integer', 'null'],
      minimum: 1,
      default: null,
      description:
        'The cashier at OPERA who posts payments and checks guests out; null where that is done at OPERA.',
    },
    cancellationCode: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 20,
      default: null,
      description:
        'The code at OPERA of the reason for cancellations from here; null where they are made at OPERA.',
    },
    paymentMethods: {
      type: 'object',
      default: {},
      propertyNames: { enum: paymentBrands },
      additionalProperties: { type: 'string', minLength: 1, maxLength: 20 },
      description: 'Codes of methods of payment at OPERA by brands, such as {"Cash": "CA"}.',
    },
    encoders: {
      type: 'array',
      default: [],
      maxItems: 100,
      items: {
        type: 'object',
        properties: { code: text(100), controllerId: { type: 'string', format: 'uuid' } },
        required: ['code', 'controllerId'],
        additionalProperties: false,
      },
      description:
        'Encoder ids of the door lock interface of OPERA, and the access controller of each. Without any it orders no keys.',
    },
  },
  required: ['gatewayUrl', 'hotelId'],
  additionalProperties: false,
}

export const credentialsSchema: JsonSchema = {
  type: 'object',
  properties: {
    applicationKey: {
      ...word(100),
      description: 'The key of the application that is registered for this property.',
    },
    clientId: text(500),
    clientSecret: text(1_000),
    keyUser: { ...text(200), description: 'The user of the requests of OPERA that order keys.' },
    keyPassword: { ...text(200), description: 'The password of the requests of OPERA that order keys.' },
  },
  required: ['applicationKey', 'clientId', 'clientSecret'],
  additionalProperties: false,
}

/** Throws validation-failed for an address that may not be spoken to. */
export function checkConnection({ gatewayUrl }: Record<string, unknown>): void {
  const wrong = urlProblem('gatewayUrl', String(gatewayUrl), peerPolicies.pms)
  if (wrong) throw new Problem('validation-failed', wrong, { pointer: '/connection/gatewayUrl' })
}
