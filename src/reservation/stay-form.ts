import { isDeepStrictEqual } from 'node:util'
import { personCount } from './persons.ts'
import { type Stay, stay } from './resources/stay.ts'
import { stayAmountForm } from './stay-amount.ts'

/** What a body can say of a stay, by attribute. */
export type StayForm = Pick<Stay, 'status' | 'startDate' | 'endDate'> & Record<string, unknown>

/**
 * A stay as a body could say it, in one form for everything that means the same: to tell what a body really changes.
 * Throws 422 `validation-failed` for what has no such form.
 */
export function stayForm(row: Stay): StayForm {
  const settable = Object.entries(stay.fields).filter(
    ([, { options }]) => !('readOnly' in options || 'computed' in options),
  )
  const values = settable.map(([name]) => [name, orNull((row as Record<string, unknown>)[name])])
  return {
    ...(Object.fromEntries(values) as StayForm),
    personCount: personCount(row.personCount, {}),
    units: row.units.map(({ unitTypeId, unitId }) => ({ unitTypeId, unitId: orNull(unitId) })),
    reservationIds: row.reservationIds.map(({ type, value, source }) => ({
      type,
      value,
      source: orNull(source),
    })),
    services: (row.services ?? []).map(({ serviceId, count }) => ({ serviceId, count: count ?? 1 })),
    amount: row.amount ? stayAmountForm(row.amount) : null,
    profiles: (row.profiles ?? []).map(({ id, role }) => ({ id, role })),
  }
}

/** The names of the attributes that `after` says otherwise; what it does not say is as before, null as absent. */
export function differences(before: StayForm, after: Partial<StayForm>): string[] {
  return Object.keys(after).filter((name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null))
}

function orNull(value: unknown): unknown {
  return value ?? null
}
