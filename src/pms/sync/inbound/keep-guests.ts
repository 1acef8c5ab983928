import { profileOfPerson } from '../../../reservation/profiles/person.ts'
import { profile } from '../../../reservation/resources/profile.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Attributes, Row } from '../../../resource/resource.ts'
import { guestGroups } from '../merge/merge-fields.ts'
import { differing } from '../merge/same.ts'
import type { SharedGuest } from '../shared-reservation.ts'
import type { Codes } from './codes.ts'

type Profile = Row<typeof profile.fields>
type Members = Record<string, unknown>

/** Of a profile; the role is said of the stay. */
const members = Object.entries(guestGroups).flatMap(([name, group]) =>
  group !== null && name !== 'role' ? [name] : [],
)

/**
 * The profiles of those who are on a stay, as a stay names them. A known guest is changed to what was reported;
 * another one is made. What cannot be stored of a guest is left as it is.
 */
export function keepGuests(
  tx: Transaction,
  codes: Codes,
  reported: readonly SharedGuest[],
  before: readonly SharedGuest[],
): { id: string; role: string }[] {
  return reported.map((guest) => ({ id: keepGuest(tx, codes, guest, before), role: guest.role }))
}

function keepGuest(
  tx: Transaction,
  codes: Codes,
  guest: SharedGuest,
  before: readonly SharedGuest[],
): string {
  const here = before.find(({ localId }) => localId && localId === guest.localId)
  if (here) {
    const named = guest.externalId && !here.externalId ? { externalId: guest.externalId } : {}
    const changed = { ...changes(guest, here as unknown as Members), ...named }
    if (Object.keys(changed).length > 0) write(changed, (values) => tx.patch(profile, here.localId!, values))
    return here.localId!
  }
  const known = knownPerson(tx, codes, guest)
  if (guest.externalId) codes.hasProfile(guest.externalId)
  if (!known) return write(whole(guest), (values) => tx.insert(profile, values)).id
  const changed = {
    ...changes(guest, known as Members),
    ...(guest.externalId && { externalId: guest.externalId }),
  }
  write(changed, (values) => tx.patch(profile, known.id, values))
  return known.id
}

/** Who has the PMS's own name for him, else the same person, unless the PMS calls that one otherwise. */
function knownPerson(tx: Transaction, codes: Codes, guest: SharedGuest): Profile | null {
  const { externalId } = guest
  if (externalId && codes.mayHaveProfile(externalId)) {
    const where = { path: 'externalId', operator: 'eq', value: externalId } as const
    const [found] = tx.select(profile, [where], [], 1)
    if (found) return found
  }
  if (!guest.birthDate || !guest.emails?.length) return null
  const found = profileOfPerson(tx, { ...whole(guest), externalId: null })
  return found && !(externalId && found.externalId) ? found : null
}

function changes(guest: SharedGuest, here: Members): Members {
  const reported = guest as unknown as Members
  const changed = differing(guest, here, ['externalId', 'localId', 'role'])
  return Object.fromEntries(changed.map((name) => [name, stored(name, reported[name])]))
}

function whole(guest: SharedGuest): Members {
  const reported = guest as unknown as Members
  const there = ['externalId', ...members].filter(
    (name) => reported[name] !== undefined && reported[name] !== null,
  )
  return Object.fromEntries(there.map((name) => [name, stored(name, reported[name])]))
}

/** An empty text is stored as nothing, but for a first name: every person has one, which may be empty. */
function stored(name: string, value: unknown): unknown {
  return value === '' && name !== 'firstName' ? null : value
}

/** Without the members that a Problem names, one after the other: a guest is kept without his day of birth, if need be. `writing` writes one row, which is refused before anything of it is written. */
function write<Result>(
  values: Members,
  writing: (values: Attributes<typeof profile.fields>) => Result,
): Result {
  const left = { ...values }
  for (;;) {
    try {
      return writing(left as Attributes<typeof profile.fields>)
    } catch (error) {
      const name = error instanceof Problem ? error.options.pointer?.split('/')[1] : undefined
      if (name === 'companyName' && left.profileType) delete left.profileType
      else if (name !== undefined && name in left) delete left[name]
      else throw error
    }
  }
}
