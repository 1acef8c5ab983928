import { fullName, namesOf, type PersonName } from '../../../../resource/values/person-name.ts'
import type { Resource } from './api.ts'
import type { Message } from './message.ts'

export { firstNameOf } from '../../../../resource/values/person-name.ts'

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
  /** A key was made for the unit. */
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
  /** Why the guests are checked in without registration. */
  registrationWaiver: string | null
  nights: number
  plannedStartsAt: string
  plannedEndsAt: string
  checkedInAt: string | null
  checkedOutAt: string | null
  /** Amounts in minor units of the currency; null without a price. */
  due: number | null
  paid: number | null
  outstanding: number | null
  currency: string | null
  cancellationPolicy: { name: string; description: string | null } | null
  /** In minor units of the currency. It is fixed at a cancellation or a no-show. */
  cancellationFee: { currency: string; amount: number } | null
  /** Whether the guest owes the fee: it is due then. */
  feeCharged: boolean | null
  keys: { live: number; virtual: number; link: string }
  revision: number
}

/** Where a person lives, or the house stands; each member is optional for a person. */
export type Address = {
  line1?: string
  line2?: string
  line3?: string
  postalCode?: string
  city?: string
  region?: string
  /** ISO 3166-1 alpha-2. */
  country?: string
  primary?: boolean
}

export interface Property {
  name: string
  address: Address
}

export interface Profile {
  firstName: string | null
  middleName: string | null
  lastName: string | null
  nationality: string | null
  /** YYYY-MM-DD. */
  birthDate: string | null
  addresses: Address[] | null
  emails: { address: string; primary?: boolean }[] | null
  phoneNumbers: { number: string; primary?: boolean }[] | null
  title: string | null
  companyName: string | null
  languageCode: string | null
  normalizedName: string | null
  revision: number
}

export type UnitStatus = 'Dirty' | 'Cleaning' | 'Clean' | 'Inspected' | 'OutOfService' | 'OutOfOrder'

/** Days on which a room cannot be given, both included; without dates while it is out of order. */
export type Maintenance = {
  from: string | null
  until: string | null
  reason: string | null
}

export interface Unit {
  name: string
  floor: string | null
  status: UnitStatus
  /** Until when, YYYY-MM-DD, and why a room is out of order. */
  outOfOrderUntil: string | null
  outOfOrderReason: string | null
  unitTypeId: string
  occupied: boolean
  idleSince: string | null
  maintenance: Maintenance[] | null
  revision: number
}

export interface UnitType {
  name: string
  code: string
  maxOccupancy: number | null
  revision: number
}

/** A door of a key: a unit, or a common door, which no newer card closes. */
interface KeyDoor {
  unitName: string | null
  authorization: string | null
  mayOpen: boolean
}

export interface Key {
  unitName: string | null
  extraUnits: string[] | null
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
  /** True until the last of its doors is closed. */
  mayOpen: boolean
  doors: KeyDoor[]
  createdAt: string
  revision: number
}

/** Whether a key opens, will open, or may turn out to. */
export const isCurrent = ({ status }: Key) => ['live', 'virtual', 'pendingWrite', 'unknown'].includes(status)

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
  /** The kinds of card that the box itself reads and writes here; null for none. */
  cardFormats: readonly string[] | null
  isReady: boolean
  /** Why the controller is not ready, or what needs attention soon. */
  reason: string | null
  /** The same in the language of the page; null without a message. */
  messages: Message[] | null
}

export interface Payment {
  stayId: string | null
  /** The amount of a refund is positive too. */
  kind: 'Payment' | 'Refund'
  currency: string
  amount: number
  brand: string
  brandText: string | null
  /** The payment that a refund gives back; null for a refund of what was paid too much. */
  refundOf: string | null
  reason: string | null
  /** The share of each stay; one where the payment is for a stay. */
  allotments: { stayId: string; share: number }[] | null
  createdAt: string
  voidedAt: string | null
  revision: number
}

/**
 * A payment at a terminal, open until the terminal has reported how it ended. The amount is in minor units of its currency.
 */
export interface TerminalPayment {
  terminalId: string
  stayId: string
  amount: number
  currency: string
  state: 'open' | 'paid' | 'refused'
  /** Why it was refused, in the word of the terminal. */
  reason: string | null
  /** Since when the terminal does not say whether the guest has paid. */
  inDoubtSince: string | null
  settledAt: string | null
  createdAt: string
}

/** Whether the terminal never began a payment, by the reason of its end. */
export function isNotBegun(reason: string | null): boolean {
  return reason === 'never-started' || reason === 'never-arrived'
}

/** The side of a conflict between the hotel and its PMS. */
export type Side = 'Pms' | 'Local'

export interface SyncConflict {
  reservationId: string
  stayId: string | null
  /** The stay of the conflict, or the first one of its reservation. */
  shownStayId: string | null
  fieldGroup: string
  /** What each side has, by the path of the value: `/stays/{id}/endDate`. */
  local: Record<string, unknown> | null
  upstream: Record<string, unknown> | null
  /** The side whose value counts until a person decides. */
  counts: Side
  sentence: string
  messages: Message[] | null
  state: 'open' | 'accepted' | 'reversed' | 'settled'
  detectedAt: string
  resolvedAt: string | null
  revision: number
}

export interface RatePlan {
  name: string
  currency: string
  active: boolean
}

/** The profile of the first guest; null without one. */
export function guestOf(stay: Resource<Stay>, included: readonly Resource[]): Resource<Profile> | null {
  const named = stay.attributes.profiles
  const first = named.find(({ role }) => role === 'PrimaryGuest') ?? named[0]
  const isGuest = (each: Resource): each is Resource<Profile> =>
    each.type === 'profile' && each.id === first?.id
  return included.find(isGuest) ?? null
}

/** `Lucia Garcia`, to address a guest. */
export function spokenName(profile: Resource<Profile> | null): string {
  return profile ? fullName(profile.attributes) || profile.attributes.companyName || '' : ''
}

/** `Garcia, Lucia`, for lists. */
export function nameInList(profile: Resource<Profile> | null): string {
  if (!profile) return '–'
  return listedName(profile.attributes) || profile.attributes.companyName || '–'
}

/** `Garcia, Lucia`; `Aulia` for a person with a single name. Empty for one without a name. */
export function listedName(person: PersonName): string {
  return namesOf(person).reverse().join(', ')
}

/** The booking number that the guest knows. */
export function numberOf(stay: Resource<Stay>): string {
  const { reservationIds, externalId } = stay.attributes
  return (
    reservationIds.find(({ type }) => type === 'Confirmation')?.value ??
    reservationIds[0]?.value ??
    externalId ??
    ''
  )
}
