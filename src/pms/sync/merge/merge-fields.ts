import type { FieldGroup } from '../../resources/conflict-policy.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../shared-reservation.ts'

/** Of each member the group in which it is decided; null for what names a thing, and for the lists of things below it. */
type Groups<Members> = { [Member in keyof Required<Members>]: FieldGroup | null }

export const reservationGroups = {
  externalId: null,
  localId: null,
  channel: 'rates',
  purpose: 'rates',
  comment: 'comments',
  guestComment: 'comments',
  stays: null,
  payments: 'payments',
} as const satisfies Groups<SharedReservation>

export const stayGroups = {
  externalId: null,
  localId: null,
  status: 'status',
  startDate: 'dates',
  startTime: 'dates',
  endDate: 'dates',
  endTime: 'dates',
  personCount: 'guests',
  units: 'units',
  shareId: 'units',
  reservationIds: 'rates',
  ratePlanCode: 'rates',
  services: 'services',
  amount: 'rates',
  guests: 'guests',
  comment: 'comments',
  guestComment: 'comments',
} as const satisfies Groups<SharedStay>

export const guestGroups = {
  externalId: null,
  localId: null,
  role: 'guests',
  firstName: 'guests',
  middleName: 'guests',
  lastName: 'guests',
  title: 'guests',
  profileType: 'guests',
  companyName: 'guests',
  nationality: 'guests',
  languageCode: 'guests',
  birthDate: 'guests',
  gender: 'guests',
  addresses: 'guests',
  emails: 'guests',
  phoneNumbers: 'guests',
} as const satisfies Groups<SharedGuest>

/** The members of a stay that decide which unit it holds when. */
export const placing: readonly string[] = [
  'status',
  'units',
  'shareId',
  'startDate',
  'startTime',
  'endDate',
  'endTime',
] satisfies (keyof SharedStay)[]

/** In which group what a pointer by ids names is decided: `/stays/<id>/endDate`. Null for a stay as a whole. */
export function groupAt(pointer: string): FieldGroup | null {
  const [, top = '', id, member] = pointer.split('/')
  const groups: Readonly<Record<string, FieldGroup | null>> =
    id === undefined ? reservationGroups : stayGroups
  return groups[id === undefined ? top : (member ?? '')] ?? null
}

/** Members that are decided together, because half of the one and half of the other would mean a third thing. */
export interface Bundle {
  group: FieldGroup
  members: readonly string[]
}

/** The two dates are one period, and a price is that of its rate plan. Everything else is decided alone. */
const together: readonly (readonly string[])[] = [
  ['startDate', 'startTime', 'endDate', 'endTime'],
  ['ratePlanCode', 'amount'],
]

export const reservationBundles = bundlesOf(reservationGroups, ['payments'])
/** Without those that have ways of their own: status, places, and lists whose items are known apart. */
export const stayBundles = bundlesOf(stayGroups, ['status', 'units', 'reservationIds', 'services', 'guests'])
export const guestBundles = bundlesOf(guestGroups, [])

function bundlesOf(groups: Record<string, FieldGroup | null>, without: readonly string[]): Bundle[] {
  const bundles: Bundle[] = []
  for (const [member, group] of Object.entries(groups)) {
    if (group === null || without.includes(member)) continue
    const members = together.find((each) => each.includes(member)) ?? [member]
    if (members[0] === member) bundles.push({ group, members })
  }
  return bundles
}
