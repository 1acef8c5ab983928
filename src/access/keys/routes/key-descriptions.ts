import { type Description, exactly } from '../../../jsonapi/description.ts'
import { flag, list, momentOrNull, text, textOrNull, uuid } from '../../../jsonapi/schemas/words.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { key } from '../../resources/key.ts'
import { keyBodySchema, unitNameSchema } from '../../resources/key-request.ts'
import { attemptsSchema } from '../pending/shown-attempts.ts'
import { cardMeta, keyMeta } from '../undelivered-cards.ts'
import { batchBodySchema } from './batch.ts'
import { oneShotSchema, sparesSchema } from './other-keys.ts'

const readMeta = exactly({
  card: exactly({
    uid: { ...textOrNull, description: 'The serial number of the card.' },
    format: textOrNull,
    blank: flag,
    decodedUnitName: textOrNull,
    decodedFrom: momentOrNull,
    decodedUntil: momentOrNull,
  }),
  matchesStore: { ...flag, description: 'Whether the content of the card agrees with the stored key.' },
  warnings: list(text),
})

/** The problems of every request that makes or changes a key. */
const orderProblems = [
  'controller-not-found',
  'end-before-start',
  'unit-name-required',
  'missing-external-id',
  'key-type-not-supported',
  'too-many-extra-units',
  'unit-occupied',
  'external-id-conflict',
  'unknown-parameter',
  'key-status-transition',
  'clock-implausible',
  'box-fenced',
] as const

/** Those of a body that is a key. */
const bodyProblems = ['time-with-offset', 'seconds-not-zero', 'provider-immutable'] as const

/** Those of a request that may write a card. */
const cardProblems = [
  'foreign-card',
  'no-original-key',
  'stay-status-transition',
  'dispenser-busy-with-guest',
] as const

const refusals = [...orderProblems, ...bodyProblems, ...cardProblems, 'kiosk-scope'] as const

const keyExample = {
  type: 'keyCard',
  unitName: '201',
  original: true,
  startDate: '2027-06-01',
  endDate: '2027-06-04',
}

/** The result of a batch. It is no JSON:API document, because it describes no resource. */
const batchResult = exactly({
  requested: { type: 'integer' },
  succeeded: { type: 'integer', description: 'How many keys were made.' },
  error: { ...textOrNull, description: 'Why the run stopped.' },
  errorCode: textOrNull,
  outcomeUnknown: { ...flag, description: 'Whether the failed card may hold a key nevertheless.' },
  failedIndex: { type: ['integer', 'null'], description: 'The index of the failed card, from 0.' },
  keyIds: list(uuid),
})

const keyBody = { schema: keyBodySchema, type: key.type, example: keyExample }
const making = { trial: false, problems: refusals, device: true } as const

/** When a key begins that names no time. */
const beginning =
  'Without a `startTime` a key begins at check-in time, and a key of today at once where the stay that its `externalId` names, or a guest of its unit who stays as long as the key, is in house before that time: `meta.begins` says which.'

