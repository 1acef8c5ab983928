import { instant, integer, reference, text } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'

/** The appliance sets these fields, when a backup is restored. */
const noted = { required: true, readOnly: true } as const

/**
 * A unit for which unknown keys may exist: after a restore, the keys made since the backup. The row is removed when a
 * key that was made later is used at the door, or when a person reports that the unit was checked.
 */
export const unitToCheck = resource('unit-to-check', {
  base: '/api/config/v1',
  path: 'units-to-check',
  scopes: { read: 'keys.read', write: 'keys.block' },
  operations: ['list', 'read', 'remove'],
  fields: {
    providerId: reference('access-provider', noted),
    unitName: text({ ...noted, max: 60 }),
    keysFrom: instant({ ...noted, note: 'When the backup was made. Keys made from then on are not known.' }),
    keysUntil: instant({
      ...noted,
      note: 'When the backup was restored. Keys made until then are not known.',
    }),
    /** The code of the lock in the lock system. */
    lock: text({ ...noted, hidden: true, max: 64 }),
    /** Keys with a higher lock number were made after the restore. */
    numberFloor: integer({ ...noted, hidden: true }),
  },
  indexes: [
    { fields: ['providerId', 'lock'], unique: true, why: 'the unit whose door has seen a newer key' },
  ],
})
