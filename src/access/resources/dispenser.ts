import { json, texts } from '../../resource/compound.ts'
import { flag, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { type DeviceAddress, deviceSchema } from '../controllers/device-address.ts'

export const commandedStates = ['active', 'inactive', 'accepting', 'maintenance', 'initialize'] as const

/** A machine that issues cards. */
export const dispenser = resource('dispenser', {
  base: '/api/config/v1',
  path: 'dispensers',
  scopes: { read: 'devices.read', write: 'config.write' },
  operations: ['list', 'read', 'remove'],
  fields: {
    name: text({ required: true }),
    device: json<DeviceAddress, { required: true }>(deviceSchema, { required: true }),
    capacity: integer({ min: 1, max: 5000, default: 170 }),
    lowThreshold: integer({ min: 0, max: 5000, default: 20 }),
    binCapacity: integer({ min: 1, max: 5000, default: 50 }),
    presentTimeoutSeconds: integer({ min: 1, max: 600, default: 30 }),
    onTimeout: oneOf(['capture', 'hold'], {
      default: 'capture',
      note: 'What becomes of a card that nobody takes.',
    }),
    acceptReturns: flag({
      default: false,
      note: 'Whether guests are told that they may hand their cards back here. Its entry opens for `accepting` alone.',
    }),
    initAction: oneOf(['hold', 'capture', 'none'], {
      default: 'capture',
      note: 'What becomes of a card found in the path when the machine is initialised.',
    }),
    controllerId: reference('access-controller', {
      computed: 'SELECT rid FROM access_controller WHERE access_controller.dispenserId = dispenser.rid',
    }),
    commandedState: oneOf(commandedStates, { readOnly: true, default: 'active' }),
    estimatedCards: integer({
      min: 0,
      max: 5000,
      operational: true,
      note: 'Counted down from the last refill; null while nobody said how many were filled in.',
    }),
    binCount: integer({ readOnly: true, default: 0 }),
    dispensed: integer({ readOnly: true, default: 0 }),
    captured: integer({ readOnly: true, default: 0 }),
    returned: integer({ readOnly: true, default: 0 }),
    jams: integer({ readOnly: true, default: 0 }),
    retries: integer({
      readOnly: true,
      default: 0,
      note: 'How often it was started anew without being told to, and was well again.',
    }),
    sinceService: integer({
      readOnly: true,
      default: 0,
      note: 'Cards given out and captured since it was serviced last.',
    }),
    alarms: texts({
      readOnly: true,
      unremarked: true,
      note: 'What is wrong with it and was told as an event.',
    }),
  },
})

export type Dispenser = Row<typeof dispenser.fields>
