import type { GuestLinkDriver } from '../../../devices/network/guest-link.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import type { OrderKey } from '../../contract.ts'

/** The settings of a configuration's connection beside the line itself. */
interface GuestSettings {
  family: string
  swaps: boolean
  sendsRooms: boolean
  encoders: Parameters<OrderKey>[0]['encoders']
  patience: number
}

const own = {
  family: {
    type: 'string',
    pattern: '^[A-Z]{2}$',
    default: 'DL',
    description: 'The interface type that is configured at the PMS: DL for door locks, MS for other systems.',
  },
  swaps: {
    type: 'boolean',
    default: true,
    description:
      'Whether the PMS sends all guests on request (database swap). If it does not, a guest who leaves while the line is down stays in house here.',
  },
  sendsRooms: {
    type: 'boolean',
    default: false,
    description:
      'Whether the statuses of units are sent to the PMS: all of them when the link begins, and those that change. Only where the rooms are cleaned and inspected by this appliance.',
  },
  encoders: {
    type: 'array',
    default: [],
    maxItems: 100,
    items: {
      type: 'object',
      properties: {
        code: { type: 'string', minLength: 1, maxLength: 8 },
        controllerId: { type: 'string', format: 'uuid' },
      },
      required: ['code', 'controllerId'],
      additionalProperties: false,
    },
    description:
      'Encoder names of the PMS, mapped to access controllers. Without any it orders no keys over this line.',
  },
}

/** JSON Schema of a configuration's connection: the line, and the use of it. */
export function connectionSchema({ connection }: GuestLinkDriver): JsonSchema {
  return { ...connection, properties: { ...connection.properties, ...own } }
}

/** Parses a validated connection. */
export function guestSettings(connection: Record<string, unknown>): GuestSettings {
  const { family = 'DL', swaps = true, sendsRooms = false } = connection as Partial<GuestSettings>
  const { encoders = [], patience = 1 } = connection as Partial<GuestSettings>
  return { family, swaps, sendsRooms, encoders, patience }
}
