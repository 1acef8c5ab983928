import type { Transaction } from '../../resource/command.ts'
import { checkServiceCount, type PricingType } from '../pricing/service-price.ts'
import { service } from '../resources/service.ts'
import type { Stay } from '../resources/stay.ts'
import { referenced, underPointer } from '../value-problems.ts'

/** A service on a stay with the price for which it was booked; amounts are decimals in major units. */
type StayService = NonNullable<Stay['services']>[number]

/**
 * Returns the services of a stay with their booked prices. A service that was booked before keeps its price, even if
 * the price of the service has changed since. A missing count is the count of the service. Throws 422
 * `reference-unknown` for an unknown service, and 422 `validation-failed` for a count that its pricing type does not
 * allow.
 */
export function bookedServices(
  tx: Transaction,
  given: readonly StayService[],
  kept: readonly StayService[],
): StayService[] {
  const left = [...kept]
  return given.map((entry, index) => {
    const at = left.findIndex(({ serviceId }) => serviceId === entry.serviceId)
    const [before] = at < 0 ? [] : left.splice(at, 1)
    const isSame = before?.pricingType && entry.count === before.count
    return isSame ? before : booked(tx, entry, before, `/services/${index}`)
  })
}

function booked(
  tx: Transaction,
  { serviceId, count: given }: StayService,
  before: StayService | undefined,
  pointer: string,
): StayService {
  const product = referenced(tx, service, serviceId, `${pointer}/serviceId`)
  const priced = before?.pricingType ? before : product
  const count = given ?? product.count
  underPointer(pointer, () => checkServiceCount({ pricingType: priced.pricingType as PricingType, count }))
  return {
    serviceId,
    count,
    currencyCode: priced.currencyCode ?? null,
    amountWithTax: priced.amountWithTax ?? null,
    amountWithoutTax: priced.amountWithoutTax ?? null,
    pricingType: priced.pricingType ?? null,
  }
}
