import { type Description, exactly } from '../../../jsonapi/description.ts'
import { key } from '../../resources/key.ts'
import { mostKeys } from '../batch.ts'
import { oneShotSchema, sparesSchema } from '../other-keys.ts'
import { keyBodySchema, withExtra } from './key-request.ts'

const orNull = { type: ['string', 'null'] }
const moment = { type: ['string', 'null'], format: 'date-time' }

const cardMeta = exactly({
  card: exactly({
    uid: { ...orNull, description: 'The serial number of the card.' },
    format: orNull,
    blank: { type: 'boolean' },
    decodedUnitName: orNull,
    decodedFrom: moment,
    decodedUntil: moment,
  }),
  matchesStore: { type: 'boolean', description: 'What is on the card is what is kept of it.' },
  warnings: { type: 'array', items: { type: 'string' } },
})

const refusals = [
  'controller-not-found',
  'time-with-offset',
  'seconds-not-zero',
  'end-before-start',
  'unit-name-required',
  'missing-external-id',
  'key-type-not-supported',
  'provider-immutable',
  'too-many-extra-units',
  'unit-occupied',
  'foreign-card',
  'unknown-parameter',
  'no-original-key',
  'stay-status-transition',
  'key-status-transition',
  'dispenser-busy-with-guest',
  'kiosk-scope',
  'clock-implausible',
] as const

const example = {
  type: 'keyCard',
  unitName: '201',
  original: true,
  startDate: '2027-06-01',
  endDate: '2027-06-04',
}

const wordOrNull = { type: ['string', 'null'] }

/** The result of a batch. It is no JSON:API document, because it describes no resource. */
const batchResult = exactly({
  requested: { type: 'integer' },
  succeeded: { type: 'integer', description: 'How many keys were made.' },
  error: { ...wordOrNull, description: 'The card that stopped the run, in a sentence.' },
  errorCode: wordOrNull,
  outcomeUnknown: { type: 'boolean', description: 'That card may hold a key all the same.' },
  failedIndex: { type: ['integer', 'null'], description: 'Which one it was, counted from 0.' },
  keyIds: { type: 'array', items: { type: 'string', format: 'uuid' } },
})

/** The OpenAPI descriptions of the key routes of a controller. */
export const keyDescriptions = {
  make: {
    id: 'createKey',
    summary: 'Make a key',
    notes: `The card is written, read back and proven before it can be taken. \`type\` may be \`key\` or the key type of the
controller. With the scope keys.override, \`meta.confirm\` beside the data makes an original key for a unit that another
guest is in.`,
    body: {
      schema: keyBodySchema,
      type: key.type,
      example,
    },
    answers: { 201: { one: key } },
    problems: ['key-gone', ...refusals],
    device: true,
  },
  read: {
    id: 'readCard',
    summary: 'Read the card on the encoder, beside what is kept of it',
    answers: { 200: { one: key, orNull: true, meta: cardMeta } },
    problems: ['controller-not-found', 'dispenser-busy-with-guest'],
    device: true,
  },
  erase: {
    id: 'eraseCard',
    summary: 'Erase the card on the encoder, and read it back',
    answers: { 204: {} },
    trial: false,
    problems: ['controller-not-found', 'foreign-card', 'dispenser-busy-with-guest', 'unknown-parameter'],
    device: true,
  },
  batch: {
    id: 'createKeys',
    summary: 'Make several keys, one after the other',
    notes: `The first is what was asked for, the others are its copies. The run stops at the first that fails; the answer tells how far
it came.`,
    body: {
      schema: withExtra({ quantity: { type: 'integer', minimum: 1, maximum: mostKeys } }, ['quantity']),
      type: key.type,
      example: { ...example, quantity: 1 },
    },
    answers: { 201: { schema: batchResult } },
    trial: false,
    problems: refusals,
    device: true,
  },
  byReservation: {
    id: 'createOrReconcileKey',
    summary: 'Make the key of a stay, or make it what it should be',
    notes: `Safe to repeat: the same again changes nothing. The stay is named as in the externalId of its keys. A key that starts later
than virtualBefore allows is held, and written when this is asked for after its window has opened.`,
    path: { stayExternalId: { schema: { type: 'string', minLength: 1, maxLength: 128 } } },
    body: { schema: keyBodySchema, type: key.type, example },
    answers: { 200: { one: key } },
    trial: false,
    problems: ['external-id-mismatch', 'key-gone', ...refusals],
    device: true,
  },
  oneShot: {
    id: 'createOneShotKey',
    summary: 'Make a card that opens once',
    notes: "For a repair or a look at the room: it belongs to no stay, and ends nobody's key.",
    body: { schema: oneShotSchema, example: { unitName: '201', minutes: 30 } },
    answers: { 201: { one: key } },
    trial: false,
    problems: refusals,
    device: true,
  },
  spares: {
    id: 'createSpareKeys',
    summary: 'Make cards for the drawer, for a night on which nothing works',
    notes: `One card a unit. It counts as the key that the unit has, and ends nobody's; the first use of a key made after it ends the spare. A
lock system that counts its keys itself takes a spare for a new one: for a unit with a live key that is refused, unless
\`meta.confirm\` is said with the scope keys.override.`,
    body: { schema: sparesSchema, example: { units: ['201'], days: 7 } },
    answers: { 201: { schema: batchResult } },
    trial: false,
    problems: refusals,
    device: true,
  },
} satisfies Record<string, Description>
