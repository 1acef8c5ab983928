import { localDate, localTime } from '../../host/zone.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../sync/shared-reservation.ts'
import type { Lookups } from './lookups.ts'
import type { MewsCustomer, MewsReservation } from './records.ts'
import { purposeOf, statusOf } from './statuses.ts'

interface FormParts {
  lookups: Lookups
  /** The owner first, then who accompanies him. */
  customers: readonly MewsCustomer[]
  timeZone: string
}

/** Why a reservation cannot be told. */
export class Untellable {
  /** A sentence. */
  reason: string
  /** It names what may be set up there later. */
  isPassing: boolean

  constructor(reason: string, { isPassing }: { isPassing: boolean }) {
    this.reason = reason
    this.isPassing = isPassing
  }
}

/** A reservation there as the house and a PMS tell it: one stay. */
export function sharedForm(
  record: MewsReservation,
  { lookups, customers, timeZone }: FormParts,
): SharedReservation | Untellable {
  const status = statusOf(record)
  if (!status) return new Untellable(`State is ${record.State}, which is not known.`, { isPassing: false })
  const { RequestedResourceCategoryId: categoryId, AssignedResourceId: resourceId } = record
  const unitTypeCode = lookups.unitTypeCode(categoryId)
  if (!unitTypeCode) {
    const reason = `RequestedResourceCategoryId is ${categoryId}, which is no category of the service, or one without a code.`
    return new Untellable(reason, { isPassing: true })
  }
  const unitName = resourceId ? lookups.unitName(resourceId) : null
  if (resourceId && !unitName) {
    const reason = `AssignedResourceId is ${resourceId}, which is no room of the service.`
    return new Untellable(reason, { isPassing: true })
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

/** Of an age category that is not known nobody says that it is of children. */
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
    // A person has a first name here; this stands for one that is not told.
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

/** Of phone numbers those alone that say of which country they are. */
function international(phone: string | null | undefined): string | null {
  const digits = phone?.replace(/[\s()/.-]/g, '').replace(/^00/, '+') ?? ''
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null
}

const titles: Readonly<Record<string, string>> = { Mister: 'Mr', Misses: 'Mrs', Miss: 'Ms' }
