import { chargedNights } from '../../resource/charged-nights.ts'
import { invalidValue } from '../../resource/problem.ts'

/** The pricing types of a service: the code in documents, and the name. */
export const pricingTypes = { 12: 'Stay', 19: 'Night', 20: 'Person', 21: 'PersonNight', 24: 'Item' } as const
export type PricingType = keyof typeof pricingTypes

/** A service booked on a stay. */
export interface BookedService {
  pricingType: PricingType
  /** Minor units. */
  amountWithTax: number
  /** The number of items. It is 1 for all other pricing types. */
  count: number
}

interface Quantities {
  nights: number
  persons: number
}

/**
 * Returns the price of a service on a stay, in minor units. A service priced per night is charged once on a day use.
 */
export function servicePrice({ pricingType, amountWithTax, count }: BookedService, stay: Quantities): bigint {
  return BigInt(amountWithTax) * BigInt(times[pricingType]({ ...stay, count }))
}

const times: Record<PricingType, (of: Quantities & { count: number }) => number> = {
  12: () => 1,
  19: ({ nights }) => chargedNights(nights),
  20: ({ persons }) => persons,
  21: ({ persons, nights }) => persons * chargedNights(nights),
  24: ({ count }) => count,
}

/** Throws 422 `validation-failed` for a count other than 1, unless the service is priced per item. */
export function checkServiceCount({
  pricingType,
  count,
}: Pick<BookedService, 'pricingType' | 'count'>): void {
  if (pricingType === 24 || count === 1) return
  throw invalidValue('/count', 'The count is 1 unless the service is priced by the item.', { expected: 1 })
}
