import type { StayStatus } from '../../../reservation/stays/rules/status-rules.ts'

/** The stay status of each status of a reservation (`pMS_ResStatusType`). */
const statuses: Readonly<Record<string, StayStatus>> = {
  Reserved: 'Confirmed',
  DueIn: 'Confirmed',
  Requested: 'Tentative',
  Waitlisted: 'Waitlisted',
  InHouse: 'InHouse',
  Walkin: 'InHouse',
  DueOut: 'InHouse',
  PendingCheckout: 'InHouse',
  CheckedOut: 'CheckedOut',
  Cancelled: 'Canceled',
  NoShow: 'NoShow',
}

/** The stay status; null for an unknown status of OPERA. */
export function statusOf(status: string): StayStatus | null {
  return statuses[status] ?? null
}

const over: readonly StayStatus[] = ['CheckedOut', 'Canceled', 'NoShow']

/** True for a reservation with which nothing more happens. */
export function isOver(status: string): boolean {
  const known = statusOf(status)
  return known !== null && over.includes(known)
}

/** What is done at OPERA for a change of status. */
export type Action = 'check-in' | 'undo-check-in' | 'check-out' | 'reinstate' | 'cancel'

const actions: Partial<Record<`${StayStatus} ${StayStatus}`, readonly Action[]>> = {
  'Confirmed InHouse': ['check-in'],
  'Confirmed CheckedOut': ['check-in', 'check-out'],
  'InHouse CheckedOut': ['check-out'],
  'InHouse Confirmed': ['undo-check-in'],
  'CheckedOut InHouse': ['reinstate'],
  'Tentative Canceled': ['cancel'],
  'Waitlisted Canceled': ['cancel'],
  'Confirmed Canceled': ['cancel'],
}

/** The actions from one status to another; null for a change that OPERA does not have. */
export function actionsBetween(now: StayStatus, wanted: StayStatus): readonly Action[] | null {
  return now === wanted ? [] : (actions[`${now} ${wanted}`] ?? null)
}
