import { type Description, exactly } from '../../../jsonapi/description.ts'
import { list, uuid } from '../../../jsonapi/schemas/words.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { key } from '../../resources/key.ts'
import { attemptsSchema } from '../pending/shown-attempts.ts'
import { keyExample, orderProblems } from './key-descriptions.ts'
import { keyBodySchema, unitNameSchema } from './key-request.ts'

/** The schemas of the bodies of key actions. */
export const noSchema: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }
export const seenSchema: JsonSchema = {
  ...noSchema,
  properties: {
    unitName: {
      ...unitNameSchema,
      description: 'The unit at whose door the card was used. Default: the unit of the key.',
    },
  },
}
export const reencodeSchema: JsonSchema = {
  ...noSchema,
  properties: {
    controllerId: {
      ...uuid,
      description: 'The controller that makes the new card. Default: the controller of the key.',
    },
    meta: {},
  },
}
export const moveSchema = exactly({ newUnitName: unitNameSchema, meta: {} }, ['meta'])
export const extendSchema = exactly(
  {
    endDate: { type: 'string', format: 'date' },
    endTime: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:00)?$' },
    meta: {},
  },
  ['endTime', 'meta'],
)

const one = { 200: { one: key } } as const
const nothing = { optional: true, schema: noSchema, example: {} } as const
const refusals = ['key-status-transition', 'unknown-parameter', 'revision-mismatch'] as const

/** What moving a key and changing its end have in common. */
const changing = {
  answers: one,
  trial: false,
  problems: [...orderProblems, 'card-required', 'key-gone', 'stay-status-transition'],
  device: true,
} as const

/** The OpenAPI descriptions of the routes of stored keys. */
export const keyItemDescriptions = {
  change: {
    id: 'changeKey',
    summary: 'Change a key',
    notes: `An end in the past revokes the key. Data that are written on a card cannot be changed here: the error card-required
names the controller that can make a new card. A PIN keeps its digits.`,
    body: {
      schema: keyBodySchema,
      type: key.type,
      example: { ...keyExample, startDate: '2020-06-01', endDate: '2020-06-04' },
    },
    answers: { 204: {} },
    trial: false,
    problems: [
      ...orderProblems,
      'time-with-offset',
      'seconds-not-zero',
      'provider-immutable',
      'card-required',
    ],
    device: true,
  },
  remove: {
    id: 'removeKey',
    summary: 'Revoke a key',
    notes: `A PIN is deleted in the lock system. A card still opens until its lock refuses it: its key is revocationPending until
there is proof that it no longer opens. To erase a card, place it on an encoder.`,
    answers: { 204: {} },
    trial: false,
    problems: ['key-status-transition', 'unknown-parameter'],
  },
  block: {
    id: 'blockKey',
    summary: 'Block a key that was lost or stolen',
    notes:
      'The key may still open until there is proof that it does not: a newer original key was used at the door, or the lock system confirmed it.',
    body: nothing,
    answers: one,
    trial: false,
    problems: refusals,
  },
  seenAtDoor: {
    id: 'keySeenAtDoor',
    summary: 'Report that a live card was used at its door',
    notes:
      'From then on the lock of the door refuses every older card: `meta.provenDead` has the ids of their keys. `unitName` names an extra unit of the card; without it the card was used at its unit. A card that opens other doors, too, is proven dead with the last of them.',
    body: { schema: seenSchema, example: {} },
    answers: {
      200: {
        one: key,
        meta: exactly({ provenDead: list(uuid) }),
      },
    },
    trial: false,
    problems: refusals,
  },
  askNow: {
    id: 'askAboutKeyNow',
    summary: 'Ask the lock system about a key now',
    notes: `What is pending for the key at its lock system, such as its revocation, is tried at once instead of after the pause.
Within 5 s of the last attempt the pause remains, so the request may be repeated. The answer does not wait for the lock system.
A key without pending work is unchanged.`,
    body: nothing,
    answers: { 200: { one: key, meta: exactly(attemptsSchema) } },
    trial: false,
    problems: ['unknown-parameter', 'revision-mismatch'],
  },
  reencode: {
    id: 'reencodeKey',
    summary: 'Make a key again, on another card or with another PIN',
    notes:
      'The new key has the unit and the window of the previous key, and replaces it. A copy becomes a copy again; a blocked card becomes an original, because only that ends the lost card.',
    body: { optional: true, schema: reencodeSchema, example: {} },
    answers: { 201: { one: key } },
    trial: false,
    problems: [
      ...orderProblems,
      'revision-mismatch',
      'provider-immutable',
      'foreign-card',
      'no-original-key',
      'stay-status-transition',
      'dispenser-busy-with-guest',
    ],
    device: true,
  },
  move: {
    id: 'moveKey',
    summary: 'Move a key to another unit',
    notes: 'A PIN keeps its digits. A card can be moved only if the lock system does this without the card.',
    body: { schema: moveSchema, example: { newUnitName: '202' } },
    ...changing,
  },
  extend: {
    id: 'extendKey',
    summary: 'Change the end of a key',
    body: { schema: extendSchema, example: { endDate: '2027-06-05' } },
    ...changing,
  },
} satisfies Record<string, Description>
