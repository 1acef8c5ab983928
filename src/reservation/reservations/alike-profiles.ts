import type { Transaction } from '../../resource/command.ts'
import type { ProfileEntry, Stay, StayInput } from '../resources/stay.ts'
import type { StayPolicy } from '../stays/stay-policy.ts'
import { writeStays } from '../stays/write-stay.ts'

/**
 * Writes one stay of an import. A profile that an earlier stay of the reservation has too, by `known`, is the same one; the profiles
 * of this stay are noted there. Throws as `writeStays` does.
 */
export function writeImported(
  tx: Transaction,
  write: Parameters<typeof writeStays>[2][number],
  policy: StayPolicy,
  known: Map<string, string>,
): Stay {
  const { before, input } = write
  const writes = [{ ...write, input: withOneProfile(input, known) }]
  const [written] = writeStays(tx, before ? [before] : [], writes, policy)
  noteProfiles(input, written!.profiles ?? [], known)
  return written!
}

/** Returns a stay whose profiles that an earlier stay of the reservation has too are named by their id. */
function withOneProfile(input: StayInput, known: ReadonlyMap<string, string>): StayInput {
  if (!input.profiles) return input
  const names = namesOf(input.profiles)
  const profiles = input.profiles.map((entry, index) => {
    const id = known.get(names[index]!)
    return id === undefined ? entry : { id, ...(entry.role !== undefined && { role: entry.role }) }
  })
  return { ...input, profiles }
}

/** Notes in `known` the ids of the profiles of a stay. `stored` has them in the order of the input; null for one that is not stored. */
export function noteProfiles(
  { profiles }: StayInput,
  stored: readonly ({ id: string } | null)[],
  known: Map<string, string>,
): void {
  for (const [index, name] of namesOf(profiles ?? []).entries()) {
    const id = stored[index]?.id
    if (id !== undefined) known.set(name, id)
  }
}

/** Names each profile by its content, and the second of two that are alike in one stay as another person. */
function namesOf(entries: readonly ProfileEntry[]): string[] {
  const contents = entries.map(({ id, profile }) => JSON.stringify({ id, profile }))
  return contents.map(
    (content, at) => `${contents.slice(0, at).filter((each) => each === content).length} ${content}`,
  )
}
