import { type Description, exactly } from '../jsonapi/description.ts'
import { keyBodySchema } from './key-request.ts'
import { key } from './resources/key.ts'

const orNull = { type: ['string', 'null'] }
const moment = { type: ['string', 'null'], format: 'date-time' }

const cardMeta = exactly({
  card: exactly({
    uid: { type: 'string', description: 'The serial number of the card.' },
    format: orNull,
    blank: { type: 'boolean' },
    decodedUnitName: orNull,
    decodedFrom: moment,
    decodedUntil: moment,
  }),
  matchesStore: { type: 'boolean', description: 'What is on the card is what is kept of it.' },
  warnings: { type: 'array', items: { type: 'string' } },
})

/** What the OpenAPI document says of the keys on a controller. */
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
      example: {
        type: 'keyCard',
        unitName: '201',
        original: true,
        startDate: '2027-06-01',
        endDate: '2027-06-04',
      },
    },
    answers: { 201: { one: key } },
    problems: [
      'controller-not-found',
      'time-with-offset',
      'seconds-not-zero',
      'end-before-start',
      'unit-name-required',
      'key-type-not-supported',
      'provider-immutable',
      'too-many-extra-units',
      'unit-occupied',
      'foreign-card',
      'unknown-parameter',
      'no-original-key',
      'stay-status-transition',
      'dispenser-busy-with-guest',
      'kiosk-scope',
    ],
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
} satisfies Record<string, Description>
