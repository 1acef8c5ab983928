import { integer, reference, text } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'

/** The last housekeeping status of a unit from the PMS; older ones are ignored. One record for each of its units. */
export const housekeepingRecord = resource('housekeeping-record', {
  base: '/api/config/v1',
  path: 'housekeeping-records',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: [],
  bookkeeping: true,
  fields: {
    configurationId: reference('pms-configuration', { required: true, readOnly: true }),
    /** The PMS's name of the unit: its revisions belong to the name. */
    unitName: text({ required: true, readOnly: true, max: 60 }),
    pmsRevision: integer({ required: true, readOnly: true }),
    status: text({ required: true, readOnly: true, max: 60 }),
  },
  indexes: [
    { fields: ['configurationId', 'unitName'], unique: true, why: 'what was reported of a unit before' },
  ],
})
