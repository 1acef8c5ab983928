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
    name: text({ required: true, max: 60, note: 'What keys call it: their unitName.' }),
    code: text({
      max: 60,
      note: "Its code in the lock system; its name where none is given. A provider's unitMapping goes before it.",
    }),
    config: json<Record<string, unknown>>(
      { type: 'object', maxProperties: 50 },
      { note: 'What the provider has to know of it besides.' },
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
