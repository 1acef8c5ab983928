import { command, type Transaction } from '../../resource/command.ts'
import { dayOf, inSlice, type Slice, type Sliced } from '../../resource/slice.ts'
import { profile } from '../resources/profile.ts'
import { normalizedName } from '../values/normalized-name.ts'
import { anonymous } from './erase-profile.ts'

const { firstName, lastName } = anonymous

const isErased = `firstName = '${firstName}' AND lastName = '${lastName}'`
const ofStays =
  'SELECT 1 FROM stay_profile AS named JOIN stay ON stay.rid = named.owner WHERE named.id = profile.rid'

/** A person, not a company, whose profile is older than a moment and whose stays all ended before a date. */
const isLongGone = `NOT (${isErased}) AND coalesce(profileType, 'Private') = 'Private' AND createdAt < ?
  AND NOT EXISTS (${ofStays} AND (stay.endDate >= ? OR stay.status = 'InHouse'))`

/** An erased profile that no stay and no registration refers to. */
const isUnused = `${isErased} AND NOT EXISTS (${ofStays})
  AND NOT EXISTS (SELECT 1 FROM registration WHERE registration.profileId = profile.rid)`

/**
 * Processes one slice of all profiles: erases the persons whose stays all ended before `slice.before`, and removes
 * erased profiles that no stay refers to any more.
 */
export const forgetProfiles = command('retention/profiles', (tx, slice: Slice): Sliced => {
  const condition = `(${isLongGone}) OR (${isUnused})`
  const values = [slice.before, dayOf(slice.before)]
  return inSlice(tx, { table: profile.table, condition, values }, slice, (part, id) => {
    const row = part.find(profile, id)
    if (row.firstName === firstName && row.lastName === lastName) part.remove(profile, id)
    else forget(part, id)
  })
})

/**
 * Stays keep their reference to the erased profile, so that counts and bills stay correct. Other tables with data about
 * the person have retention rules of their own.
 */
function forget(tx: Transaction, id: string): void {
  tx.overwrite(profile, id, { ...anonymous, normalizedName: normalizedName(firstName, lastName) })
  tx.journal('profile.anonymized', `profiles/${id}`, { revision: tx.revision(profile, id) })
}
