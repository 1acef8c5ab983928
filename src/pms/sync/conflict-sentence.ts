import { localDate, localTime } from '../../host/zone.ts'
import { settingsIn } from '../../reservation/property/house.ts'
import type { StayStatus } from '../../reservation/stays/status-rules.ts'
import type { Transaction } from '../../resource/command.ts'
import { toDecimal } from '../../resource/currency.ts'
import type { FieldGroup } from '../resources/conflict-policy.ts'
import type { ConflictReason } from '../resources/sync-conflict.ts'
import { stayGroups } from './merge-fields.ts'
import type { Disagreement } from './merge-members.ts'
import { same } from './same.ts'
import type { SharedGuest, SharedReservation, SharedStay } from './shared-reservation.ts'

/** What a sentence is made of besides the disagreement itself. */
export interface Seen {
  /** As the house had it. */
  before: SharedReservation
  /** When the PMS changed it, and when the house changed the stay last, by its id; Unix milliseconds. */
  changedAt: number | null
  localAt?: Readonly<Record<string, number>>
  /** Why the PMS did not take what it was offered. */
  refusal?: string
}

const longest = 1_000

/** A conflict in one or two sentences for whoever stands at the desk: who said what and when, what counts, and why. */
export function sentenceOf(tx: Transaction, disagreement: Disagreement, seen: Seen): string {
  const { group, reason, stayId } = disagreement
  const stay = seen.before.stays.find(({ localId }) => localId === stayId)
  const { timeZone } = settingsIn(tx)
  const at = (moment: number | null | undefined) => (moment ? ` ${timeText(moment, tx.now, timeZone)}` : '')
  const scene: Scene = {
    ...disagreement,
    who: nameOf(stay, seen.before),
    theirs: sideText(group, disagreement, 'upstream'),
    ours: sideText(group, disagreement, 'local'),
    isOurs: Object.values(disagreement.said).some(({ base, local }) => !same(base, local)),
    toldAt: at(seen.changedAt),
    doneAt: at(seen.localAt?.[stayId ?? '']),
    refusal: seen.refusal ?? '',
  }
  const text = reason === 'refused-by-pms' ? refused(scene) : `${said(scene)} ${because[reason](scene)}`
  return text.replace(/\s+/g, ' ').slice(0, longest)
}

interface Scene extends Disagreement {
  who: string
  /** What each side says it is, in words. */
  theirs: string
  ours: string
  /** The house has changed it as well. */
  isOurs: boolean
  toldAt: string
  doneAt: string
  refusal: string
}

function said({ group, who, theirs, ours, isOurs, toldAt, doneAt, said }: Scene): string {
  const isGone = Object.values(said).some(({ upstream }) => upstream === null)
  if (group === 'units') {
    const there = theirs === nothing ? `took the room of ${who} away` : `gave ${who} ${theirs}`
    return `The PMS ${there}${toldAt}; ${isOurs ? `you gave ${ours}${doneAt}` : `here it is ${ours}`}.`
  }
  if (group === 'dates' && isGone && ours.includes(' to ') === false) {
    return `The PMS has taken away the stay of ${who}${toldAt}; here it ${isOurs ? `was changed${doneAt}` : 'is as it was'}.`
  }
  const here = isOurs ? `you changed it to ${ours}${doneAt}` : `here it is ${ours}`
  return `The PMS changed ${labels[group]} of ${who} to ${theirs}${toldAt}; ${here}.`
}

function refused({ who, ours, theirs, refusal }: Scene): string {
  const what = ours === nothing ? 'the reservation' : ours
  const there = theirs === nothing ? '' : ` There it is ${theirs}.`
  return `The PMS did not take what was changed here for ${who} (${what}): ${refusal}${there} It stays as it is here until one of the two changes it.`
}

const because: Record<Exclude<ConflictReason, 'refused-by-pms'>, (scene: Scene) => string> = {
  'both-changed': ({ counts, group, ours, theirs }) =>
    counts === 'Pms'
      ? `${capital(theirs)} counts: the PMS decides on ${labels[group]}.`
      : `${capital(ours)} counts: the house decides on ${labels[group]}.`,
  'guest-was-here': ({ ours }) => `${capital(ours)} counts: the guest is here, or was.`,
  'key-is-out': ({ ours }) => `A key for it is out: ${ours} counts until that key is back.`,
  leased: ({ ours }) => `${capital(ours)} counts: the PMS had lent it to this house.`,
  'unit-taken': ({ group, ours }) =>
    group === 'dates'
      ? `The room is not free for that: ${ours} counts until it is.`
      : `Somebody else has that room here, or it is blocked: ${ours} counts until it is free.`,
  'day-is-over': ({ ours }) => `That day is over and the guest is still here: ${ours} counts.`,
  'no-such-step': ({ ours }) => `That cannot be done here: ${ours} counts.`,
}

