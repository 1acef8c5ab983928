import { invalidValue } from './invalid-value.ts'
import { type Decimal, decimal, divide, type RoundingMode, roundingModes, toMinor } from './money.ts'
import { closedObject, withoutNulls } from './value-schema.ts'

export const adjustmentBases = ['PerNight', 'PerStay', 'PerPerson', 'PerPersonNight'] as const
export type AdjustmentBasis = (typeof adjustmentBases)[number]

const amount = { type: 'number', minimum: -999_999_999, maximum: 999_999_999 }
const roundingUnit = { type: 'number', exclusiveMinimum: 0, maximum: 1_000_000 }

/** DerivedAdjustment in a body; amounts are decimals in major units of the plan's currency. */
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

/** What `derivedAdjustmentSchema` lets through. */
export interface DerivedAdjustmentInput {
  type: 'Percent' | 'Absolute'
  value: number
  basis?: AdjustmentBasis | null
  rounding?: { mode: RoundingMode; unit: number } | null
  minimum?: number | null
  maximum?: number | null
}

/** How a derived plan's price follows from its parent's; an absolute one always has a basis. */
export type DerivedAdjustment = {
  [Part in keyof DerivedAdjustmentInput]: NonNullable<DerivedAdjustmentInput[Part]>
}

/**
 * The adjustment, completed. Throws 422 `validation-failed` for a percentage out of -100..1000, a basis where there
 * is nothing to multiply, amounts that do not fit the currency, and a minimum above the maximum.
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

/**
 * The price of a stay on a derived plan, in minor units, from its price on the parent: adjusted, rounded (to the
 * currency's own unit unless the adjustment says otherwise), then kept between minimum and maximum and never below 0.
 */
export function derivedPrice(
  parentPrice: number,
  adjustment: DerivedAdjustment,
  stay: { currency: string; nights: number; persons: number },
): number {
  const { currency } = stay
  const minorOf = (major: number) => toMinor(major, currency, at)
  const { mode, unit } = adjustment.rounding ?? { mode: 'Round' as const, unit: undefined }
  const step = BigInt(unit === undefined ? 1 : minorOf(unit))
  const exact = adjusted(parentPrice, adjustment, { ...stay, minorOf })
  const divisor = 10n ** BigInt(exact.places) * step
  const rounded = Number(divide(exact.units, divisor, mode) * step)
  const most = adjustment.maximum === undefined ? rounded : Math.min(rounded, minorOf(adjustment.maximum))
  const least = adjustment.minimum === undefined ? most : Math.max(most, minorOf(adjustment.minimum))
  return Math.max(0, least)
}

interface Quantities {
  nights: number
  persons: number
  minorOf(major: number): number
}

/** Minor units, not yet rounded. */
function adjusted(parentPrice: number, { type, value, basis }: DerivedAdjustment, stay: Quantities): Decimal {
  if (type === 'Percent') {
    const { units, places } = decimal(value)!
    return { units: BigInt(parentPrice) * (100n * 10n ** BigInt(places) + units), places: places + 2 }
  }
  return { units: BigInt(parentPrice + stay.minorOf(value) * times[basis ?? 'PerNight'](stay)), places: 0 }
}

const times: Record<AdjustmentBasis, (stay: Quantities) => number> = {
  PerNight: ({ nights }) => nights,
  PerStay: () => 1,
  PerPerson: ({ persons }) => persons,
  PerPersonNight: ({ persons, nights }) => persons * nights,
}
