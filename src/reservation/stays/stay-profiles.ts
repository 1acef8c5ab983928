import type { Transaction } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { profileOfPerson } from '../profiles/person.ts'
import type { ProfileRole } from '../profiles/profile-role.ts'
import { profile } from '../resources/profile.ts'
import type { ProfileEntry, StayDraft, StayInput } from '../resources/stay.ts'
import { underPointer } from '../value-problems.ts'

/**
 * Replaces each whole profile of a person who already has a profile by the id of that profile, which is left unchanged.
 */
export function withKnownPersons(tx: Transaction, input: StayInput): StayInput {
  if (!input.profiles) return input
  return { ...input, profiles: input.profiles.map((entry) => knownPerson(tx, entry)) }
}

function knownPerson(tx: Transaction, entry: ProfileEntry): ProfileEntry {
  const known = entry.profile && profileOfPerson(tx, entry.profile)
  return known ? { id: known.id, ...(entry.role !== undefined && { role: entry.role }) } : entry
}

/**
 * Creates the whole profiles of the input, and returns the profiles of the stay by id. With `anew`, a person who
 * already has a profile gets a second one. A caller without the right to put an existing profile on a stay needs this
 * to check the guest in.
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
