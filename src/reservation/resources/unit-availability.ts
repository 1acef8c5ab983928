import { date, integer, reference, text, time } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'
import { unitTypeAvailability } from './unit-type-availability.ts'

/** What is told of one unit: 0 blocks it for whole dates, 1 frees it. A time of day is taken, and changes nothing. */
export const blockFields = {
  startDate: date({ required: true }),
  startTime: time(),
  endDate: date({ required: true }),
  endTime: time(),
  quantity: { ...integer({ required: true }), schema: { enum: [0, 1] } },
  reason: text({ note: 'Why it is blocked, for whoever looks at the unit.' }),
}

/**
 * That a unit is free from a date to a date, which is the whole period asked for. Worked out when it is asked for and
 * kept nowhere: declared for its names alone. Its id is `<id of the unit>:<startDate>`.
 */
export const unitAvailability = resource('unit-availability', {
  path: 'availability/units',
  scopes: { read: 'availability.read', write: 'units.block' },
  operations: [],
  fields: {
    startDate: date(),
    endDate: date(),
    quantity: integer(),
    unitId: reference('unit'),
    /** By which it is filtered; the unit says which it is of. */
    unitTypeId: { ...unitTypeAvailability.fields.unitTypeId, options: { hidden: true } },
    stayId: { ...reference('stay'), options: { hidden: true } },
  },
})
