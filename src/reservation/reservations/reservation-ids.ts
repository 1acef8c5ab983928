import { Problem } from '../../resource/problem.ts'
import { withoutNulls } from '../value-schema.ts'

export const reservationIdTypes = [
  'Master',
  'Confirmation',
  'Channel',
  'Pms',
  'Group',
  'Cancellation',
  'TravelAgent',
  'Voucher',
  'Other',
] as const
export type ReservationIdType = (typeof reservationIdTypes)[number]

interface ReservationId {
  type: ReservationIdType
  value: string
  source?: string | null
}

/** Returns the entries without null members. Throws 422 `reservation-id-duplicate-type` when two have the same type. */
export function reservationIds(entries: readonly ReservationId[]): ReservationId[] {
  const seen = new Set<ReservationIdType>()
  for (const [at, { type }] of entries.entries()) {
    if (seen.has(type)) {
      throw new Problem('reservation-id-duplicate-type', `There is more than one id of type ${type}.`, {
        pointer: `/reservationIds/${at}/type`,
        meta: { type },
      })
    }
    seen.add(type)
  }
  return entries.map(withoutNulls)
}

/** Returns a confirmation number in its search form, which ignores case and spaces. */
export function searchForm(value: string): string {
  return value.normalize('NFKC').replace(/\s/g, '').toUpperCase().normalize('NFKC')
}
