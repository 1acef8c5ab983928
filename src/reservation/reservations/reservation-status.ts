import type { StayStatus } from '../stays/status.ts'

/** Returns the status of a reservation with stays of these statuses: the first match. Without stays it is Tentative. */
export function reservationStatus(statuses: readonly StayStatus[]): StayStatus {
  if (statuses.length === 0) return 'Tentative'
  const live = (['InHouse', 'Confirmed', 'Tentative', 'Waitlisted', 'CheckedOut'] as const).find((status) =>
    statuses.includes(status),
  )
  return live ?? (statuses.every((status) => status === 'NoShow') ? 'NoShow' : 'Canceled')
}

/** The status of a stay and its first and last date, YYYY-MM-DD. */
export interface StayDays {
  status: StayStatus
  startDate: string
  endDate: string
}

/** Returns whether the guest can arrive today: the stay is Confirmed, and today is within its dates. */
export function dueIn({ status, startDate, endDate }: StayDays, today: string): boolean {
  return status === 'Confirmed' && startDate <= today && today <= endDate
}

/** Returns whether the guest leaves today or is overdue: the stay is InHouse, and its end date is today or earlier. */
export function dueOut({ status, endDate }: StayDays, today: string): boolean {
  return status === 'InHouse' && endDate <= today
}
