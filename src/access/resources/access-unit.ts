import { json } from '../../resource/compound.ts'
import { exampleId } from '../../resource/example-id.ts'
import { reference, text } from '../../resource/fields.ts'
import { type Row, resource } from '../../resource/resource.ts'

/** A door, gate, locker or other object with a lock, as the provider's lock system knows it. */
export const accessUnit = resource('access-unit', {
  path: 'access/units',
  scopes: { read: 'access-units.read', write: 'access-units.write' },
  operations: ['list', 'create', 'read', 'replace', 'remove'],
  example: { name: 'Garage', code: '901', providerId: exampleId('access-provider') },
  fields: {
    name: text({ required: true, max: 60, note: 'The name of the unit; the unitName of keys.' }),
    code: text({
      max: 60,
      note: 'The code of the unit in the lock system. Default: its name. The unitMapping of a provider takes precedence.',
    }),
    config: json<Record<string, unknown>>(
      { type: 'object', maxProperties: 50 },
      { note: 'Further data for the provider.' },
    ),
    providerId: reference('access-provider', { required: true, note: 'The provider that manages it.' }),
  },
  indexes: [
    {
      fields: ['providerId', 'name'],
      unique: true,
      why: 'a provider knows a unit by its name',
    },
  ],
})

export type AccessUnit = Row<typeof accessUnit.fields>
