import { date, integer, reference, time } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'

/** More units of one type than any house has. */
const mostUnits = 1_000_000

/** What upstream tells of a unit type. Units are counted by the date; a time of day is taken, and changes nothing. */
export const reportedFields = {
  startDate: date(),
  startTime: time(),
  endDate: date(),
  endTime: time(),
  quantity: integer({ required: true, min: 0, max: mostUnits }),
}

/**
 * How many units of a type are left from a date to a date. Worked out when it is asked for and kept nowhere: declared
 * for its names alone. Its id is `<id of the unit type>:<startDate>`.
 */
export const unitTypeAvailability = resource('unit-type-availability', {
  path: 'availability/unit-types',
  scopes: { read: 'availability.read', write: 'availability.write' },
  operations: [],
  fields: {
    startDate: date(),
    endDate: date(),
    quantity: integer(),
    /** As a filter it takes the code of the unit type as well. */
    unitTypeId: {
      ...reference('unit-type'),
      form: 'id or code of a unit type',
      read: (text: string) => text.normalize('NFC'),
    },
  },
})
