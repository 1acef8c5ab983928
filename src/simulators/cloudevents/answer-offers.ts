import type {
  WireAnswer,
  WireOffer,
  WireResult,
} from '../../pms/adapters/cloudevents/messages/message-data.ts'
import type { SharedReservation } from '../../pms/sync/shared-reservation.ts'
import { unitConflicts } from './assigned-units.ts'
import type { Book, KeptReservation } from './book.ts'

/** Answers outbound changes as a PMS should: each id is executed once, an outdated base is refused, and no unit is assigned twice. */
export function answerOffers(
  book: Book,
  unitTypes: readonly string[],
  offers: readonly WireOffer[],
): WireAnswer[] {
  const answerNow = (offer: WireOffer) => book.answers.get(offer.id) ?? obstacleTo(book, unitTypes, offer)
  const possible = offers.filter((offer) => answerNow(offer) === null).map((offer) => named(book, offer))
  const taken = unitConflicts(book, possible)
  return offers.map((offer): WireAnswer => {
    const { id } = offer
    const reason = taken.get(id)
    if (reason !== undefined) return withoutUnits(book, named(book, offer), reason)
    // An answer `outdated` is not stored: the same change may be sent again.
    return answerNow(offer) ?? carriedOut(book, named(book, offer))
  })
}

/** The change with the PMS's id of a reservation that the appliance made, even if the appliance has not received the id. */
function named(book: Book, offer: WireOffer): WireOffer {
  return { ...offer, externalId: offer.externalId ?? book.byLocalId.get(offer.localId) ?? null }
}

/** The refusal for a reason other than the units of other reservations; null for none. */
function obstacleTo(book: Book, unitTypes: readonly string[], offer: WireOffer): WireAnswer | null {
  const { id, reservation, baseRevision } = offer
  const codes = reservation.stays.flatMap(({ units = [] }) => units.map(({ unitTypeCode }) => unitTypeCode))
  const unknown = codes.find((code) => !unitTypes.includes(code))
  if (unknown !== undefined)
    return { id, is: 'refused', reason: `The unit type ${unknown} is not sold here.` }
  const { externalId } = named(book, offer)
  if (externalId === null) return null
  const kept = book.reservations.get(externalId)
  if (!kept) return { id, is: 'refused', reason: `There is no reservation ${externalId} here.` }
  return kept.revision === baseRevision ? null : outdated(id, kept)
}

/** Refuses the units alone, where they are intents of the offer; the whole offer otherwise. */
function withoutUnits(book: Book, offer: WireOffer, reason: string): WireAnswer {
  const { id, intents = [], reservation } = offer
  const refused = intents.filter(({ group }) => group === 'units')
  if (refused.length === 0) return { id, is: 'refused', reason }
  const stays = reservation.stays.map((stay) => {
    const intent = refused.find(({ stayLocalId }) => stayLocalId === stay.localId)
    return intent ? { ...stay, ...intent.from } : stay
  })
  const results = refused.map(
    (each): WireResult => ({ id: each.id, is: 'refused', code: 'unit-taken', reason }),
  )
  return carriedOut(book, { ...offer, reservation: { ...reservation, stays } }, results)
}

function carriedOut(
  book: Book,
  { id, externalId, localId, reservation, facts = [] }: WireOffer,
  results: WireResult[] = [],
): WireAnswer {
  const known = externalId === null ? null : (book.reservations.get(externalId)?.value ?? null)
  const value = { ...withKnown(known, reservation), localId }
  for (const fact of facts) book.facts.set(fact.id, (book.facts.get(fact.id) ?? 0) + 1)
  const { revision, ...kept } = externalId === null ? book.make(value) : book.put(externalId, value)
  const answer: WireAnswer = {
    id,
    is: 'accepted',
    externalId: kept.externalId,
    revision,
    reservation: kept.value,
    ...(results.length > 0 && { results }),
  }
  book.answers.set(id, answer)
  return answer
}

/** Members that an offer leaves out stay as they are. */
function withKnown(known: SharedReservation | null, offered: SharedReservation): SharedReservation {
  const stays = offered.stays.map((stay) => ({
    ...known?.stays.find(({ externalId }) => externalId !== null && externalId === stay.externalId),
    ...stay,
  }))
  return { ...known, ...offered, stays }
}

function outdated(id: string, { externalId, revision, changedAt, value }: KeptReservation): WireAnswer {
  return {
    id,
    is: 'outdated',
    externalId,
    revision,
    changedAt: new Date(changedAt).toISOString(),
    reservation: value,
  }
}
