import { codeText, dateText, moneyText, priceText } from '../../lib/language/format.ts'
import { listedName, type SyncConflict } from '../../lib/server/resources.ts'
import { g } from '../stay/texts.ts'
import { t } from './texts.ts'

/** What both sides have of one value, in words. */
export interface Said {
  /** The path of the value. */
  path: string
  /** The name of the value, such as `Departure`. */
  name: string
  Pms: string
  Local: string
}

type Members = Readonly<Record<string, unknown>>

/** Returns the values in which both sides of a conflict differ, as a clerk reads them. */
export function saidIn({ local, upstream }: SyncConflict): Said[] {
  return [...new Set([...Object.keys(local ?? {}), ...Object.keys(upstream ?? {})])].map((path) => {
    const member = memberOf(path)
    const [Local, Pms] = [local, upstream].map((values) => wordsOf(member, values?.[path]))
    return { path, name: nameOf(member), Pms: Pms ?? '', Local: Local ?? '' }
  })
}

const nameOf = (member: string) => t.value.members[member as keyof typeof t.value.members] ?? member

/**
 * Returns the member that a path names: `endDate` of `/stays/{id}/endDate`, and the list of `/stays/{id}` or
 * `/stays/{id}/services/BRK`.
 */
function memberOf(path: string): string {
  const names = path.split('/')
  return names.at(names.length % 2 === 0 ? -1 : -2) ?? ''
}

function wordsOf(member: string, value: unknown): string {
  const isNothing = value === null || value === undefined || value === ''
  if (isNothing || (Array.isArray(value) && value.length === 0)) {
    return t.value.absent[member as keyof typeof t.value.absent] ?? t.value.nothing
  }
  if (Array.isArray(value)) return value.map((each) => wordsOf(member, each)).join(', ')
  return words[member]?.(value) ?? plain(value)
}

/** Declared as a method type, so that TypeScript accepts a function of one kind of value. */
type Words = { of(value: unknown): string | undefined }['of']

const words: Readonly<Record<string, Words | undefined>> = {
  startDate: (date: string) => dateText(date),
  endDate: (date: string) => dateText(date),
  birthDate: (date: string) => dateText(date, { day: 'numeric', month: 'short', year: 'numeric' }),
  status: (status: keyof typeof g.value.status) => g.value.status[status],
  gender: (gender: keyof typeof t.value.genders) => t.value.genders[gender],
  purpose: (purpose: keyof typeof t.value.purposes) => t.value.purposes[purpose],
  languageCode: (code: string) => codeText(code, 'language'),
  nationality: (code: string) => codeText(code, 'region'),
  units: ({ unitTypeCode, unitName }: { unitTypeCode: string; unitName?: string | null }) =>
    `${unitName ?? g.value.noRoom} (${unitTypeCode})`,
  personCount: personsText,
  amount: ({ currency, amountWithTax }: { currency: string; amountWithTax: number }) =>
    priceText(amountWithTax, currency),
  payments: paymentText,
  services: ({ serviceCode, count }: { serviceCode: string; count?: number }) =>
    `${count ?? 1} × ${serviceCode}`,
  reservationIds: ({ value }: { value: string }) => value,
  guests: listedName,
  stays: stayText,
}

interface Persons {
  adults: number
  children?: number | null
  infants?: number | null
}

function personsText({ adults, children, infants }: Persons): string {
  const { adults: ofAdults, children: ofChildren, infants: ofInfants } = t.value.persons
  return [ofAdults(adults), children && ofChildren(children), infants && ofInfants(infants)]
    .filter(Boolean)
    .join(', ')
}

interface Paid {
  currency: string
  amount: number
  brand: string
  voidedAt?: string | null
}

function paymentText({ currency, amount, brand, voidedAt }: Paid): string {
  const text = `${moneyText(amount, currency)}, ${g.value.brands[brand] ?? brand}`
  return voidedAt ? `${text}, ${t.value.takenBack}` : text
}

interface Guest {
  role?: string
  firstName?: string
  lastName?: string
}

interface WholeStay {
  startDate: string
  endDate: string
  units?: { unitName?: string | null }[]
  guests?: Guest[]
}

function stayText({ startDate, endDate, units = [] }: WholeStay): string {
  const rooms = units.flatMap(({ unitName }) => unitName ?? [])
  const room = rooms.length > 0 ? `${g.value.room} ${rooms.join(', ')}` : g.value.noRoom
  return `${dateText(startDate)} – ${dateText(endDate)}, ${room}`
}

/** Returns the guest of a stay that only one side has. */
export function guestInWhole({ local, upstream }: SyncConflict): string | null {
  const whole = [...Object.values(upstream ?? {}), ...Object.values(local ?? {})]
  const guests = whole.flatMap((value) => (value as WholeStay | null)?.guests ?? [])
  const guest = guests.find(({ role }) => role === 'PrimaryGuest') ?? guests[0]
  return guest ? listedName(guest) : null
}

/** An address, a telephone number or another text. What names a kind, such as `Home`, is left out. */
function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  const { type: _, ...members } = value as Members
  return Object.values(members)
    .filter((each) => ['string', 'number'].includes(typeof each))
    .join(', ')
}
