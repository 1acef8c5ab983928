import { json, sealed, texts, valueList } from '../../resource/compound.ts'
import { flag, integer, oneOf, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** The largest number of units in the mapping of a provider. */
export const mostMappings = 5_000

const unitName = { type: 'string', minLength: 1, maxLength: 60 }
const mapping = {
  type: 'object',
  properties: { unitName, externalCode: { type: 'string', minLength: 1, maxLength: 60 } },
  required: ['unitName', 'externalCode'],
  additionalProperties: false,
}
const allowed = {
  type: 'object',
  properties: {
    unitName,
    authorizations: { type: 'array', maxItems: 64, items: { type: 'string', maxLength: 60 } },
  },
  required: ['unitName', 'authorizations'],
  additionalProperties: false,
}

/** A lock system: the service or the card format that carries the rights of keys. */
export const accessProvider = resource('access-provider', {
  base: '/api/config/v1',
  path: 'access-providers',
  scopes: { read: 'config.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields: {
    name: text({ required: true }),
    driver: text({
      required: true,
      max: 60,
      note: 'A driver of this build. It defines the members of `connection` and `credentials`.',
    }),
    enabled: flag({ default: true }),
    connection: json<Record<string, unknown>, { required: true }>({ type: 'object' }, { required: true }),
    credentials: sealed({ type: 'object' }),
    timeZone: text({ note: 'The time zone of the lock system. Default: that of the property.' }),
    clockPolicy: oneOf(['Local', 'LocalNoDst', 'Utc'], { default: 'Local' }),
    unitMapping: valueList<{ unitName: string; externalCode: string }>(mapping, {
      max: mostMappings,
      note: 'The locks of the units by name. The action map-units fills it from the names of the units.',
    }),
    matrix: valueList<{ unitName: string; authorizations: string[] }>(allowed, {
      max: mostMappings,
      note: 'Authorizations of keys for a unit.',
    }),
    defaultAuthorizations: texts({ max: 64, note: 'Authorizations of every key.' }),
    maxExtraUnits: integer({ min: 0, max: 32, default: 0 }),
    maxCopies: integer({ min: 0, max: 99, default: 10 }),
  },
})

export type AccessProvider = Row<typeof accessProvider.fields>
