import { invalidValue } from '../../resource/problem.ts'
import { type RoundingMode, roundingModes, toMinor } from '../values/money.ts'
import { closedObject, withoutNulls } from '../values/value-schema.ts'

const adjustmentBases = ['PerNight', 'PerStay', 'PerPerson', 'PerPersonNight'] as const
const amount = { type: 'number', minimum: -999_999_999, maximum: 999_999_999 }
const roundingUnit = { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 }

/** The JSON Schema of a DerivedAdjustment. Amounts are decimals in major units of the plan's currency. */
export const derivedAdjustmentSchema = closedObject(
  {
    type: { enum: ['Percent', 'Absolute'] },
    value: amount,
    basis: { enum: adjustmentBases },
    rounding: closedObject({ mode: { enum: roundingModes }, unit: roundingUnit }, ['mode', 'unit']),
    minimum: amount,
    maximum: amount,
  },
  ['type', 'value'],
)

/** The type of a value that `derivedAdjustmentSchema` accepts. */
export interface DerivedAdjustmentInput {
  type: 'Percent' | 'Absolute'
  value: number
  basis?: (typeof adjustmentBases)[number] | null
  rounding?: { mode: RoundingMode; unit: number } | null
  minimum?: number | null
  maximum?: number | null
}

/**
 * How a sales channel derives a plan's price from the price of the parent plan. An absolute adjustment always has a
 * basis. The appliance does not apply it: a stay comes with its own price.
 */
type DerivedAdjustment = {
  [Part in keyof DerivedAdjustmentInput]: NonNullable<DerivedAdjustmentInput[Part]>
}

/**
 * Returns the complete adjustment. Throws 422 `validation-failed` for a percentage outside -100..1000, for a percentage
 * with a basis, for amounts that do not fit the currency, and for a minimum above the maximum.
 */
export function derivedAdjustment(input: DerivedAdjustmentInput, currency: string): DerivedAdjustment {
  const adjustment = withoutNulls(input)
  const { type, value, basis, rounding, minimum, maximum } = adjustment
  for (const [field, major] of Object.entries({ minimum, maximum, ...(type === 'Absolute' && { value }) })) {
    if (major !== undefined) toMinor(major, currency, `${at}/${field}`)
  }
  if (rounding) toMinor(rounding.unit, currency, `${at}/rounding/unit`)
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    throw invalidValue(`${at}/minimum`, 'The minimum is above the maximum.')
  }
  if (type === 'Absolute') return { ...adjustment, basis: basis ?? 'PerNight' }
  if (basis) throw invalidValue(`${at}/basis`, 'Only an absolute adjustment has a basis.')
  if (value < -100 || value > 1000) {
    throw invalidValue(`${at}/value`, 'Expected a percentage from -100 to 1000.', { expected: '-100..1000' })
  }
  return adjustment
}

const at = '/derivedAdjustment'
