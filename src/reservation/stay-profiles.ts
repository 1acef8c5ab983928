import type { Transaction } from '../resource/change.ts'
import type { Attributes } from '../resource/resource.ts'
import { profileOfPerson } from './person.ts'
import { profile } from './resources/profile.ts'
import { underPointer } from './under-pointer.ts'

/** A profile in the body of a stay: the id of one that is there, or a whole one. */
export interface ProfileEntry {
  id?: string
  role?: string
  profile?: Record<string, unknown>
}

/** What of a stay's body may hold whole profiles. */
interface WithProfiles {
  profiles?: ProfileEntry[] | null
}

/** A whole profile of a person who has one already stands for that one: a second is not made, the first is left as it is. */
export function withKnownPersons<Input extends WithProfiles>(tx: Transaction, input: Input): Input {
  if (!input.profiles) return input
  return { ...input, profiles: input.profiles.map((entry) => knownPerson(tx, entry)) }
}

function knownPerson(tx: Transaction, entry: ProfileEntry): ProfileEntry {
  const known = entry.profile && profileOfPerson(tx, entry.profile)
  return known ? { id: known.id, ...(entry.role !== undefined && { role: entry.role }) } : entry
}

/**
 * Makes the profiles that a body brings along, so that only ids remain. `anew` makes one of a person who has one already:
 * for a caller who may not put a known profile on a stay, and must not be kept from checking the guest in.
 */
export function settleProfiles<Input extends WithProfiles>(
  tx: Transaction,
  input: Input,
  { anew = false }: { anew?: boolean } = {},
): Input {
  if (!input.profiles) return input
  const profiles = input.profiles.map((entry, index) => {
    const { id, role = 'PrimaryGuest', profile: whole } = anew ? entry : knownPerson(tx, entry)
    return { id: id ?? newProfile(tx, whole ?? {}, `/profiles/${index}`), role }
  })
  return { ...input, profiles }
}

function newProfile(tx: Transaction, attributes: Record<string, unknown>, at: string): string {
  return underPointer(at, () => tx.insert(profile, attributes as Attributes<typeof profile.fields>).id)
}
