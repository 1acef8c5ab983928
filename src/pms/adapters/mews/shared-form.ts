import { localDate, localTime } from '../../../host/zone.ts'
import { presentCountry } from '../../../resource/values/country-code.ts'
import { firstNameOf } from '../../../resource/values/person-name.ts'
import type { SharedGuest, SharedReservation, SharedStay } from '../../sync/shared-reservation.ts'
import { emailsOf, phoneNumbersOf } from '../contact-details.ts'
import type { Lookups } from './lookups.ts'
import { commentOf, ownNote } from './notes.ts'
import type { MewsCustomer, MewsNote, MewsReservation } from './records.ts'
import { purposeOf, statusOf } from './statuses.ts'

interface FormParts {
  lookups: Lookups
  /** The owner first, then the companions. */
  customers: readonly MewsCustomer[]
  notes: readonly MewsNote[]
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

const hasBegun: readonly string[] = ['InHouse', 'CheckedOut']

/** Converts a Mews reservation to the shared form: one stay. */
export function sharedForm(
  record: MewsReservation,
  { lookups, customers, notes, timeZone }: FormParts,
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
    // Mews moves the planned time of a guest who comes or leaves early.
    ...(!hasBegun.includes(status) && { startTime: localTime(start, timeZone) }),
    endDate: localDate(end, timeZone),
    ...(status !== 'CheckedOut' && { endTime: localTime(end, timeZone) }),
    units: [{ unitTypeCode, unitName }],
    reservationIds: reservationIds(record),
    personCount: personCount(record, lookups),
    guests: customers.map(guest),
  }
  const purpose = purposeOf(record.Purpose)
  const channel = record.ChannelManager ?? null
  const localId = ownNote(notes)?.localId
  return {
    externalId: record.Id,
    ...(localId && { localId }),
    channel,
    purpose,
    comment: commentOf(notes),
    stays: [stay],
  }
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
  const nationality = NationalityCode && presentCountry(NationalityCode)
  return {
    externalId: Id,
    role: at === 0 ? 'PrimaryGuest' : 'AdditionalGuest',
    firstName: firstNameOf(FirstName?.trim().slice(0, 100)),
    // A guest needs a last name here; this text replaces a missing one.
    lastName: LastName.trim().slice(0, 100) || '-',
    ...(titles[Title ?? ''] && { title: titles[Title ?? ''] }),
    ...(nationality && { nationality }),
    ...(language && /^[a-z]{2}$/.test(language) && { languageCode: language }),
    ...(BirthDate && /^\d{4}-\d\d-\d\d$/.test(BirthDate) && { birthDate: BirthDate }),
    ...emailsOf(Email),
    ...phoneNumbersOf(Phone),
  }
}

const titles: Readonly<Record<string, string>> = { Mister: 'Mr', Misses: 'Mrs', Miss: 'Ms' }
