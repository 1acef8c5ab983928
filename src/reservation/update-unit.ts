import { completed } from '../resource/attributes.ts'
import { change } from '../resource/change.ts'
import { expectRevision, type Written } from '../resource/plain-changes.ts'
import { Problem } from '../resource/problem.ts'
import type { Attributes } from '../resource/resource.ts'
import { stay } from './resources/stay.ts'
import { unit } from './resources/unit.ts'
import { type UnitStatus, unitTransition } from './unit-status.ts'

/** PUT and PATCH of a unit: its status goes only where the table lets it, its type only when no stay needs the old one. */
export const updateUnit = change(
  'update-unit',
  (
    tx,
    input: {
      id: string
      attributes: Record<string, unknown>
      whole: boolean
      canInspect: boolean
      revision?: number | undefined
    },
  ): Written => {
    expectRevision(tx, unit, { type: 'unit', id: input.id, revision: input.revision })
    const before = tx.find(unit, input.id)
    const given = input.whole ? completed(unit.fields, input.attributes) : input.attributes
    // A body without a status leaves the unit as clean as it is: only the unit's own people change that.
    const attributes = { ...given, status: input.attributes.status ?? before.status } as Attributes<
      typeof unit.fields
    >
    unitTransition(before.status as UnitStatus, attributes.status as UnitStatus, {
      canInspect: input.canInspect,
    })
    const stays = tx.select(stay, [{ path: 'units.unitId', operator: 'eq', value: before.id }])
    const movesType = attributes.unitTypeId !== undefined && attributes.unitTypeId !== before.unitTypeId
    const needed = stays.find(({ status }) => ['Tentative', 'Confirmed', 'InHouse'].includes(status))
    if (movesType && before.unitTypeId && needed) {
      throw new Problem('unit-change-refused', 'A coming stay needs the unit to be of the type it has.', {
        pointer: '/unitTypeId',
        meta: { stayId: needed.id },
      })
    }
    const row = tx.patch(unit, before.id, attributes)
    if (row.name !== before.name) for (const { id } of stays) tx.touch(stay, id)
    return { id: row.id, revision: row.revision }
  },
)
