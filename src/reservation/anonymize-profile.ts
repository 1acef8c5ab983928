import { change, type Transaction } from '../resource/change.ts'
import type { Attributes } from '../resource/resource.ts'
import { dayOf, inSlice, type NextSlice, type Slice } from '../resource/slice.ts'
import { normalizedName } from './normalized-name.ts'
import { profile } from './resources/profile.ts'

/** Whoever this was: the name that every forgotten person has. */
const nobody = { firstName: 'Guest', lastName: 'Anonymized' } as const

/** What is not known of anybody any more. */
const forgotten = {
  middleName: null,
  nationality: null,
  companyName: null,
  title: null,
  languageCode: null,
  birthDate: null,
  gender: null,
  addresses: null,
  emails: null,
  phoneNumbers: null,
  number: null,
  externalId: null,
} as const satisfies Partial<Attributes<typeof profile.fields>>

/** Empties a profile of everything that tells who it was. Stays keep it, so that counts and bills stay right. */
export function anonymizeProfile(tx: Transaction, id: string): void {
  const { firstName, lastName } = nobody
  tx.overwrite(profile, id, {
    ...nobody,
    ...forgotten,
    profileType: 'Private',
    normalizedName: normalizedName(firstName, lastName),
  })
  tx.journal('profile.anonymized', `profiles/${id}`, { revision: tx.revision(profile, id) })
}

const isNobody = `firstName = '${nobody.firstName}' AND lastName = '${nobody.lastName}'`
const ofStays =
  'SELECT 1 FROM stay_profile AS named JOIN stay ON stay.rid = named.owner WHERE named.id = profile.rid'

/** A person, not a company, whose stays have all ended before a day, and whose profile is older than a moment. */
const isLongGone = `NOT (${isNobody}) AND coalesce(profileType, 'Private') = 'Private' AND createdAt < ?
  AND NOT EXISTS (${ofStays} AND (stay.endDate >= ? OR stay.status = 'InHouse'))`

/** Nobody, whom nothing names any more. */
const isUnused = `${isNobody} AND NOT EXISTS (${ofStays})`

/** One slice of all profiles: those of persons long gone are anonymised, and later, when no stay names them any more, removed. */
export const forgetProfiles = change('retention/profiles', (tx, slice: Slice): NextSlice => {
  const condition = `(${isLongGone}) OR (${isUnused})`
  const values = [slice.before, dayOf(slice.before)]
  return inSlice(tx, { table: profile.table, condition, values }, slice, (id) => {
    const { firstName, lastName } = tx.find(profile, id)
    if (firstName === nobody.firstName && lastName === nobody.lastName) tx.remove(profile, id)
    else anonymizeProfile(tx, id)
  })
})
