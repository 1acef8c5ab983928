import { json, texts } from '../../resource/compound.ts'
import { flag, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'
import { type DeviceAddress, deviceSchema } from './device-address.ts'

export const commandedStates = ['active', 'inactive', 'accepting', 'maintenance', 'initialize'] as const

/** What a dispenser reports besides the state it was set to. */
export const reportedStates = [
  'offline',
  'starting',
  'dispensing',
  'encoding',
  'presenting',
  'capturing',
  'fault',
] as const

/** The field of a device with its alarms. */
export const activeAlarms = texts({
  readOnly: true,
  unremarked: true,
  note: 'The alarms that are active and were published as events.',
})

const usualPresentSeconds = 30

/** A number that only the appliance changes. */
const counter = (more: { note?: string } = {}) => integer({ readOnly: true, default: 0, ...more })

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
    presentTimeoutSeconds: integer({ min: 1, max: 600, default: usualPresentSeconds }),
    onTimeout: oneOf(['capture', 'hold'], {
      default: 'capture',
      note: 'What happens to a card that is not taken.',
    }),
    acceptReturns: flag({
      default: false,
      note: 'Whether guests may return cards here. The entry opens only in the state `accepting`.',
    }),
    initAction: oneOf(['hold', 'capture', 'none'], {
      default: 'capture',
      note: 'What happens to a card in the path when the machine is initialised.',
    }),
    controllerId: reference('access-controller', {
      computed: 'SELECT rid FROM access_controller WHERE access_controller.dispenserId = dispenser.rid',
    }),
    commandedState: oneOf(commandedStates, { readOnly: true, default: 'active' }),
    estimatedCards: integer({
      min: 0,
      max: 5000,
      operational: true,
      note: 'Cards left since the last refill; null until a refill is reported.',
    }),
    binCount: counter(),
    dispensed: counter(),
    captured: counter(),
    returned: counter(),
    jams: counter(),
    retries: counter({ note: 'Automatic restarts that cleared a fault.' }),
    sinceService: counter({ note: 'Cards presented and captured since the last service.' }),
    alarms: activeAlarms,
  },
})

export type Dispenser = Row<typeof dispenser.fields>

/** How long a card stays at the gate of a dispenser, in seconds. A dispenser that is not there any more had the usual time. */
export const presentSecondsOf = (row: Pick<Dispenser, 'presentTimeoutSeconds'> | null): number =>
  row?.presentTimeoutSeconds ?? usualPresentSeconds
