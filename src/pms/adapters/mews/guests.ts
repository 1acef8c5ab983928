import { firstNameOf, fullName } from '../../../resource/values/person-name.ts'
import type { SharedGuest, SharedStay } from '../../sync/shared-reservation.ts'
import { type MewsCall, type MewsClient, MewsRefusal } from './client.ts'
import type { MewsReservation } from './records.ts'

interface GuestOptions {
  client: MewsClient
  record: MewsReservation
  /** The stay as Mews has it now. */
  now: SharedStay
  /** The guests whom Mews had when they were changed here. */
  from: readonly SharedGuest[]
}

/** Brings the guests of a reservation to those that the stay has here. False when Mews has them already. */
export async function writeGuests(
  wanted: readonly SharedGuest[],
  { client, record, now, from }: GuestOptions,
  call: MewsCall,
): Promise<boolean> {
  const changing = { ...call, changes: true }
  const there = now.guests ?? []
  const persons = wanted.filter(isPerson)
  let hasChanged = false
  for (const gone of there.filter((each) => !persons.some((guest) => isSame(guest, each)))) {
    // A guest who was added at Mews in the meantime stays.
    if (!from.some((each) => isSame(each, gone))) continue
    if (gone.externalId === record.AccountId) {
      throw new MewsRefusal(403, 'Mews does not remove the owner of a reservation. Change the owner in Mews.')
    }
    const body = { ReservationId: record.Id, CustomerId: gone.externalId }
    await client.ask('reservations/deleteCompanion', body, changing)
    hasChanged = true
  }
  for (const guest of persons) {
    const known = there.find((each) => isSame(guest, each))
    if (known) {
      const changed = changedMembers(known, guest)
      if (Object.keys(changed).length === 0) continue
      await client.ask('customers/update', { CustomerId: known.externalId, ...changed }, changing)
    } else {
      const CustomerId = await addCustomer(client, guest, call)
      await client.ask('reservations/addCompanion', { ReservationId: record.Id, CustomerId }, changing)
    }
    hasChanged = true
  }
  return hasChanged
}

/** Adds a customer, or finds the one with this e-mail address. Returns the id. */
export async function addCustomer(client: MewsClient, guest: SharedGuest, call: MewsCall): Promise<string> {
  const body = { OverwriteExisting: false, ...customerOf(guest) }
  const { Id } = await client.ask<{ Id?: string }>('customers/add', body, { ...call, changes: true })
  if (!Id) throw new MewsRefusal(400, 'Mews has added a customer without an id.')
  return Id
}

/** A guest is a customer at Mews; a booker or a company has no place among the companions. */
export const isPerson = ({ role }: SharedGuest) => role === 'PrimaryGuest' || role === 'AdditionalGuest'

function isSame(one: SharedGuest, other: SharedGuest): boolean {
  if (one.externalId && other.externalId) return one.externalId === other.externalId
  return nameOf(one) === nameOf(other)
}

const nameOf = (guest: SharedGuest) => fullName(guest).toLowerCase()

/** The members of a customer that are otherwise here. Mews leaves those that are absent. */
function changedMembers(known: SharedGuest, guest: SharedGuest): Record<string, string> {
  const [before, after] = [customerOf(known), customerOf(guest)]
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value))
}

const titles: Readonly<Record<string, string>> = { Mr: 'Mister', Mrs: 'Misses', Ms: 'Miss' }

/** The members of a customer that are known here. */
function customerOf(guest: SharedGuest): Record<string, string> {
  const { firstName, lastName, title, nationality, languageCode, birthDate, emails, phoneNumbers } = guest
  const members = {
    FirstName: firstNameOf(firstName),
    LastName: lastName,
    Title: titles[title ?? ''],
    NationalityCode: nationality,
    LanguageCode: languageCode,
    BirthDate: birthDate,
    Email: emails?.[0]?.address,
    Phone: phoneNumbers?.[0]?.number,
  }
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  )
}
