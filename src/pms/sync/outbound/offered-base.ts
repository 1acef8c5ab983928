import type { Offer } from '../../sync-contract.ts'
import { tripledGuests, tripledStays } from '../merge/match.ts'
import { guestBundles, reservationBundles, stayBundles } from '../merge/merge-fields.ts'
import { pick } from '../merge/merge-members.ts'
import { sameMember } from '../merge/same.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import type { Intents } from './intents.ts'

/**
 * The shadow for a merge while a message has no answer. Where the PMS reports what an open intent has in the message, it has that from
 * the message, and has not changed it itself. So what the desk has changed since then meets nothing.
 */
export function withOffered(
  base: SharedReservation | null,
  offer: Pick<Offer, 'value' | 'changed'> | null,
  upstream: SharedReservation | null,
  intents: Pick<Intents, 'has'>,
): SharedReservation | null {
  if (!offer || !upstream) return base
  const { value: offered, changed } = offer
  const isChanged = (pointer: string) => changed.some((each) => `${pointer}/`.startsWith(`${each}/`))
  const isSent = (name: string) => isChanged(`/${name}`) && intents.has(null, name)
  // A reservation that was made here is known to the PMS from the message alone. A stay that the PMS does not report it never had.
  const was = base ?? { ...offered, stays: [] }
  const triples = tripledStays({ base: was.stays, local: offered.stays, upstream: upstream.stays })
  const stays = triples.flatMap(({ base: was, local: sent, upstream: there }) => {
    if (!sent || !there) return was ?? []
    const at = `/stays/${offered.stays.indexOf(sent)}`
    const isSent = (place: string, member: string) =>
      isChanged(`${at}/${place}`) && intents.has(sent.localId ?? null, member)
    return was ? stayOf(was, sent, there, isSent) : sent
  })
  return { ...taken(was, offered, upstream, ofReservation, isSent), stays }
}

/** `isSent` is asked for a place in the message and the member of the intent: `guests/0/title`, `guests/<id>/title`. */
function stayOf(
  was: SharedStay,
  sent: SharedStay,
  there: SharedStay,
  isSent: (place: string, member: string) => boolean,
): SharedStay {
  const stay = taken(was, sent, there, ofStay, (name) => isSent(name, name))
  if (!was.guests || !sent.guests || !there.guests) return stay
  const triples = tripledGuests({ base: was.guests, local: sent.guests, upstream: there.guests })
  const guests = triples.flatMap(({ base, local, upstream }) => {
    if (!local || !upstream) return base ?? []
    const at = `guests/${sent.guests!.indexOf(local)}`
    const isOfMessage = (name: string) =>
      isSent(`${at}/${name}`, `guests/${local.localId}/${name}`) || isSent('guests', 'guests')
    return base ? taken(base, local, upstream, ofGuest, isOfMessage) : local
  })
  return { ...stay, guests }
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

/** The first with the sent members of the second that the third has as well; of what is decided together all or nothing. */
function taken<Thing extends object>(
  was: Thing,
  sent: Thing,
  there: Thing,
  together: readonly (readonly string[])[],
  isSent: (name: string) => boolean,
): Thing {
  const [offered, upstream] = [sent, there] as [Record<string, unknown>, Record<string, unknown>]
  const isReported = (name: string) => upstream[name] !== undefined && offered[name] !== undefined
  const isTheSame = (name: string) => !isReported(name) || sameMember(name, offered[name], upstream[name])
  const names = together
    .filter((members) => members.every(isTheSame))
    .flatMap((members) => members.filter((name) => isReported(name) && isSent(name)))
  return { ...was, ...pick(offered, names) }
}
