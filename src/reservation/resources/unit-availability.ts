import { date, integer, reference, text, time } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'
import { unitTypeAvailability } from './unit-type-availability.ts'

/**
 * The fields of one period in an update of a unit: quantity 0 blocks whole dates, 1 unblocks them. Times of day are
 * accepted and ignored.
 */
export const blockFields = {
  startDate: date({ required: true }),
  startTime: time(),
  endDate: date({ required: true }),
  endTime: time(),
  quantity: { ...integer({ required: true }), schema: { enum: [0, 1] } },
  reason: text({ note: 'The reason for the block.' }),
}

/**
 * States that a unit is free for the whole period of the request. It is computed on request and not stored; the
 * declaration only names its fields. Its id is `<id of the unit>:<startDate>`.
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
    /** Only a filter. The type of a unit is an attribute of the unit. */
    unitTypeId: { ...unitTypeAvailability.fields.unitTypeId, options: { hidden: true } },
    stayId: { ...reference('stay'), options: { hidden: true } },
  },
})
