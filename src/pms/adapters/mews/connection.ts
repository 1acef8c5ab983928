import type { JsonSchema } from '../../../resource/field.ts'

export interface MewsConnection {
  platformAddress: string
  serviceId: string
  unitTypes?: Record<string, string>
  monthsAhead?: number
  openBalanceNote?: string | null
}

export interface MewsCredentials {
  clientToken: string
  accessToken: string
  integrationId?: string
}

const id = { type: 'string', format: 'uuid' }
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
