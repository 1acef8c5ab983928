import { json, parts, references } from '../../resource/compound.ts'
import { exampleId } from '../../resource/example-id.ts'
import { date, flag, instant, integer, oneOf, reference, text } from '../../resource/fields.ts'
import { type Row, resource, type Writing } from '../../resource/resource.ts'
import { unitChangesAvailability, unitLeavesAvailability } from '../availability/unit-inventory.ts'
import { initialUnitStatus, unitStatuses } from '../values/unit-status.ts'
import { wholeObject } from '../values/value-schema.ts'
import { amenitiesFit } from './amenities-fit.ts'

/** The largest number of blocks of one unit. */
export const mostBlocks = 500

const fields = {
  name: text({ required: true, unique: true, max: 60 }),
  floor: text({ max: 30 }),
  status: oneOf(unitStatuses, { default: initialUnitStatus }),
  outOfOrderUntil: date({
    note: 'The last day on which a unit that is out of order is expected to be. It stays out of order until its status changes.',
  }),
  outOfOrderReason: text({ personal: false, min: 0, max: 200, note: 'Why a unit is out of order.' }),
  unitTypeId: reference('unit-type', { touches: true }),
  amenities: references('unit_amenity', { amenityId: reference('amenity', { required: true }) }),
  priority: integer({
    min: 1,
    max: 9999,
    note: 'The order of assignment: 1 before 2; units without a number come last.',
  }),
  occupied: flag({ readOnly: true, default: false, note: 'Whether a guest is in house in the unit.' }),
  idleSince: instant({ readOnly: true, note: 'Since when the unit is vacant.' }),
  /** Ranges of dates, both ends included, on which the unit is blocked: see `unit-block.ts`. */
  blocks: parts(
    'unit_block',
    { startDate: date({ required: true }), endDate: date({ required: true }), reason: text() },
    { readOnly: true, hidden: true, shownAs: 'maintenance', max: mostBlocks },
  ),
  /**
   * The reasons and dates for which the unit cannot be assigned, `from` and `until` included. Both are null while the
   * unit is out of order.
   */
  maintenance: json(
    {
      type: 'array',
      items: wholeObject({
        from: { type: ['string', 'null'], format: 'date' },
        until: { type: ['string', 'null'], format: 'date' },
        reason: { type: ['string', 'null'] },
      }),
    },
    {
      computed: `SELECT json_group_array(json_object('from', startDate, 'until', endDate, 'reason', reason)) FROM (
        SELECT NULL AS startDate, NULL AS endDate,
          coalesce(unit.outOfOrderReason, 'OutOfOrder') AS reason WHERE unit.status = 'OutOfOrder'
        UNION ALL SELECT startDate, endDate, reason FROM unit_block WHERE unit_block.owner = unit.rid
        ORDER BY startDate)`,
    },
  ),
}

/** A room, or anything else that can be assigned to a guest. */
export const unit = resource('unit', {
  path: 'units',
  example: { name: '201', floor: '2', unitTypeId: exampleId('unit-type'), status: 'Clean' },
  scopes: { read: 'units.read', write: 'units.write' },
  fields,
  operations: ['list', 'create', 'read', 'remove'],
  batch: { limit: 100, without: ['amenities'] },
  indexes: [{ fields: ['unitTypeId'], why: 'the quantity of a unit type, and its units' }],
  rules: {
    write: [amenitiesFit('Unit')],
    written: [journalStatus, unitChangesAvailability],
    remove: [unitLeavesAvailability],
  },
})

export type Unit = Row<typeof fields>

function journalStatus({ tx, id, before, after }: Writing<typeof fields>): void {
  if (before && before.status !== after.status) {
    const [revision, from, to] = [tx.revision(unit, id), before.status, after.status]
    tx.journal('unit.status-changed', `units/${id}`, { revision, from, to })
  }
}
