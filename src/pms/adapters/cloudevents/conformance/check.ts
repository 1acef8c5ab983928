import type { SharedReservation } from '../../../sync/shared-reservation.ts'
import type { PmsChange, ReservationChange } from '../../../sync-contract.ts'
import type { WireAnswer, WireOffer } from '../messages/message-data.ts'
import type { Exchanges, RequestType } from '../messages/messages.ts'

/** One check of a PMS. */
export interface Check {
  name: string
  /** What the contract asks for, in a sentence. */
  expected: string
  /** True for a check that changes something at the PMS. */
  writes: boolean
  /** Throws Unmet, Skipped, or the DeviceFault of the carrier. */
  run(scene: Scene): Promise<void>
}

/** The PMS did not do what a check expects: a sentence. */
export class Unmet extends Error {}

/** The check cannot be made here: a sentence. */
export class Skipped extends Error {}

/** Throws Unmet with the sentence unless it is so. */
export function expect(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new Unmet(sentence)
}

/** What the checks share, and the requests that they send. */
export interface Scene {
  /** Sends a request, and notes it with its answer for the report. */
  ask<Type extends RequestType>(type: Type, data: Exchanges[Type]['data']): Promise<unknown>
  /** A page of changes. Throws Unmet for one that is not valid, or contains an invalid message. */
  page(after: string | null, limit?: number): Promise<CheckedPage>
  /** The changes after a cursor, page by page, and the cursor after them. */
  allAfter(after: string | null, limit?: number): Promise<{ changes: PmsChange[]; cursor: string }>
  /** Sends offers. Resolves with one valid answer to each, in their order; throws Unmet otherwise. */
  offer(...offers: WireOffer[]): Promise<WireAnswer[]>
  /** A new offer of a reservation. */
  newOffer(reservation: SharedReservation, more?: Partial<WireOffer>): WireOffer
  /** A new reservation of one stay, a year from now. */
  newReservation(comment: string): SharedReservation
  /** Unix milliseconds. */
  now(): number
  /** The version of the contract that the PMS has named. */
  contract: 1 | 2
  /** The cursor after everything, once it is known. */
  cursor: string | null
  /** The name of a unit that may be assigned; null without one. */
  unitName: string | null
  /** The reservation that the checks made, as it is at the PMS; null before. */
  made: Made | null
}

export interface CheckedPage {
  changes: PmsChange[]
  cursor: string
  more: boolean
}

/** A reservation that the checks made. */
export interface Made {
  localId: string
  externalId: string
  revision: number
  value: SharedReservation
  /** The offer that made it, and its answer. */
  offer: WireOffer
  answer: WireAnswer
}

/** The reservation of an earlier check. Throws Skipped where that has failed. */
export function madeIn({ made }: Scene): Made {
  if (made) return made
  throw new Skipped('It needs the reservation of an earlier check, which was not made.')
}

/** Throws Unmet unless the answer is `accepted`. */
export function accepted(answer: WireAnswer | undefined): Extract<WireAnswer, { is: 'accepted' }> {
  if (answer?.is === 'accepted') return answer
  const reason = answer?.is === 'refused' ? `: ${answer.reason}` : ''
  throw new Unmet(`The answer is ${answer?.is ?? 'missing'}, not accepted${reason}`)
}

/** The reports of one reservation, in their order. */
export function reportsOf(changes: readonly PmsChange[], externalId: string): ReservationChange[] {
  return changes.filter(
    (each): each is ReservationChange => each.is === 'reservation' && each.externalId === externalId,
  )
}
