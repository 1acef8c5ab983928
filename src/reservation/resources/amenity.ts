import { json } from '../../resource/compound.ts'
import { integer, oneOf, text } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'

const names = {
  type: 'object',
  maxProperties: 50,
  propertyNames: { pattern: '^[a-z]{2}(-[A-Z]{2})?$' },
  additionalProperties: { type: 'string', minLength: 1, maxLength: 255 },
}

/** A feature of a unit or a unit type: a view, a balcony, step-free access. */
export const amenity = resource('amenity', {
  path: 'amenities',
  example: { code: 'BALCONY', name: 'Balcony', names: { pt: 'Varanda' }, category: 'Outdoor', otaCode: 7 },
  scopes: { read: 'units.read', write: 'units.write' },
  fields: {
    code: text({ required: true, unique: true, max: 30 }),
    name: text({ required: true }),
    names: json<Record<string, string>>(names),
    category: oneOf([
      'View',
      'Bed',
      'Bath',
      'Accessibility',
      'Comfort',
      'Outdoor',
      'Connectivity',
      'Kitchen',
      'Location',
      'Other',
    ]),
    otaCode: integer({ min: 1, max: 9999, note: 'OpenTravel room amenity type (RMA).' }),
    scope: oneOf(['UnitType', 'Unit', 'Both'], { default: 'Both' }),
  },
})
