import { texts } from '../../resource/compound.ts'
import { date, instant, integer, reference, text } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'

/** The maximum number of units in one allotment. */
export const mostLeased = 5_000

/**
 * An allotment: units that a PMS has lent for certain nights. While the PMS is offline, its reservations receive only
 * these units.
 */
export const roomLease = resource('room-lease', {
  base: '/api/config/v1',
  path: 'room-leases',
  scopes: { read: 'upstream.read', write: 'config.write' },
  operations: ['list', 'read'],
  fields: {
    configurationId: reference('pms-configuration', { required: true, readOnly: true }),
    leaseId: text({ required: true, readOnly: true, max: 128, note: 'The id at the PMS.' }),
    pmsRevision: integer({ required: true, readOnly: true, note: 'The revision of the lease at the PMS.' }),
    unitNames: texts({
      readOnly: true,
      max: mostLeased,
      note: 'Empty if the PMS has withdrawn the lease.',
    }),
    startDate: date({ required: true, readOnly: true, note: 'The first night.' }),
    endDate: date({ required: true, readOnly: true, note: 'The last night.' }),
    validUntil: instant({
      required: true,
      readOnly: true,
      note: 'No units are assigned by the lease after this time. Existing assignments stay.',
    }),
  },
  indexes: [
    { fields: ['configurationId', 'leaseId'], unique: true, why: 'a PMS changes its lease' },
    { fields: ['endDate'], why: 'what is lent for a night, and what is long over' },
  ],
})