const labels: Record<FieldGroup, string> = {
  dates: 'the dates',
  guests: 'the guests',
  rates: 'the price or the booking',
  services: 'the services',
  units: 'the room',
  comments: 'the comment',
  status: 'the status',
  payments: 'the payments',
}

const nothing = 'no room'

/** What one side says of all the places, in words. */
function sideText(group: FieldGroup, { said }: Disagreement, side: 'local' | 'upstream'): string {
  const values = Object.entries(said).map(
    ([pointer, value]) => [pointer.split('/').at(-1)!, value[side]] as const,
  )
  if (values.every(([name]) => name === 'units')) return unitText(values[0]?.[1])
  // What was refused may be of other groups as well.
  if (group === 'dates' && !values.some(([name]) => isOfAnother(name))) {
    return datesText(Object.fromEntries(values), values[0]?.[1])
  }
  return values
    .map(([name, value]) => (name === 'units' ? unitText(value) : valueText(name, value)))
    .join(', ')
}

function isOfAnother(name: string): boolean {
  const group = (stayGroups as Record<string, FieldGroup | null>)[name]
  return group !== undefined && group !== 'dates'
}

function unitText(value: unknown): string {
  const places = (Array.isArray(value) ? value : []) as NonNullable<SharedStay['units']>
  const names = places.flatMap(({ unitName }) => unitName ?? [])
  return names.length > 0 ? names.join(' and ') : nothing
}

function datesText(values: Record<string, unknown>, first: unknown): string {
  const whole = first && typeof first === 'object' ? (first as Record<string, unknown>) : values
  const [from, until] = [whole.startDate, whole.endDate]
  if (from && until) return `${from} to ${until}`
  const parts = Object.values(whole).filter((value) => typeof value === 'string' && value !== '')
  if (from) return `arrival on ${from}`
  if (until) return `departure on ${until}`
  return parts.length > 0 && first === null ? parts.join(', ') : first === null ? 'no stay' : parts.join(', ')
}

const statusWords: Record<StayStatus, string> = {
  Tentative: 'an option',
  Waitlisted: 'on the waiting list',
  Confirmed: 'confirmed',
  InHouse: 'in house',
  CheckedOut: 'checked out',
  Canceled: 'canceled',
  NoShow: 'no-show',
}

function valueText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (name === 'status') return statusWords[value as StayStatus] ?? String(value)
  if (typeof value === 'string') return `“${value.slice(0, 80)}”`
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map((each) => valueText('', each)).join(' and ') || 'nothing'
  const {
    currency,
    amountWithTax,
    amount,
    brand,
    adults,
    children,
    firstName,
    lastName,
    serviceCode,
    count,
    value: number,
  } = value as Record<string, unknown>
  if (brand) return `${toDecimal(Number(amount), String(currency))} ${currency} by ${brand}`
  if (currency) return `${amountWithTax} ${currency}`
  if (adults !== undefined) return `${adults} adults${children ? ` and ${children} children` : ''}`
  if (lastName) return `${firstName} ${lastName}`
  if (serviceCode) return `${count ?? 1} ${serviceCode}`
  const { address, city } = value as Record<string, unknown>
  return String(number ?? address ?? (value as Record<string, unknown>).number ?? city ?? 'another')
}

const forms = { Female: 'Ms', Male: 'Mr' } as const

function nameOf(stay: SharedStay | undefined, { stays, externalId }: SharedReservation): string {
  const guests = (stay ? [stay] : stays).flatMap(({ guests = [] }) => guests)
  const guest = guests.find(({ role }) => role === 'PrimaryGuest') ?? guests[0]
  return guest ? guestName(guest) : `reservation ${externalId ?? ''}`.trim()
}

function guestName({ title, gender, firstName, lastName }: SharedGuest): string {
  const form = title || (gender && forms[gender as keyof typeof forms])
  return form ? `${form} ${lastName}` : `${firstName} ${lastName}`
}

/** `at 14:02`, and the day where it was another. */
function timeText(moment: number, now: number, zone: string): string {
  const day = localDate(moment, zone)
  const time = `at ${localTime(moment, zone)}`
  return day === localDate(now, zone) ? time : `on ${day} ${time}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
