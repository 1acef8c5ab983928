import { localDate, localTime } from '../../../host/zone.ts'
import type { Language } from '../../../jsonapi/locales/language.ts'
import {
  type Message,
  type MessageCode,
  type MessageValue,
  messageText,
  valueText,
} from '../../../jsonapi/locales/message.ts'
import { settingsIn } from '../../../reservation/resources/house.ts'
import type { StayStatus } from '../../../reservation/stays/rules/status-rules.ts'
import type { Transaction } from '../../../resource/command.ts'
import { toDecimal } from '../../../resource/values/currency.ts'
import { fullName, namesOf, type PersonName } from '../../../resource/values/person-name.ts'
import type { FieldGroup } from '../../resources/conflict-policy.ts'
import type { ConflictReason } from '../../resources/sync-conflict.ts'
import { stayGroups } from '../merge/merge-fields.ts'
import type { Disagreement } from '../merge/merge-members.ts'
import { same } from '../merge/same.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../shared-reservation.ts'
import { snapshot } from '../snapshot.ts'

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

/** The longest text of one value. */
const longest = 300

/** A conflict as messages for the front desk: who reported what and when, which side counts, and why. */
export function messagesOf(tx: Transaction, disagreement: Disagreement, seen: Seen): Message[] {
  const { group, reason, stayId } = disagreement
  const stay = seen.before.stays.find(({ localId }) => localId === stayId)
  const { timeZone } = settingsIn(tx)
  const at = (moment: number | null | undefined) => (moment ? timeValue(moment, tx.now, timeZone) : '')
  const scene: Scene = {
    ...disagreement,
    who: nameOf(stay, seen.before),
    theirs: sideValue(group, disagreement, 'upstream'),
    ours: sideValue(group, disagreement, 'local'),
    isOurs: Object.values(disagreement.said).some(({ base, local }) => !same(base, local)),
    reportedAt: at(seen.changedAt),
    doneAt: at(seen.localAt?.[stayId ?? '']),
    refusal: (seen.refusal ?? '').slice(0, longest),
  }
  if (reason === 'refused-by-pms') return [refused(scene)]
  const { ours, theirs } = scene
  const code = because(reason, scene)
  const label = labels[group]
  const shared = disagreement.other && snapshot(tx, disagreement.other)
  const other = shared && { other: nameOf(undefined, shared) }
  const values = { ours, ...(decides.has(code) && { group: label }), ...other }
  return [said(scene), { code, values: code === 'conflict-pms-decides' ? { theirs, group: label } : values }]
}

/** The messages of a conflict as one text in a language. Every sentence begins with a capital letter. */
export function sentenceOf(language: Language, messages: readonly Message[]): string {
  const texts = messages.map((each) => capital(messageText(language, each)))
  return texts.join(' ').replace(/\s+/g, ' ').slice(0, longestSentence)
}

const longestSentence = 1_000

interface Scene extends Disagreement {
  who: MessageValue
  /** What each side has. */
  theirs: MessageValue
  ours: MessageValue
  /** The house has changed it as well. */
  isOurs: boolean
  reportedAt: MessageValue
  doneAt: MessageValue
  refusal: string
}

function said({ group, who, theirs, ours, isOurs, reportedAt, doneAt, said }: Scene): Message {
  const isGone = Object.values(said).some(({ upstream }) => upstream === null)
  const here: Message = { code: 'here-is', values: { ours } }
  if (group === 'units') {
    const given: Message = isOurs ? { code: 'here-you-gave', values: { ours, doneAt } } : here
    return theirs === noRoom
      ? { code: 'conflict-unit-taken-away', values: { who, reportedAt, here: given } }
      : { code: 'conflict-unit-given', values: { who, theirs, reportedAt, here: given } }
  }
  if (group === 'dates' && isGone && !isPeriod(ours)) {
    const kept: Message = isOurs
      ? { code: 'here-was-changed', values: { doneAt } }
      : { code: 'here-as-before' }
    return { code: 'conflict-stay-gone', values: { who, reportedAt, here: kept } }
  }
  const changed: Message = isOurs ? { code: 'here-you-changed', values: { ours, doneAt } } : here
  return {
    code: 'conflict-changed',
    values: { group: labels[group], who, theirs, reportedAt, here: changed },
  }
}

function isPeriod(value: MessageValue): boolean {
  return valueText('en', value).includes(' to ')
}

function refused({ who, ours, theirs, refusal, group, said }: Scene): Message {
  const what: MessageValue = ours === noRoom ? { code: 'the-reservation' } : ours
  const there: MessageValue = theirs === noRoom ? '' : { code: 'there-is', values: { theirs } }
  const code = isFact(group, said) ? 'conflict-fact-refused' : 'conflict-refused'
  return { code, values: { who, ours: what, refusal, there } }
}

/** Whether it has happened: money was taken, a guest is in the house or has left. It is not undone, so it has to be recorded. */
function isFact(group: FieldGroup, said: Disagreement['said']): boolean {
  const happened: readonly unknown[] = ['InHouse', 'CheckedOut']
  return (
    group === 'payments' ||
    Object.entries(said).some(
      ([pointer, { local }]) => pointer.endsWith('/status') && happened.includes(local),
    )
  )
}

/** Messages that name the group of fields. */
const decides = new Set<MessageCode>(['conflict-pms-decides', 'conflict-house-decides'])

function because(reason: Exclude<ConflictReason, 'refused-by-pms'>, { counts, group }: Scene): MessageCode {
  if (reason === 'both-changed') return counts === 'Pms' ? 'conflict-pms-decides' : 'conflict-house-decides'
  if (reason === 'unit-taken') return group === 'dates' ? 'conflict-dates-not-free' : 'conflict-unit-not-free'
  if (reason === 'double-booked') return counts === 'Pms' ? 'conflict-unit-shared' : 'conflict-unit-in-use'
  return reasons[reason]
}

