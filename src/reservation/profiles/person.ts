import type { Transaction } from '../../resource/command.ts'
import type { Filter } from '../../resource/query.ts'
import { type Profile, privateOf, profile } from '../resources/profile.ts'
import type { Email } from './email.ts'

/** The attributes of a profile in a body. */
type Told = Record<string, unknown>

/**
 * Returns the existing profile of the same person, or null. Two profiles of type Private describe the same person when
 * they have the same externalId, the same name and number, or the same name, date of birth and email address. The name
 * alone is not sufficient. Returns null for other profile types, because one person can represent several companies.
 */
export function profileOfPerson(tx: Transaction, told: Told): Profile | null {
  if ((told.profileType ?? 'Private') !== 'Private') return null
  return privateOf(tx, told.externalId) ?? sameNumber(tx, told) ?? samePerson(tx, told) ?? null
}

function sameNumber(tx: Transaction, { number, ...told }: Told): Profile | undefined {
  return number ? privateProfiles(tx, { ...nameOf(told), number: String(number) })[0] : undefined
}

function samePerson(tx: Transaction, { birthDate, emails, ...told }: Told): Profile | undefined {
  const addresses = addressesIn(emails)
  if (!birthDate || addresses.length === 0) return undefined
  return privateProfiles(tx, { ...nameOf(told), birthDate: String(birthDate) }).find((kept) =>
    addressesIn(kept.emails).some((address) => addresses.includes(address)),
  )
}

/** The last name is the first filter, because it is indexed. */
function nameOf({ firstName, lastName }: Told) {
  return { lastName: String(lastName), firstName: String(firstName) }
}

function privateProfiles(tx: Transaction, told: Record<string, string>): Profile[] {
  const filters = Object.entries({ ...told, profileType: 'Private' }).map(
    ([path, value]): Filter => ({ path, operator: 'eq', value }),
  )
  return tx.select(profile, filters)
}

function addressesIn(emails: unknown): string[] {
  return ((emails ?? []) as Email[]).map(({ address }) => address.toLowerCase())
}
