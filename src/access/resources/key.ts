import { texts } from '../../resource/compound.ts'
import { date, flag, instant, integer, oneOf, reference, text, time, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { keyTypes } from './access-controller.ts'

export const keyStatuses = [
  'virtual',
  'pendingWrite',
  'unknown',
  'live',
  'superseded',
  'blocked',
  'invalidated',
  'expired',
  'revocationPending',
  'removed',
  'failed',
] as const
export type KeyStatus = (typeof keyStatuses)[number]

/** A card, or anything else, that opens doors. Made only through a controller. */
export const key = resource('key', {
  path: 'access/keys',
  scopes: { read: 'keys.read', write: 'keys.issue' },
  operations: ['list', 'read'],
  fields: {
    unitName: text({ max: 60, note: 'The lock or door.' }),
    original: flag({ required: true, note: "True replaces the unit's earlier keys; false is a copy." }),
    startDate: date({ required: true }),
    startTime: time(),
    endDate: date({ required: true }),
    endTime: time(),
    authorizations: texts({ max: 64 }),
    deAuthorizations: texts({ max: 64 }),
    extraUnits: texts({ max: 32 }),
    providerId: reference('access-provider', { required: true, immutable: true }),
    controllerId: reference('access-controller', { hidden: true }),
    keyType: oneOf(keyTypes, { required: true }),
    externalId: text({ max: 128 }),
    isVirtual: flag({ default: false }),
    uid: text({ max: 64, pattern: '^[0-9A-F]{8,64}$', note: "The card's serial number, hex in upper case." }),
    status: oneOf(keyStatuses, { readOnly: true }),
    sequence: integer({ readOnly: true, note: '1 is the original, its copies count on.' }),
    familyId: uuid({ readOnly: true, note: 'An original and its copies share it.' }),
    usage: oneOf(['Guest', 'OneShot', 'Staff', 'Spare'], { default: 'Guest' }),
    validFrom: instant({ readOnly: true }),
    validUntil: instant({ readOnly: true }),
    cardFormat: oneOf(['Mifare1K', 'Mifare4K', 'MifareUltralight', 'UltralightC', 'Desfire'], {
      readOnly: true,
    }),
    verified: flag({
      readOnly: true,
      default: false,
      note: 'Read back from the card after the write, and found to be what was asked for.',
    }),
    printText: text({ min: 0, max: 255 }),
    stayId: reference('stay', {
      readOnly: true,
      touches: true,
      note: 'The stay it was made for, when one was found.',
    }),
    /** The lock's code in the lock system, as it was when the card was made. */
    lock: text({ readOnly: true, hidden: true, max: 64 }),
    /** What the lock knows it by. */
    credential: integer({ readOnly: true, hidden: true }),
    lockSequence: integer({ readOnly: true, hidden: true }),
    /** The newer key that took its place, until that one is proven not to have been made. */
    supersededById: reference('key', { readOnly: true, hidden: true }),
  },
  indexes: [
    { fields: ['unitName', 'status'], why: 'the live keys of a unit' },
    { fields: ['externalId'], where: 'externalId IS NOT NULL', why: 'the key of a stay' },
    { fields: ['stayId'], where: 'stayId IS NOT NULL', why: 'the keys that a stay shows' },
    {
      fields: ['supersededById'],
      where: 'supersededById IS NOT NULL',
      why: 'what a failed key had replaced',
    },
    { fields: ['uid'], where: 'uid IS NOT NULL', why: 'whose card is this' },
  ],
})

export type Key = Row<typeof key.fields>
