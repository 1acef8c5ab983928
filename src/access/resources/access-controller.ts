import { json, texts } from '../../resource/compound.ts'
import { flag, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { type DeviceAddress, deviceSchema } from '../device-address.ts'

export const keyTypes = [
  'keyCard',
  'pinCode',
  'mobileKey',
  'cloudKey',
  'walletPass',
  'keyPayload',
  'mechanical',
] as const

/** A device that makes keys, such as a card encoder. It defines the key type. */
export const accessController = resource('access-controller', {
  base: '/api/config/v1',
  path: 'access-controllers',
  scopes: { read: 'devices.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields: {
    name: text({ required: true }),
    location: text(),
    providerId: reference('access-provider', { required: true }),
    kind: oneOf(['encoder', 'dispenser-encoder', 'pin-generator', 'mobile-issuer'], { required: true }),
    keyType: oneOf(keyTypes, { required: true }),
    externalCode: text({ max: 60 }),
    device: json<DeviceAddress>(deviceSchema),
    virtualBefore: text({
      max: 40,
      note: 'How long before its start a key is written; null is never held back. ISO 8601, or minutes.',
    }),
    pinLength: integer({ min: 4, max: 10, default: 6 }),
    pinAlphabet: text({ max: 10, pattern: '^[0-9]{2,10}$' }),
    pinAvoid: texts({ max: 100 }),
    earlyMinutes: integer({ min: 0, max: 720, default: 0, note: 'Grace before the stay.' }),
    lateMinutes: integer({ min: 0, max: 720, default: 0, note: 'Grace after it.' }),
    verifyAfterWrite: flag({ default: true }),
    eraseBeforeReturn: flag({ default: true }),
    timeoutMs: integer({
      min: 500,
      max: 60_000,
      default: 18_000,
      note: 'For one card, from the asking to the answer.',
    }),
    queueLimit: integer({ min: 0, max: 50, default: 5 }),
    dispenserId: reference('dispenser', { touches: true }),
  },
})

export type AccessController = Row<typeof accessController.fields>
