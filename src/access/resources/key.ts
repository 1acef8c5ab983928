import { json, texts } from '../../resource/compound.ts'
import { date, flag, instant, integer, oneOf, reference, text, time, uuid } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import { keyTypes } from './access-controller.ts'
import {
  deathProofs,
  keepsDoors,
  keyDoors,
  opensUntil,
  type RequestedChange,
  shownDoors,
  shownDoorsSchema,
} from './key-door.ts'

const keyStatuses = [
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

/** The statuses in which a key may still open its door while it is not proven dead. */
export const openStatuses = [
  'live',
  'pendingWrite',
  'unknown',
  'revocationPending',
  'superseded',
  'blocked',
] as const satisfies KeyStatus[]
const openWords = openStatuses.map((status) => `'${status}'`).join(', ')

/** The fields of a change that only the lock system uses. */
const lockSide = ['lock', 'extraLocks', 'validFrom', 'validUntil', 'endsAtLock'] as const
const words = { type: 'array', items: { type: 'string' } }
const wordOrNull = { type: ['string', 'null'] }
const pendingChange = {
  type: ['object', 'null'],
  properties: {
    unitName: wordOrNull,
    startDate: { type: 'string', format: 'date' },
    startTime: wordOrNull,
    endDate: { type: 'string', format: 'date' },
    endTime: wordOrNull,
    extraUnits: words,
    authorizations: words,
    deAuthorizations: words,
  },
}

const fields = {
  unitName: text({ personal: false, max: 60, note: 'The lock or door.' }),
  original: flag({
    required: true,
    note: 'True: the key replaces earlier keys of the unit. False: it is a copy.',
  }),
  startDate: date({ required: true }),
  startTime: time(),
  endDate: date({ required: true }),
  endTime: time(),
  authorizations: texts({ personal: false, max: 64 }),
  deAuthorizations: texts({ personal: false, max: 64 }),
  extraUnits: texts({ personal: false, max: 32 }),
  providerId: reference('access-provider', { required: true, immutable: true }),
  controllerId: reference('access-controller', { hidden: true }),
  // A filter compares it as text: a word that is no key type finds nothing.
  keyType: { ...oneOf(keyTypes, { required: true }), form: 'text', read: (word: string) => word },
  externalId: text({ personal: false, max: 128 }),
  /** The externalId of its stay where that of the key is another: see `keyRequestOf`. */
  stayName: text({ readOnly: true, hidden: true, max: 128 }),
  isVirtual: flag({
    default: false,
    note: 'The PIN is chosen and stored, but not yet sent to the lock system.',
  }),
  /** Shown in full only where the route decrypts it. */
  pin: text({
    readOnly: true,
    max: 10,
    note: 'The last two digits; all digits with the scope keys.read-pin.',
  }),
  uid: text({
    personal: false,
    max: 64,
    pattern: '^[0-9A-F]{8,64}$',
    patternForm: '8 to 64 hex digits in upper case',
    note: "The card's serial number, hex in upper case.",
  }),
  status: oneOf(keyStatuses, { readOnly: true }),
  sequence: integer({ readOnly: true, note: '1 for the original, 2 and more for its copies.' }),
  familyId: uuid({ readOnly: true, note: 'The same for an original and its copies.' }),
  usage: oneOf(['Guest', 'OneShot', 'Staff', 'Spare'], { default: 'Guest' }),
  validFrom: instant({ readOnly: true }),
  validUntil: instant({ readOnly: true }),
  /** The end that its lock has, at `validUntil` or later: see `endsAt` of the lock system. */
  endsAtLock: instant({ readOnly: true, hidden: true }),
  /** The same, also for a key of an earlier release. */
  opensUntil: instant({ computed: opensUntil, hidden: true }),
  cardFormat: oneOf(['Mifare1K', 'Mifare4K', 'MifareUltralight', 'UltralightC', 'Desfire'], {
    readOnly: true,
  }),
  verified: flag({
    readOnly: true,
    default: false,
    note: 'Whether the card was read after the write and found correct.',
  }),
  printText: text({ personal: true, min: 0, max: 255 }),
  stayId: reference('stay', {
    readOnly: true,
    touches: true,
    note: 'The stay of the key, if it has one.',
  }),
  proof: oneOf(deathProofs, {
    readOnly: true,
    note: 'The proof that the key opens no door any more; null while one may open: see `doors`.',
  }),
  provenDeadAt: instant({ readOnly: true }),
  doorRows: keyDoors,
  doors: json(shownDoorsSchema, {
    computed: shownDoors(`coalesce(key.status, '') IN (${openWords})`),
    note: 'The doors of the key, the main door first: units, and the authorizations, which are common doors.',
  }),
  mayOpen: flag({
    computed: `key.proof IS NULL AND coalesce(key.status, '') IN (${openWords})`,
    note: 'Whether the key may open a door: true unless there is proof for each of its doors.',
  }),
  opensAt: instant({ readOnly: true, note: 'The earliest time at which a virtual key can be written.' }),
  /** Whether the event for a due virtual key was published. */
  dueTold: flag({ readOnly: true, hidden: true }),
  /** The final status of a key that is being revoked. */
  revokedAs: oneOf(['invalidated', 'removed'], { readOnly: true, hidden: true }),
  /** The status before its stay ended it: it has it again if the stay goes on. */
  endedFrom: oneOf(['virtual', 'pendingWrite', 'unknown', 'live'], { readOnly: true, hidden: true }),
  /** When the lock system revoked it; a lock without a connection does not know of it. */
  revocationToldAt: instant({ readOnly: true, hidden: true }),
  /** The change that was sent, and when, until the lock system confirms or refuses it. */
  changeAsked: json<RequestedChange>({}, { readOnly: true, hidden: true, shownAs: 'pendingChange' }),
  changeAskedAt: instant({ readOnly: true, hidden: true }),
  pendingChange: json(pendingChange, {
    computed: `json_remove(json_extract(key.changeAsked, '$.to'), ${lockSide.map((name) => `'$.${name}'`).join(', ')})`,
    note: 'A change whose outcome in the lock system is not known. Repeat the same request to finish it.',
  }),
  pinSealed: text({ readOnly: true, hidden: true, shownAs: 'pin', filterable: false, max: 200 }),
  /** A keyed hash of the PIN, equal for equal PINs. */
  pinMark: text({ readOnly: true, hidden: true, max: 64 }),
  /** The lock system's identifier of the key. */
  reference: text({ readOnly: true, hidden: true, max: 128 }),
  /** The credential number of its original, for a lock system that uses one number for a key and its copies. */
  familyNumber: integer({ readOnly: true, hidden: true }),
  extraLocks: texts({ readOnly: true, hidden: true, max: 32 }),
  /** The code of the lock in the lock system when the key was made. */
  lock: text({ readOnly: true, hidden: true, max: 64 }),
  /** The number by which the lock knows the key. */
  credential: integer({ readOnly: true, hidden: true }),
  /** The key is the main key of its stay: once it is handed over, the stay's keys of other units are revoked. */
  isOfStay: flag({ readOnly: true, hidden: true }),
  /** The number of its main door, and the newer key that has ended it there: the release before reads them here. */
  lockSequence: integer({ readOnly: true, hidden: true }),
  supersededById: reference('key', { readOnly: true, hidden: true }),
}

/** A card or other credential that opens doors. It is made only through a controller. */
export const key = resource('key', {
  path: 'access/keys',
  scopes: { read: 'keys.read', write: 'keys.issue' },
  operations: ['list', 'read'],
  fields,
  rules: { write: [keepsDoors] },
  computes: {
    /** Whether a key for a unit of the stay may still open it. */
    lockOfStayUnit: `EXISTS (SELECT 1 FROM key JOIN unit ON unit.name = key.unitName
      WHERE key.stayId = stay_unit.owner AND unit.rid = stay_unit.unitId AND key.status IN ('live', 'pendingWrite', 'unknown'))`,
    keysOfStay: `SELECT json_object('live', count(*) FILTER (WHERE status = 'live'), 'virtual', count(*) FILTER (WHERE status = 'virtual'),
      'link', '/api/v2/access/keys?filter%5BstayId%5D=' || ${uuidText('stay.id')})
      FROM key WHERE key.stayId = stay.rid`,
  },
  indexes: [
    { fields: ['unitName', 'status'], why: 'the live keys of a unit' },
    { fields: ['lock', 'status'], why: 'the keys of a lock, whatever the name of its unit was' },
    { fields: ['externalId'], where: 'externalId IS NOT NULL', why: 'the key of a stay' },
    { fields: ['stayName'], where: 'stayName IS NOT NULL', why: 'the key of a stay that was not known' },
    { fields: ['stayId'], where: 'stayId IS NOT NULL', why: 'the keys that a stay shows' },
    {
      fields: ['supersededById'],
      where: 'supersededById IS NOT NULL',
      why: 'what a failed key had replaced',
    },
    { fields: ['uid'], where: 'uid IS NOT NULL', why: 'whose card is this' },
    { fields: ['pinMark'], where: 'pinMark IS NOT NULL', why: 'a PIN is given to one key at a time' },
    { fields: ['changeAskedAt'], where: 'changeAskedAt IS NOT NULL', why: 'changes that are unfinished' },
    { fields: ['status', 'validUntil'], why: 'keys that are over, in doubt, or to be revoked' },
  ],
})

export type Key = Row<typeof fields>
