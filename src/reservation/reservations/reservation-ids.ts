import { Problem } from '../../resource/problem.ts'

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

/** Returns the entries with their search forms. Throws 422 `reservation-id-duplicate-type` when two have the same type. */
export function reservationIds(
  entries: readonly ReservationId[],
): (ReservationId & { searchForm: string })[] {
  const ids = new Map<ReservationIdType, ReservationId & { searchForm: string }>()
  for (const [at, { type, value, source }] of entries.entries()) {
    if (ids.has(type)) {
      throw new Problem('reservation-id-duplicate-type', `There is more than one id of type ${type}.`, {
        pointer: `/reservationIds/${at}/type`,
        meta: { type },
      })
    }
    ids.set(type, {
      type,
      value,
      ...(typeof source === 'string' && { source }),
      searchForm: searchForm(value),
    })
  }
  return [...ids.values()]
}

/** Returns a confirmation number in its search form, which ignores case and spaces. */
export function searchForm(value: string): string {
  return value.normalize('NFKC').replace(/\s/g, '').toUpperCase().normalize('NFKC')
}
