import type { JsonSchema } from '../../../resource/field.ts'

/** The schemas of the bodies of key actions. */
export const noSchema: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
export const seenSchema: JsonSchema = {
  type: 'object',
  properties: {
    unitName: {
      type: 'string',
      minLength: 1,
      maxLength: 60,
      description: 'The unit at whose door the card was used. Default: the unit of the key.',
    },
  },
  additionalProperties: false,
}
export const reencodeSchema: JsonSchema = {
  type: 'object',
  properties: {
    controllerId: {
      type: 'string',
      format: 'uuid',
      description: 'The controller that makes the new card. Default: the controller of the key.',
    },
    meta: {},
  },
  additionalProperties: false,
}
export const moveSchema: JsonSchema = {
  type: 'object',
  properties: { newUnitName: { type: 'string', minLength: 1, maxLength: 60 }, meta: {} },
  required: ['newUnitName'],
  additionalProperties: false,
}
export const extendSchema: JsonSchema = {
  type: 'object',
  properties: {
    endDate: { type: 'string', format: 'date' },
    endTime: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:00)?$' },
    meta: {},
  },
  required: ['endDate'],
  additionalProperties: false,
}
