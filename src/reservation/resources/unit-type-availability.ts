import { date, integer, reference, time } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'

/** An upper limit above the size of any property. */
const mostUnits = 1_000_000

/**
 * The fields of one period in an update of a unit type. Units are counted by date. Times of day are accepted and
 * ignored.
 */
export const reportedFields = {
  startDate: date(),
  startTime: time(),
  endDate: date(),
  endTime: time(),
  quantity: integer({ required: true, min: 0, max: mostUnits }),
}

/**
 * States how many units of a type are left on each date of a period. It is computed on request and not stored; the
 * declaration only names its fields. Its id is `<id of the unit type>:<startDate>`.
 */
export const unitTypeAvailability = resource('unit-type-availability', {
  path: 'availability/unit-types',
  scopes: { read: 'availability.read', write: 'availability.write' },
  operations: [],
  fields: {
    startDate: date(),
    endDate: date(),
    quantity: integer(),
    /** A filter also accepts the code of the unit type. */
    unitTypeId: {
      ...reference('unit-type'),
      form: 'id or code of a unit type',
      read: (text: string) => text.normalize('NFC'),
    },
  },
})
