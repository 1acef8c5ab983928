import type { Transaction } from '../../resource/command.ts'
import type { Filter } from '../../resource/query.ts'
import { firstNameOf } from '../../resource/values/person-name.ts'
import { type Profile, privateOf, profile } from '../resources/profile.ts'
import type { Email } from '../values/email.ts'

/** The attributes of a profile in a body. */
type Attributes = Record<string, unknown>

/**
 * Returns the existing profile of the same person, or null. Two profiles of type Private describe the same person when
 * they have the same externalId, the same name and number, or the same name, date of birth and email address. The name
 * alone is not sufficient. Returns null for other profile types, because one person can represent several companies.
 */
export function profileOfPerson(tx: Transaction, attributes: Attributes): Profile | null {
  if ((attributes.profileType ?? 'Private') !== 'Private') return null
  return (
    privateOf(tx, attributes.externalId) ?? sameNumber(tx, attributes) ?? samePerson(tx, attributes) ?? null
  )
}

function sameNumber(tx: Transaction, { number, ...attributes }: Attributes): Profile | undefined {
  return number ? ofThisName(tx, attributes, { number: String(number) })[0] : undefined
}

function samePerson(tx: Transaction, { birthDate, emails, ...attributes }: Attributes): Profile | undefined {
  const addresses = addressesIn(emails)
  if (!birthDate || addresses.length === 0) return undefined
  return ofThisName(tx, attributes, { birthDate: String(birthDate) }).find((kept) =>
    addressesIn(kept.emails).some((address) => addresses.includes(address)),
  )
}

/** The profiles of type Private with this name and these values. The last name is the first filter, because it is indexed. */
function ofThisName(
  tx: Transaction,
  { firstName, lastName }: Attributes,
  values: Record<string, string>,
): Profile[] {
  const filters = Object.entries({ lastName: String(lastName), ...values, profileType: 'Private' }).map(
    ([path, value]): Filter => ({ path, operator: 'eq', value }),
  )
  const wanted = firstNameOf(firstName as string)
  return tx.select(profile, filters).filter((kept) => firstNameOf(kept.firstName) === wanted)
}

function addressesIn(emails: unknown): string[] {
  return ((emails ?? []) as Email[]).map(({ address }) => address.toLowerCase())
}
