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

export interface ReservationId {
  type: ReservationIdType
  value: string
  source?: string | null
}

/** The entries without what is null. Throws 422 `reservation-id-duplicate-type` when two are of one type. */
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

/** A confirmation number as it is searched by: whatever a guest types of case and spaces, it is the same. */
export function searchForm(value: string): string {
  return value.normalize('NFKC').replace(/\s/g, '').toUpperCase().normalize('NFKC')
}
