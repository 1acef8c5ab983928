import type { JsonSchema } from '../../../resource/field.ts'

/** A connection with its defaults. */
interface MewsSettings {
  platformAddress: string
  serviceId: string
  unitTypes: Record<string, string>
  monthsAhead: number
  openBalanceNote: string | null
  enterpriseId: string | null
  chainId: string | null
  rateId: string | null
  inspectsAtCheckIn: boolean
  webSocketAddress: string | null
  encoders: { code: string; controllerId: string }[]
}

const defaults: MewsSettings = {
  platformAddress: '',
  serviceId: '',
  unitTypes: {},
  monthsAhead: 12,
  openBalanceNote: null,
  enterpriseId: null,
  chainId: null,
  rateId: null,
  inspectsAtCheckIn: false,
  webSocketAddress: null,
  encoders: [],
}

/** Parses a validated connection. */
export function mewsSettings(connection: Partial<MewsSettings>): MewsSettings {
  return { ...defaults, ...connection }
}

export interface MewsCredentials {
  clientToken: string
  accessToken: string
  integrationId?: string
}

const id = { type: 'string', format: 'uuid' }
const maybeId = { type: ['string', 'null'], format: 'uuid', default: null }
const token = { type: 'string', minLength: 1, maxLength: 200 }

export const connectionSchema: JsonSchema = {
  type: 'object',
  examples: [{ platformAddress: 'https://api.mews.com', serviceId: 'bd26d8db-86da-4f96-9efc-e5a4654a4a94' }],
  properties: {
    platformAddress: {
      type: 'string',
      pattern: '^https?://[^\\s/?#]+/?$',
      description: 'https://api.mews.com, or https://api.mews-demo.com to try.',
    },
    serviceId: { ...id, description: 'The bookable service at Mews that has the rooms of this property.' },
    unitTypes: {
      type: 'object',
      default: {},
      propertyNames: id,
      additionalProperties: { type: 'string', minLength: 1, maxLength: 30 },
      description:
        'Codes of unit types by ids of Mews categories, for categories whose identifier or short name is not the code.',
    },
    monthsAhead: { type: 'integer', minimum: 1, maximum: 24, default: 12 },
    openBalanceNote: {
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 200,
      default: null,
      description:
        'The reason to record when a guest is checked out at Mews with an open balance; null if that is not allowed.',
    },
    enterpriseId: {
      ...maybeId,
      description: 'The property at Mews, where the access token is of a portfolio. Otherwise null.',
    },
    chainId: {
      ...maybeId,
      description: 'The chain of that property, which has its customers. Only for a token of a portfolio.',
    },
    rateId: {
      ...maybeId,
      description:
        'The rate of Mews by which reservations that were made here are made there; null if none are made there.',
    },
    inspectsAtCheckIn: {
      type: 'boolean',
      default: false,
      description:
        'Whether a room is set to Inspected in Mews when a guest is checked in to it here, whatever its status is here. Mews checks guests only into inspected rooms.',
    },
    webSocketAddress: {
      type: ['string', 'null'],
      pattern: '^wss?://[^\\s/?#]+/?$',
      default: null,
      description:
        'wss://ws.mews.com, or wss://ws.mews-demo.com to try. Without it changes are only polled for, and no keys are ordered.',
    },
    encoders: {
      type: 'array',
      default: [],
      maxItems: 100,
      items: {
        type: 'object',
        properties: {
          code: { type: 'string', minLength: 1, maxLength: 100 },
          controllerId: id,
        },
        required: ['code', 'controllerId'],
        additionalProperties: false,
      },
      description: 'Key cutters of Mews, by their identifiers there, and the access controller of each.',
    },
  },
  required: ['platformAddress', 'serviceId'],
  additionalProperties: false,
}

export const credentialsSchema: JsonSchema = {
  type: 'object',
  properties: {
    clientToken: { ...token, description: 'The client token of this software, from Mews.' },
    accessToken: {
      ...token,
      description: 'The access token of the property, from its administrator at Mews.',
    },
    integrationId: {
      ...id,
      description: 'The id that the webhooks of Mews contain. Without it no webhook is accepted.',
    },
  },
  required: ['clientToken', 'accessToken'],
  additionalProperties: false,
}
