import type { SharedStay } from './shared-reservation.ts'

type Units = NonNullable<SharedStay['units']>

/** Places without a word about the unit are as they were: who does not say which unit it is, does not say that there is none. */
export function withNames(units: Units | undefined, before: Units | undefined): Units | undefined {
  return units?.map((place, index) => {
    if (place.unitName !== undefined) return place
    const known = before?.[index]
    const isSame = known?.unitTypeCode === place.unitTypeCode
    return { ...place, unitName: (isSame && known?.unitName) || null }
  })
}
