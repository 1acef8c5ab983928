import type { WireAnswer, WireOffer } from '../messages/message-data.ts'
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
    if (reason !== undefined) return { id, is: 'refused', reason }
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

function carriedOut(book: Book, { id, externalId, localId, reservation }: WireOffer): WireAnswer {
  const value = { ...reservation, localId }
  const { revision, ...kept } = externalId === null ? book.make(value) : book.put(externalId, value)
  const answer: WireAnswer = {
    id,
    is: 'accepted',
    externalId: kept.externalId,
    revision,
    reservation: kept.value,
  }
  book.answers.set(id, answer)
  return answer
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
