import { profileOfPerson } from '../../reservation/profiles/person.ts'
import { profile } from '../../reservation/resources/profile.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Attributes, Row } from '../../resource/resource.ts'
import { guestGroups } from './merge-fields.ts'
import { same } from './same.ts'
import type { SharedGuest } from './shared-reservation.ts'

type Profile = Row<typeof profile.fields>
type Told = Record<string, unknown>

/** Of a profile; the role is said of the stay. */
const members = Object.entries(guestGroups).flatMap(([name, group]) =>
  group !== null && name !== 'role' ? [name] : [],
)

/**
 * The profiles of those who are on a stay, as a stay names them. Who is known is brought in line with what was told of him;
 * who is not is made. What cannot be kept of somebody is left as it is.
 */
export function keepGuests(
  tx: Transaction,
  told: readonly SharedGuest[],
  before: readonly SharedGuest[],
): { id: string; role: string }[] {
  return told.map((guest) => ({ id: keepGuest(tx, guest, before), role: guest.role }))
}

function keepGuest(tx: Transaction, guest: SharedGuest, before: readonly SharedGuest[]): string {
  const here = before.find(({ localId }) => localId && localId === guest.localId)
  if (here) {
    const named = guest.externalId && !here.externalId ? { externalId: guest.externalId } : {}
    const changed = { ...changes(guest, here as unknown as Told), ...named }
    if (Object.keys(changed).length > 0) write(changed, (values) => tx.patch(profile, here.localId!, values))
    return here.localId!
  }
  const known = knownPerson(tx, guest)
  if (!known) return write(whole(guest), (values) => tx.insert(profile, values)).id
  const changed = {
    ...changes(guest, known as Told),
    ...(guest.externalId && { externalId: guest.externalId }),
  }
  write(changed, (values) => tx.patch(profile, known.id, values))
  return known.id
}

/** Who has the PMS's own name for him, else the same person, unless the PMS calls that one otherwise. */
function knownPerson(tx: Transaction, guest: SharedGuest): Profile | null {
  const { externalId } = guest
  if (externalId) {
    const where = { path: 'externalId', operator: 'eq', value: externalId } as const
    const [found] = tx.select(profile, [where], [], 1)
    if (found) return found
  }
  if (!guest.birthDate || !guest.emails?.length) return null
  const found = profileOfPerson(tx, { ...whole(guest), externalId: null })
  return found && !(externalId && found.externalId) ? found : null
}

function changes(guest: SharedGuest, here: Told): Told {
  const told = guest as unknown as Told
  const changed = members.filter((name) => told[name] !== undefined && !same(told[name], here[name]))
  return Object.fromEntries(changed.map((name) => [name, orNull(told[name])]))
}

function whole(guest: SharedGuest): Told {
  const told = guest as unknown as Told
  const there = ['externalId', ...members].filter((name) => told[name] !== undefined && told[name] !== null)
  return Object.fromEntries(there.map((name) => [name, orNull(told[name])]))
}

function orNull(value: unknown): unknown {
  return value === '' ? null : value
}

/** Without the members that a Problem names, one after the other: a guest is kept without his day of birth, if need be. */
function write<Result>(values: Told, writing: (values: Attributes<typeof profile.fields>) => Result): Result {
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
