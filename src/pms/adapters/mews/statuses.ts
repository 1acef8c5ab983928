import type { StayStatus } from '../../../reservation/stays/status.ts'
import type { MewsReservation } from './records.ts'

/** What each state of a reservation is here. */
const statuses: Readonly<Record<string, StayStatus>> = {
  Inquired: 'Tentative',
  Optional: 'Tentative',
  Requested: 'Waitlisted',
  Confirmed: 'Confirmed',
  Started: 'InHouse',
  Processed: 'CheckedOut',
  Canceled: 'Canceled',
}

/** Null for a state that is not known. Who did not come is canceled there, with that as the reason. */
export function statusOf({ State, CancellationReason }: MewsReservation): StayStatus | null {
  if (State === 'Canceled' && CancellationReason === 'NoShow') return 'NoShow'
  return statuses[State] ?? null
}

/** States of what is not over. */
export const openStates = ['Inquired', 'Optional', 'Requested', 'Confirmed', 'Started']
export const allStates = Object.keys(statuses)

/** By which operation a reservation there goes from one status to another; the others there are none for. */
export const actions: Partial<Record<`${StayStatus} ${StayStatus}`, 'start' | 'process' | 'cancel'>> = {
  'Confirmed InHouse': 'start',
  'InHouse CheckedOut': 'process',
  'Tentative Canceled': 'cancel',
  'Waitlisted Canceled': 'cancel',
  'Confirmed Canceled': 'cancel',
}

const purposes: Readonly<Record<string, 'Leisure' | 'Business'>> = {
  Leisure: 'Leisure',
  Business: 'Business',
}

export function purposeOf(purpose: string | null | undefined): 'Leisure' | 'Business' | 'Other' | null {
  return purpose ? (purposes[purpose] ?? 'Other') : null
}