const reasons: Record<
  Exclude<ConflictReason, 'refused-by-pms' | 'both-changed' | 'unit-taken' | 'double-booked'>,
  MessageCode
> = {
  'guest-was-here': 'conflict-guest-here',
  'key-is-out': 'conflict-key-out',
  leased: 'conflict-leased',
  'day-is-over': 'conflict-day-over',
  'no-such-step': 'conflict-no-such-step',
}

const labels: Record<FieldGroup, Message> = {
  dates: { code: 'group-dates' },
  guests: { code: 'group-guests' },
  rates: { code: 'group-rates' },
  services: { code: 'group-services' },
  units: { code: 'group-units' },
  comments: { code: 'group-comments' },
  status: { code: 'group-status' },
  payments: { code: 'group-payments' },
}

const noRoom: Message = { code: 'no-room' }

/** What one side has of all the members, in words. */
function sideValue(group: FieldGroup, { said }: Disagreement, side: 'local' | 'upstream'): MessageValue {
  const values = Object.entries(said).map(
    ([pointer, value]) => [pointer.split('/').at(-1)!, value[side]] as const,
  )
  if (values.every(([name]) => name === 'units')) return unitValue(values[0]?.[1])
  // What was refused may be of other groups as well.
  if (group === 'dates' && !values.some(([name]) => isOfAnother(name))) {
    return datesValue(Object.fromEntries(values), values[0]?.[1])
  }
  const all = values.map(([name, value]) => (name === 'units' ? unitValue(value) : wordsOf(name, value)))
  return all.length === 1 ? all[0]! : all
}

function isOfAnother(name: string): boolean {
  const group = (stayGroups as Record<string, FieldGroup | null>)[name]
  return group !== undefined && group !== 'dates'
}

function unitValue(value: unknown): MessageValue {
  const places = (Array.isArray(value) ? value : []) as NonNullable<SharedStay['units']>
  return joined(places.flatMap(({ unitName }) => unitName ?? [])) ?? noRoom
}

/** The values with `and` between them; null without any. */
function joined(values: readonly MessageValue[]): MessageValue | null {
  const [first, ...others] = values
  if (first === undefined) return null
  return others.reduce((one, other): Message => ({ code: 'one-and-other', values: { one, other } }), first)
}

function datesValue(values: Record<string, unknown>, first: unknown): MessageValue {
  const whole = first && typeof first === 'object' ? (first as Record<string, unknown>) : values
  const from = whole.startDate ? String(whole.startDate) : null
  const until = whole.endDate ? String(whole.endDate) : null
  if (from && until) return { code: 'from-to', values: { from, until } }
  const parts = Object.values(whole).filter((value) => typeof value === 'string' && value !== '')
  if (from) return { code: 'arrival-on', values: { from } }
  if (until) return { code: 'departure-on', values: { until } }
  return first === null && parts.length === 0 ? { code: 'no-stay' } : parts.join(', ')
}

function wordsOf(name: string, value: unknown): MessageValue {
  if (value === null || value === undefined || value === '') return { code: 'nothing' }
  if (name === 'status') return { code: `status-${value as StayStatus}` }
  if (typeof value === 'string') return `“${value.slice(0, 80)}”`
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return joined(value.map((each) => wordsOf('', each))) ?? { code: 'nothing' }
  return objectValue(value as Record<string, unknown>)
}

function objectValue(value: Record<string, unknown>): MessageValue {
  const { currency, amountWithTax, amount, brand, serviceCode, count } = value
  if (brand) {
    const paid = toDecimal(Number(amount), String(currency))
    return { code: 'paid-by', values: { amount: paid, currency: String(currency), brand: String(brand) } }
  }
  if (currency) return `${amountWithTax} ${currency}`
  if (value.adults !== undefined) return personsValue(Number(value.adults), Number(value.children ?? 0))
  const name = fullName(value as PersonName)
  if (name) return name
  if (serviceCode) return `${count ?? 1} ${serviceCode}`
  const { value: text, address, number, city } = value
  const found = text ?? address ?? number ?? city
  return found === undefined || found === null ? { code: 'another-value' } : String(found)
}

function personsValue(adults: number, children: number): Message {
  return children
    ? { code: 'adults-and-children', values: { adults, children } }
    : { code: 'adults', values: { adults } }
}

const forms = { Female: 'Ms', Male: 'Mr' } as const

function nameOf(stay: SharedStay | undefined, { stays, externalId }: SharedReservation): MessageValue {
  const guests = (stay ? [stay] : stays).flatMap(({ guests = [] }) => guests)
  const guest = guests.find(({ role }) => role === 'PrimaryGuest') ?? guests[0]
  const name = guest && guestName(guest)
  if (name) return name
  return externalId
    ? { code: 'reservation-number', values: { number: externalId } }
    : { code: 'the-reservation' }
}

/** Empty for a guest without a name. */
function guestName({ title, gender, ...guest }: SharedGuest): string {
  const form = title || (gender && forms[gender as keyof typeof forms])
  const names = namesOf(guest)
  return (form ? [form, ...names.slice(-1)] : names).join(' ')
}

/** The time of a moment, and its day unless it is today. */
function timeValue(moment: number, now: number, zone: string): Message {
  const day = localDate(moment, zone)
  const time = localTime(moment, zone)
  return day === localDate(now, zone)
    ? { code: 'at-time', values: { time } }
    : { code: 'on-day', values: { day, time } }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
