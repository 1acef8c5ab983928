import { localDate, localTime } from '../../../host/zone.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../../sync/shared-reservation.ts'
import type { Lookups } from './lookups.ts'
import type { MewsCustomer, MewsReservation } from './records.ts'
import { purposeOf, statusOf } from './statuses.ts'

interface FormParts {
  lookups: Lookups
  /** The owner first, then the companions. */
  customers: readonly MewsCustomer[]
  timeZone: string
}

/** The reason why a reservation cannot be reported. */
export class Unconvertible {
  /** A sentence. */
  reason: string
  /** True when it names an object that may become known later. */
  isPassing: boolean

  constructor(reason: string, { isPassing }: { isPassing: boolean }) {
    this.reason = reason
    this.isPassing = isPassing
  }
}

/** Converts a Mews reservation to the shared form: one stay. */
export function sharedForm(
  record: MewsReservation,
  { lookups, customers, timeZone }: FormParts,
): SharedReservation | Unconvertible {
  const status = statusOf(record)
  if (!status)
    return new Unconvertible(`State is ${record.State}, which is not a known state.`, { isPassing: false })
  const { RequestedResourceCategoryId: categoryId, AssignedResourceId: resourceId } = record
  const unitTypeCode = lookups.unitTypeCode(categoryId)
  if (!unitTypeCode) {
    const reason = `RequestedResourceCategoryId is ${categoryId}, which is not a category of the service, or has no code.`
    return new Unconvertible(reason, { isPassing: true })
  }
  const unitName = resourceId ? lookups.unitName(resourceId) : null
  if (resourceId && !unitName) {
    const reason = `AssignedResourceId is ${resourceId}, which is not a room of the service.`
    return new Unconvertible(reason, { isPassing: true })
  }
  const [start, end] = [Date.parse(record.ScheduledStartUtc), Date.parse(record.ScheduledEndUtc)]
  const stay: SharedStay = {
    externalId: record.Id,
    status,
    startDate: localDate(start, timeZone),
    startTime: localTime(start, timeZone),
    endDate: localDate(end, timeZone),
    endTime: localTime(end, timeZone),
    units: [{ unitTypeCode, unitName }],
    reservationIds: reservationIds(record),
    personCount: personCount(record, lookups),
    guests: customers.map(guest),
  }
  const purpose = purposeOf(record.Purpose)
  return { externalId: record.Id, channel: record.ChannelManager ?? null, purpose, stays: [stay] }
}

function reservationIds({ Number: confirmation, ChannelNumber }: MewsReservation) {
  const ids: NonNullable<SharedStay['reservationIds']> = [{ type: 'Confirmation', value: confirmation }]
  if (ChannelNumber) ids.push({ type: 'Channel', value: ChannelNumber.slice(0, 128) })
  return ids
}

/** Persons of an unknown age category count as adults. */
function personCount({ PersonCounts }: MewsReservation, { isAdult }: Lookups) {
  const count = (wanted: boolean) =>
    PersonCounts.filter(({ AgeCategoryId }) => (isAdult(AgeCategoryId) ?? true) === wanted).reduce(
      (sum, { Count }) => sum + Count,
      0,
    )
  return { adults: Math.min(count(true), 99), children: Math.min(count(false), 99) }
}

function guest(customer: MewsCustomer, at: number): SharedGuest {
  const { Id, FirstName, LastName, Title, NationalityCode, LanguageCode, BirthDate, Email, Phone } = customer
  const language = LanguageCode?.slice(0, 2).toLowerCase()
  const number = international(Phone)
  return {
    externalId: Id,
    role: at === 0 ? 'PrimaryGuest' : 'AdditionalGuest',
    // A guest needs a first name here; this text replaces a missing one.
    firstName: FirstName?.trim().slice(0, 100) || '-',
    lastName: LastName.trim().slice(0, 100) || '-',
    ...(titles[Title ?? ''] && { title: titles[Title ?? ''] }),
    ...(NationalityCode && /^[A-Z]{2}$/.test(NationalityCode) && { nationality: NationalityCode }),
    ...(language && /^[a-z]{2}$/.test(language) && { languageCode: language }),
    ...(BirthDate && /^\d{4}-\d\d-\d\d$/.test(BirthDate) && { birthDate: BirthDate }),
    ...(Email && address.test(Email) && { emails: [{ address: Email }] }),
    ...(number && { phoneNumbers: [{ number }] }),
  }
}

const address = /^[^\s@]{1,64}@[^\s@]{1,180}$/

/** Only phone numbers with a country code are kept. */
function international(phone: string | null | undefined): string | null {
  const digits = phone?.replace(/[\s()/.-]/g, '').replace(/^00/, '+') ?? ''
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null
}

const titles: Readonly<Record<string, string>> = { Mister: 'Mr', Misses: 'Mrs', Miss: 'Ms' }
