import { command, type Transaction } from '../../resource/command.ts'
import { dayOf, inSlice, type NextSlice, type Slice } from '../../resource/slice.ts'
import { profile } from '../resources/profile.ts'
import { anonymous } from './erase-profile.ts'
import { normalizedName } from './normalized-name.ts'

const { firstName, lastName } = anonymous

const isErased = `firstName = '${firstName}' AND lastName = '${lastName}'`
const ofStays =
  'SELECT 1 FROM stay_profile AS named JOIN stay ON stay.rid = named.owner WHERE named.id = profile.rid'

/** A person, not a company, whose stays have all ended before a day, and whose profile is older than a moment. */
const isLongGone = `NOT (${isErased}) AND coalesce(profileType, 'Private') = 'Private' AND createdAt < ?
  AND NOT EXISTS (${ofStays} AND (stay.endDate >= ? OR stay.status = 'InHouse'))`

/** An erased profile that nothing names any more. */
const isUnused = `${isErased} AND NOT EXISTS (${ofStays})`

/** One slice of all profiles: those of persons long gone are erased, and later, when no stay names them any more, removed. */
export const forgetProfiles = command('retention/profiles', (tx, slice: Slice): NextSlice => {
  const condition = `(${isLongGone}) OR (${isUnused})`
  const values = [slice.before, dayOf(slice.before)]
  return inSlice(tx, { table: profile.table, condition, values }, slice, (id) => {
    const row = tx.find(profile, id)
    if (row.firstName === firstName && row.lastName === lastName) tx.remove(profile, id)
    else forget(tx, id)
  })
})

/** Stays keep the profile, so that counts and bills stay right. What else names the person goes by the rule of its own table. */
function forget(tx: Transaction, id: string): void {
  tx.overwrite(profile, id, { ...anonymous, normalizedName: normalizedName(firstName, lastName) })
  tx.journal('profile.anonymized', `profiles/${id}`, { revision: tx.revision(profile, id) })
}