/** The OpenAPI descriptions of the key routes of a controller. */
export const keyDescriptions = {
  make: {
    id: 'createKey',
    summary: 'Make a key',
    notes: `The card is written and verified before it can be taken. \`type\` may be \`key\` or the key type of the
controller. A key that would open the unit of another guest, or end that guest's key, is refused with unit-occupied. Where \`meta.scope\` of the refusal
names a scope of the caller, \`meta.confirm: true\` beside the data makes the key. \`meta.reason\` says why; the audit keeps it, so it should name no guest.
${beginning}`,
    body: keyBody,
    answers: { 201: { one: key, meta: cardMeta } },
    ...making,
    problems: ['key-gone', ...refusals],
  },
  read: {
    id: 'readCard',
    summary: 'Read the card on the encoder, with the stored key',
    answers: { 200: { one: key, orNull: true, meta: readMeta } },
    problems: ['controller-not-found', 'dispenser-busy-with-guest'],
    device: true,
  },
  erase: {
    id: 'eraseCard',
    summary: 'Erase and verify the card on the encoder',
    answers: { 204: {} },
    trial: false,
    problems: ['controller-not-found', 'foreign-card', 'dispenser-busy-with-guest', 'unknown-parameter'],
    device: true,
  },
  batch: {
    id: 'createKeys',
    summary: 'Make several keys, one after the other',
    notes: `The first key is the one requested, the others are its copies. The run stops at the first failure; the answer says how
many keys were made.`,
    body: { schema: batchBodySchema, type: key.type, example: { ...keyExample, quantity: 1 } },
    answers: { 201: { schema: batchResult } },
    ...making,
  },
  byReservation: {
    id: 'createOrReconcileKey',
    summary: 'Make or update the key of a stay',
    notes: `Idempotent: a repetition changes nothing. The path contains the externalId that the keys of the stay have. A key
whose start is further away than virtualBefore is stored as virtual. The first such request after that time writes it. ${beginning}`,
    path: { stayExternalId: { schema: { type: 'string', minLength: 1, maxLength: 128 } } },
    body: keyBody,
    answers: { 200: { one: key, meta: keyMeta } },
    ...making,
    problems: ['external-id-mismatch', 'key-gone', ...refusals],
  },
  oneShot: {
    id: 'createOneShotKey',
    summary: 'Make a card that opens once',
    notes:
      'For a repair or a visit to the room. The card belongs to no stay, and no other key ends. For a unit in which a guest is in house it needs `meta.confirm` with a reason.',
    body: { schema: oneShotSchema, example: { unitName: '201', minutes: 30 } },
    answers: { 201: { one: key, meta: cardMeta } },
    ...making,
  },
  spares: {
    id: 'createSpareKeys',
    summary: 'Make spare cards for an outage',
    notes: `One card for each unit. A spare does not end existing keys; the first use of a key made later ends the spare. Some
lock systems count keys themselves and treat a spare as a new key. For a unit with a live key they need
\`meta.confirm\` and the scope keys.override. For a unit in which a guest is in house every spare needs \`meta.confirm\` with a reason.`,
    body: { schema: sparesSchema, example: { units: ['201'], days: 7 } },
    answers: { 201: { schema: batchResult } },
    ...making,
  },
} satisfies Record<string, Description>

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
    endTime: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:00)?$', $comment: 'a time (HH:MM)' },
    meta: {},
  },
  ['endTime', 'meta'],
)

const one = { 200: { one: key } } as const
const nothing = { optional: true, schema: noSchema, example: {} } as const
const statusRefusals = ['key-status-transition', 'unknown-parameter', 'revision-mismatch'] as const

/** What moving a key and changing its end have in common. */
const changing = {
  answers: one,
  trial: false,
  problems: [...orderProblems, 'card-required', 'key-gone', 'stay-status-transition', 'revision-mismatch'],
  device: true,
} as const

/** The OpenAPI descriptions of the routes of stored keys. */
export const keyItemDescriptions = {
  change: {
    id: 'changeKey',
    summary: 'Change a key',
    notes: `An end in the past revokes the key. Data that are written on a card cannot be changed here: the error card-required
names the controller that can make a new card. A PIN keeps its digits.`,
    body: { ...keyBody, example: { ...keyExample, startDate: '2020-06-01', endDate: '2020-06-04' } },
    answers: { 204: {} },
    trial: false,
    problems: [...orderProblems, ...bodyProblems, 'card-required'],
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
    problems: statusRefusals,
  },
  seenAtDoor: {
    id: 'keySeenAtDoor',
    summary: 'Report that a live card was used at its door',
    notes:
      'From then on the lock of the door refuses every older card: `meta.provenDead` has the ids of their keys. `unitName` names an extra unit of the card; without it the card was used at its unit. A card that opens other doors, too, is proven dead with the last of them. A card that is not valid yet is refused: its lock does not learn of it before.',
    body: { schema: seenSchema, example: {} },
    answers: {
      200: {
        one: key,
        meta: exactly({ provenDead: list(uuid) }),
      },
    },
    trial: false,
    problems: statusRefusals,
    device: true,
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
    answers: { 201: { one: key, meta: cardMeta } },
    trial: false,
    problems: [...orderProblems, 'revision-mismatch', 'provider-immutable', ...cardProblems],
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
