import type { Transaction } from '../../resource/command.ts'
import type { SyncRecord } from '../resources/sync-record.ts'
import { tripledGuests, tripledStays } from './match.ts'
import { guestBundles, reservationBundles, stayBundles } from './merge-fields.ts'
import { pick } from './merge-members.ts'
import { outboxRow } from './outbox.ts'
import { sameMember } from './same.ts'
import type { SharedGuest, SharedReservation, SharedStay } from './shared-reservation.ts'
import type { Sharing } from './sync-changes.ts'

/** What the PMS was offered and has given no answer to yet; null when there is nothing of the kind. */
export function unanswered(
  tx: Transaction,
  sharing: Sharing,
  record: SyncRecord | null,
): SharedReservation | null {
  if (record && !record.pending) return null
  return outboxRow(tx, sharing)?.offer?.value ?? null
}

/**
 * What both had before they went on by themselves: what the PMS says as it was offered it has from the house, and is no
 * change of its own. So what the desk has changed since it was offered meets nothing.
 */
export function withOffered(
  base: SharedReservation | null,
  offered: SharedReservation | null,
  upstream: SharedReservation | null,
): SharedReservation | null {
  if (!offered || !upstream) return base
  // What was made here it has from nobody else; a stay that it has not it never had.
  const was = base ?? { ...offered, stays: [] }
  const triples = tripledStays({ base: was.stays, local: offered.stays, upstream: upstream.stays })
  return {
    ...taken(was, offered, upstream, ofReservation),
    stays: triples.flatMap(({ base: was, local: told, upstream: there }) => stayOf(was, told, there) ?? []),
  }
}

function stayOf(
  was: SharedStay | null,
  told: SharedStay | null,
  there: SharedStay | null,
): SharedStay | null {
  if (!told || !there) return was
  if (!was) return told
  const stay = taken(was, told, there, ofStay)
  if (!was.guests || !told.guests || !there.guests) return stay
  const triples = tripledGuests({ base: was.guests, local: told.guests, upstream: there.guests })
  const guests = triples.flatMap(({ base, local, upstream }) => guestOf(base, local, upstream) ?? [])
  return { ...stay, guests }
}

function guestOf(
  was: SharedGuest | null,
  told: SharedGuest | null,
  there: SharedGuest | null,
): SharedGuest | null {
  if (!told || !there) return was
  return was ? taken(was, told, there, ofGuest) : told
}

const ofStay = [
  ...stayBundles.map(({ members }) => members),
  ['status'],
  ['units'],
  ['reservationIds'],
  ['services'],
]
const ofGuest = guestBundles.map(({ members }) => members)
const ofReservation = reservationBundles.map(({ members }) => members)

/** The first with those members of the second that the third says as well; of what is decided together all or nothing. */
function taken<Told extends object>(
  was: Told,
  told: Told,
  there: Told,
  together: readonly (readonly string[])[],
): Told {
  const [offered, upstream] = [told, there] as [Record<string, unknown>, Record<string, unknown>]
  const isTold = (name: string) => upstream[name] !== undefined && offered[name] !== undefined
  const isTheSame = (name: string) => !isTold(name) || sameMember(name, offered[name], upstream[name])
  const names = together.filter((members) => members.every(isTheSame)).flatMap((each) => each.filter(isTold))
  return { ...was, ...pick(offered, names) }
}
