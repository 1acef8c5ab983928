import type { Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { profileOfPerson } from '../profiles/person.ts'
import type { ProfileRole } from '../profiles/profile-role.ts'
import { profile } from '../resources/profile.ts'
import type { StayDraft, StayInput } from '../resources/stay.ts'
import { underPointer } from '../under-pointer.ts'

/** A profile in the body of a stay: the id of one that is there, or a whole one. */
export interface ProfileEntry {
  id?: string
  role?: string | null
  profile?: Record<string, unknown>
}

/** A whole profile of a person who has one already stands for that one: a second is not made, the first is left as it is. */
export function withKnownPersons(tx: Transaction, input: StayInput): StayInput {
  if (!input.profiles) return input
  return { ...input, profiles: input.profiles.map((entry) => knownPerson(tx, entry)) }
}

function knownPerson(tx: Transaction, entry: ProfileEntry): ProfileEntry {
  const known = entry.profile && profileOfPerson(tx, entry.profile)
  return known ? { id: known.id, ...(entry.role !== undefined && { role: entry.role }) } : entry
}

/**
 * The profiles of a stay as it keeps them: those that its input brings along are made. `anew` makes one of a person who has
 * one already: for a caller who may not put a known profile on a stay, and must not be kept from checking the guest in.
 */
export function makeProfiles(
  tx: Transaction,
  entries: readonly ProfileEntry[],
  { anew }: { anew: boolean },
): NonNullable<StayDraft['profiles']> {
  return entries.map((entry, index) => {
    const { id, role, profile: whole } = anew ? entry : knownPerson(tx, entry)
    const known = id ?? newProfile(tx, whole ?? {}, `/profiles/${index}`)
    return { id: known, role: (role ?? 'PrimaryGuest') as ProfileRole }
  })
}

function newProfile(tx: Transaction, attributes: Record<string, unknown>, at: string): string {
  return underPointer(at, () => tx.insert(profile, attributes as Attributes<typeof profile.fields>).id)
}
