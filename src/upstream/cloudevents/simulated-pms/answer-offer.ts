import type { WireAnswer, WireOffer } from '../message-data.ts'
import type { Book, KeptReservation } from './book.ts'

/** Answers an offer as a PMS should: once for each id, by the revision, and merging nothing. */
export function answerOffer(book: Book, unitTypes: readonly string[], offer: WireOffer): WireAnswer {
  const before = book.answers.get(offer.id)
  if (before) return before
  const answer = decided(book, unitTypes, offer)
  // What is outdated now was never carried out: the same offer could be told again.
  if (answer.is === 'accepted') book.answers.set(offer.id, answer)
  return answer
}

function decided(book: Book, unitTypes: readonly string[], offer: WireOffer): WireAnswer {
  const { id, reservation, localId, baseRevision } = offer
  const codes = reservation.stays.flatMap(({ units = [] }) => units.map(({ unitTypeCode }) => unitTypeCode))
  const unknown = codes.find((code) => !unitTypes.includes(code))
  if (unknown !== undefined)
    return { id, is: 'refused', reason: `The unit type ${unknown} is not sold here.` }
  const externalId = offer.externalId ?? book.byLocalId.get(localId) ?? null
  if (externalId === null) return accepted(id, book.make({ ...reservation, localId }))
  const kept = book.reservations.get(externalId)
  if (!kept) return { id, is: 'refused', reason: `There is no reservation ${externalId} here.` }
  if (kept.revision !== baseRevision) return outdated(id, kept)
  return accepted(id, book.put(externalId, { ...reservation, localId }))
}

function accepted(id: string, { externalId, revision, value }: KeptReservation): WireAnswer {
  return { id, is: 'accepted', externalId, revision, reservation: value }
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
