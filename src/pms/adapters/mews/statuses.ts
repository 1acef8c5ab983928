import type { StayStatus } from '../../../reservation/stays/rules/status-rules.ts'
import type { MewsReservation } from './records.ts'

/** The stay status of each state of a reservation. */
const statuses: Readonly<Record<string, StayStatus>> = {
  Inquired: 'Tentative',
  Optional: 'Tentative',
  Requested: 'Waitlisted',
  Confirmed: 'Confirmed',
  Started: 'InHouse',
  Processed: 'CheckedOut',
  Canceled: 'Canceled',
}

/** The stay status; null for an unknown state. A no-show is Canceled at Mews, with NoShow as the reason. */
export function statusOf({ State, CancellationReason }: MewsReservation): StayStatus | null {
  if (State === 'Canceled' && CancellationReason === 'NoShow') return 'NoShow'
  return statuses[State] ?? null
}

/** The states of reservations that are not over. */
export const openStates = ['Inquired', 'Optional', 'Requested', 'Confirmed', 'Started']
/** All known states. */
export const allStates = Object.keys(statuses)

export type Action = 'confirm' | 'start' | 'process' | 'cancel'

/** The operations for each change of status that Mews supports, in their order. */
const actions: Partial<Record<`${StayStatus} ${StayStatus}`, readonly Action[]>> = {
  'Tentative Confirmed': ['confirm'],
  'Tentative InHouse': ['confirm', 'start'],
  'Tentative CheckedOut': ['confirm', 'start', 'process'],
  'Tentative Canceled': ['cancel'],
  'Waitlisted Canceled': ['cancel'],
  'Confirmed InHouse': ['start'],
  'Confirmed CheckedOut': ['start', 'process'],
  'Confirmed Canceled': ['cancel'],
  'InHouse CheckedOut': ['process'],
}

/** The operations from one status to another; none where it is the same; null where Mews has none. */
export function actionsBetween(now: StayStatus, wanted: StayStatus): readonly Action[] | null {
  return now === wanted ? [] : (actions[`${now} ${wanted}`] ?? null)
}

const purposes: Readonly<Record<string, 'Leisure' | 'Business'>> = {
  Leisure: 'Leisure',
  Business: 'Business',
}

/** The purpose of a stay: Other for one that has no counterpart here; null for none. */
export function purposeOf(purpose: string | null | undefined): 'Leisure' | 'Business' | 'Other' | null {
  return purpose ? (purposes[purpose] ?? 'Other') : null
}
