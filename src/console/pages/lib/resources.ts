import type { Resource } from './api.ts'

// The attributes that the pages read. A test compares their names with the OpenAPI document.

interface PersonCount {
  adults: number
  children: number
  infants: number
  total: number
}

interface StayUnit {
  unitId: string | null
  unitTypeId: string
  unitName: string | null
  /** A key is out for the unit. */
  locked: boolean
}

export type StayStatus =
  | 'Tentative'
  | 'Waitlisted'
  | 'Confirmed'
  | 'InHouse'
  | 'CheckedOut'
  | 'Canceled'
  | 'NoShow'

export interface Stay {
  reservationId: string
  /** A date of the property, YYYY-MM-DD. */
  startDate: string
  startTime: string | null
  endDate: string
  endTime: string | null
  status: StayStatus
  personCount: PersonCount
  units: StayUnit[]
  reservationIds: { type: string; value: string }[]
  externalId: string | null
  ratePlanId: string | null
  profiles: { type: 'profile'; id: string; role: string }[]
  /** Amounts are decimals of the currency. */
  amount: {
    currency: string
    amountWithTax: number
    amountWithoutTax?: number | null
    perNight?: { date: string; amountWithTax: number; amountWithoutTax?: number | null }[] | null
  } | null
  comment: string | null
  guestComment: string | null
  nights: number
  plannedStartsAt: string
  plannedEndsAt: string
  checkedInAt: string | null
  checkedOutAt: string | null
  /** Amounts in the smallest unit of the currency; null without a price. */
  due: number | null
  paid: number | null
  outstanding: number | null
  currency: string | null
  keys: { live: number; virtual: number; link: string }
  revision: number
}

export interface Profile {
  firstName: string | null
  lastName: string | null
  title: string | null
  companyName: string | null
  languageCode: string | null
  normalizedName: string | null
  revision: number
}

export type UnitStatus = 'Dirty' | 'Cleaning' | 'Clean' | 'Inspected' | 'OutOfService' | 'OutOfOrder'

export interface Unit {
  name: string
  floor: string | null
  status: UnitStatus
  unitTypeId: string
  occupied: boolean
  idleSince: string | null
  revision: number
}

export interface UnitType {
  name: string
  code: string
  maxOccupancy: number | null
  revision: number
}

export interface Key {
  unitName: string | null
  original: boolean
  keyType: string
  status: string
  sequence: number | null
  uid: string | null
  pin: string | null
  validFrom: string | null
  validUntil: string | null
  externalId: string | null
  stayId: string | null
  endDate: string
  mayOpen: boolean
  createdAt: string
  revision: number
}

export interface CardRun {
  keyId: string
  controllerId: string
  step: 'asked' | 'writing' | 'verified' | 'presented' | 'recalled' | 'ended'
  ending: 'taken' | 'handed' | 'captured' | 'left' | 'failed' | 'unknown' | null
  reason: string | null
  uid: string | null
}

export interface Controller {
  name: string
  keyType: string
  dispenserId: string | null
  isReady: boolean
  /** Why the controller is not ready, or what is to be done soon. */
  reason: string | null
}

export interface Payment {
  stayId: string | null
  currency: string
  amount: number
  brand: string
  brandText: string | null
  createdAt: string
  voidedAt: string | null
  revision: number
}

export interface SyncConflict {
  reservationId: string
  stayId: string | null
  counts: 'Pms' | 'Local'
  sentence: string
  state: string
  detectedAt: string
  revision: number
}

export interface RatePlan {
  name: string
  currency: string
  active: boolean
}

/** The profile of the guest who is named first; null without one. */
export function guestOf(stay: Resource<Stay>, included: readonly Resource[]): Resource<Profile> | null {
  const named = stay.attributes.profiles
  const first = named.find(({ role }) => role === 'PrimaryGuest') ?? named[0]
  const isGuest = (each: Resource): each is Resource<Profile> =>
    each.type === 'profile' && each.id === first?.id
  return included.find(isGuest) ?? null
}

/** `Garcia, Lucia`, as a list shows it. */
export function nameInList(profile: Resource<Profile> | null): string {
  if (!profile) return '–'
  const { lastName, firstName, companyName } = profile.attributes
  return [lastName, firstName].filter(Boolean).join(', ') || companyName || '–'
}

/** The number that the guest knows. */
export function numberOf(stay: Resource<Stay>): string {
  const { reservationIds, externalId } = stay.attributes
  return (
    reservationIds.find(({ type }) => type === 'Confirmation')?.value ??
    reservationIds[0]?.value ??
    externalId ??
    ''
  )
}
