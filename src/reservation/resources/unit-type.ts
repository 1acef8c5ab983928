import { references } from '../../resource/compound.ts'
import { exampleId } from '../../resource/example-id.ts'
import { integer, reference, text } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'
import { typeLeavesAvailability } from '../availability/unit-inventory.ts'
import { amenitiesFit } from './amenities-fit.ts'

/** A category of units that guests book. */
export const unitType = resource('unit-type', {
  path: 'unit-types',
  example: {
    code: 'DBL',
    name: 'Double room',
    maxOccupancy: 3,
    maxAdults: 2,
    amenities: [exampleId('amenity')],
  },
  scopes: { read: 'units.read', write: 'units.write' },
  fields: {
    name: text({ required: true }),
    code: text({ required: true, unique: true, max: 30 }),
    maxOccupancy: integer({ min: 1, max: 99 }),
    maxAdults: integer({ min: 0, max: 99 }),
    maxChildren: integer({ min: 0, max: 99 }),
    quantity: integer({ computed: 'SELECT count(*) FROM unit WHERE unit.unitTypeId = unit_type.rid' }),
    amenities: references('unit_type_amenity', { amenityId: reference('amenity', { required: true }) }),
  },
  lookup: ['code'],
  batch: { limit: 100, without: ['amenities'] },
  rules: { write: [amenitiesFit('UnitType')], remove: [typeLeavesAvailability] },
})
