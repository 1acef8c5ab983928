import { references } from '../../resource/compound.ts'
import { flag, instant, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, type Rule, resource } from '../../resource/resource.ts'
import { amenitiesFit } from '../amenities-fit.ts'
import { initialUnitStatus, unitStatuses } from '../unit-status.ts'

const fields = {
  name: text({ required: true, unique: true, max: 60 }),
  floor: text({ max: 30 }),
  status: oneOf(unitStatuses, { default: initialUnitStatus }),
  unitTypeId: reference('unit-type', { touches: true }),
  amenities: references('unit_amenity', { amenityId: reference('amenity', { required: true }) }),
  /** 1 is given out before 2; units without one come last. */
  priority: integer({ min: 1, max: 9999 }),
  /** A guest is in it. */
  occupied: flag({ readOnly: true, default: false }),
  /** Since when nobody has been in it. */
  idleSince: instant({ readOnly: true }),
}

/** A room, or anything else a guest can be given. */
export const unit = resource('unit', {
  path: 'units',
  scopes: { read: 'units.read', write: 'units.write' },
  fields,
  operations: ['list', 'create', 'read', 'remove'],
  batch: { limit: 100, without: ['amenities'] },
  indexes: [{ fields: ['unitTypeId'], why: 'the quantity of a unit type, and its units' }],
  rules: { write: [amenitiesFit('Unit')], written: [statusIsTold] },
})

export type Unit = Row<typeof fields>

function statusIsTold({ tx, id, before, after }: Parameters<Rule>[0]): void {
  if (before && before.status !== after.status) {
    tx.journal('unit.status-changed', `units/${id}`, { from: before.status, to: after.status })
  }
}
