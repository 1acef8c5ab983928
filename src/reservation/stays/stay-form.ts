import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '../../resource/field.ts'
import { isReadOnly } from '../../resource/fields.ts'
import { stayAmountForm } from '../pricing/stay-amount.ts'
import { type Stay, type StayInput, stay } from '../resources/stay.ts'
import { personCount } from '../values/persons.ts'

type Settable = keyof Omit<StayInput, 'id'>

/** The fields that a body can set, in order of declaration. */
const settable = Object.entries(stay.fields as Fields)
  .filter(([, { options }]) => !isReadOnly(options))
  .map(([name]) => name as Settable)

/** Normalises values that a body can express in several ways. */
const inForm: { [Name in Settable]?: (value: StayInput[Name]) => unknown } = {
  personCount: (count) => count && personCount(count, {}),
  units: (units) => units && unitsInForm(units),
  reservationIds: (ids) => ids?.map(({ type, value, source = null }) => ({ type, value, source })),
  services: (services) => (services ?? []).map(({ serviceId, count }) => ({ serviceId, count: count ?? 1 })),
  amount: (amount) => amount && stayAmountForm(amount),
  profiles: (profiles) => (profiles ?? []).map(({ id, role }) => ({ id, role })),
}

/**
 * Returns the names of the fields that an input changes, in order of declaration. A field that the input omits does not
 * change. A null for a field that has no value is not a change. Throws 422 `validation-failed` for an invalid value.
 */
export function changedBy(before: Stay, input: StayInput): string[] {
  return settable.filter(
    (name) =>
      input[name] !== undefined && !isDeepStrictEqual(inOneForm(before, name), inOneForm(input, name)),
  )
}

function inOneForm<Name extends Settable>(of: StayInput, name: Name): unknown {
  return inForm[name]?.(of[name]) ?? of[name] ?? null
}

/** Returns the places of a stay, each with its unit or null. */
export function unitsInForm(units: Stay['units']): { unitTypeId: string; unitId: string | null }[] {
  return units.map(({ unitTypeId, unitId }) => ({ unitTypeId, unitId: unitId ?? null }))
}
