import { json, texts } from '../../resource/compound.ts'
import { flag, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { invalidValue } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import { type Row, resource, type Writing } from '../../resource/resource.ts'
import { type DeviceAddress, deviceSchema } from './device-address.ts'
import { activeAlarms } from './dispenser.ts'

export const keyTypes = [
  'keyCard',
  'pinCode',
  'mobileKey',
  'cloudKey',
  'walletPass',
  'keyPayload',
  'mechanical',
] as const

const fields = {
  name: text({ required: true }),
  location: text(),
  providerId: reference('access-provider', { required: true }),
  kind: oneOf(['encoder', 'dispenser-encoder', 'pin-generator', 'mobile-issuer'], { required: true }),
  keyType: oneOf(keyTypes, { required: true }),
  externalCode: text({ max: 60 }),
  device: json<DeviceAddress>(deviceSchema),
  virtualBefore: {
    ...text({
      max: 40,
      note: 'An ISO 8601 duration, or minutes. A key that starts later than this from now is stored as virtual and written later. Null: every key is written at once.',
    }),
    schema: { type: ['string', 'integer'], minLength: 1, maxLength: 40 },
    encode: String,
  },
  pinLength: integer({ min: 4, max: 10, default: 6 }),
  pinAlphabet: text({ max: 10, pattern: '^[0-9]{2,10}$', patternForm: '2 to 10 digits' }),
  pinAvoid: texts({ max: 100 }),
  earlyMinutes: integer({ min: 0, max: 720, default: 0, note: 'How long before the stay the key opens.' }),
  lateMinutes: integer({ min: 0, max: 720, default: 0, note: 'How long after the stay the key opens.' }),
  verifyAfterWrite: flag({ default: true }),
  eraseBeforeReturn: flag({ default: true }),
  timeoutMs: integer({
    min: 500,
    max: 60_000,
    default: 18_000,
    note: 'Deadline for one card, from request to answer.',
  }),
  queueLimit: integer({ min: 0, max: 50, default: 5 }),
  dispenserId: reference('dispenser', { touches: true }),
  alarms: activeAlarms,
}

/** A device that makes keys, such as a card encoder. It defines the key type. */
export const accessController = resource('access-controller', {
  base: '/api/config/v1',
  path: 'access-controllers',
  scopes: { read: 'devices.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields,
  rules: { write: [aloneInDispenser] },
})

export type AccessController = Row<typeof accessController.fields>

/**
 * Throws when the dispenser has another encoder: with two, the position of a card in the path would be ambiguous. Pairs
 * from before this rule are kept.
 */
function aloneInDispenser({ tx, id, before, after }: Writing<typeof fields>): void {
  const { dispenserId } = after
  if (!dispenserId || before?.dispenserId === dispenserId) return
  const there = tx.select(accessController, having({ dispenserId }))
  const other = there.find((each) => each.id !== id)
  if (!other) return
  throw invalidValue('/dispenserId', `The dispenser already contains the encoder of ${other.name}.`, {
    controllerId: other.id,
  })
}
