import type { Stay } from '../resources/stay.ts'
import type { StayStatus } from '../stays/status.ts'

/** A reservation's status out of those of its stays: the first that matches. Without stays it is Tentative. */
export function reservationStatus(statuses: readonly StayStatus[]): StayStatus {
  if (statuses.length === 0) return 'Tentative'
  const live = (['InHouse', 'Confirmed', 'Tentative', 'Waitlisted', 'CheckedOut'] as const).find((status) =>
    statuses.includes(status),
  )
  return live ?? (statuses.every((status) => status === 'NoShow') ? 'NoShow' : 'Canceled')
}

/** Whether the guest is expected today: confirmed, and today is a day on which the stay can be checked in. */
export function dueIn(
  { status, startDate, endDate }: Pick<Stay, 'status' | 'startDate' | 'endDate'>,
  today: string,
): boolean {
  return status === 'Confirmed' && startDate <= today && today <= endDate
}

/** Whether the guest should leave today or should have left: in house, and the last day has come. */
export function dueOut({ status, endDate }: Pick<Stay, 'status' | 'endDate'>, today: string): boolean {
  return status === 'InHouse' && endDate <= today
}
