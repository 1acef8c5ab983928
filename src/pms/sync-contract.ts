import type { CloudEvent } from '../events/cloud-event.ts'
import type { Call } from './call.ts'
import type { FieldGroup } from './resources/conflict-policy.ts'
import type { SharedReservation } from './sync/shared-reservation.ts'

/**
 * What an adapter does that keeps the house in step with its PMS. Failures are DeviceFaults, as of all it is asked; what the
 * PMS sends that cannot be read is no failure but something to put aside. A fault's `retryAfterSeconds` is honoured.
 */
export interface SyncSide {
  /**
   * What has changed at the PMS after the cursor, oldest first; a null cursor asks for everything that is not over. Asked
   * again with the cursor of its answer while there is more. The same may come twice, late, and in another order. Throws the
   * Problem page-cursor-unknown for a cursor that the PMS does not know any more: then everything is asked for.
   */
  pull(cursor: string | null, call: Call): Promise<ChangePage>
  /**
   * One reservation as it is there now, for what was refused as passing: told as a change or refused again, or nothing where it is not
   * there. Absent where nothing is ever refused so.
   */
  read?(externalId: string, call: Call): Promise<Pick<ChangePage, 'changes' | 'refused'>>
  /** Offers what has changed here; one answer each, in their order. Absent where the PMS takes nothing. At most `mostOffers`. */
  push?(offers: readonly Offer[], call: Call): Promise<readonly OfferAnswer[]>
  /** Offers that one question takes, from 1 to `mostOffers`, which it is unless it says: each question has a deadline of its own. */
  offersAtOnce?: number
  /**
   * What of a reservation can be changed at the PMS from here; everything unless it says. A change of another group is kept here: it
   * is not offered, and is no conflict. A reservation that was made here is offered all the same.
   */
  accepts?: readonly FieldGroup[]
  /** Tells what comes by itself, until the returned function is called. Absent where the PMS only answers. */
  follow?(news: SyncNotifications): () => void
  /** Tells what happened here; resolves when the other side has confirmed to have all of it. At most `mostEvents`. */
  publish?(events: readonly CloudEvent[], call: Call): Promise<void>
  /** The PMS lends units: without a lease and without a line none is given to its reservations. */
  lends?: boolean
}

export const mostOffers = 100
export const mostEvents = 500
/** Changes in a page. */
export const mostChanges = 1_000

export interface ChangePage {
  changes: readonly PmsChange[]
  /** What was sent and cannot be understood: it is put aside with its reason, and stops nothing. */
  refused: readonly Refused[]
  /** The place after the last of them: opaque, at most 1,000 characters. */
  cursor: string
  more: boolean
}

export type PmsChange = ReservationChange | LeaseChange | HousekeepingChange

/** The whole of a reservation as the PMS has it in this revision. */
export interface ReservationChange {
  is: 'reservation'
  externalId: string
  /** Of this reservation; higher is newer. A PMS without revisions gives the moment of its last change in Unix milliseconds. */
  revision: number
  /** When it was changed there, Unix milliseconds; null when that is not told. */
  changedAt: number | null
  /** Null: it is gone there. */
  value: SharedReservation | null
}

/** Units that the house may give away alone on certain dates, also without a line. */
export interface LeaseChange {
  is: 'lease'
  leaseId: string
  revision: number
  /** Empty: the lease is taken back. */
  unitNames: readonly string[]
  /** The nights it is about, YYYY-MM-DD, both included. */
  startDate: string
  endDate: string
  /** Unix milliseconds: afterwards nothing new is given away by it. */
  validUntil: number
}

/** Obeyed only where the settings of the house accept housekeeping from a PMS. */
export interface HousekeepingChange {
  is: 'housekeeping'
  unitName: string
  /** Of this unit's status; higher is newer, and nothing older is obeyed. */
  revision: number
  status: string
}

export interface Refused {
  /** A sentence: what is wrong with it, naming the field where there is one. */
  reason: string
  /** What came, as text, at most 64 KiB of it. */
  payload: string
  /** Bytes of all that came. */
  size: number
  externalId?: string | null
  /** It may be understood later without being changed there: `read` is asked for its reservation from time to time. */
  isPassing?: boolean
}

/** The whole of a reservation as the house has it, and what its change was based on. */
export interface Offer {
  /** The same offer, told again, has the same id: the PMS carries it out once. */
  id: string
  localId: string
  /** Null for one that was made here and has no name there yet. */
  externalId: string | null
  /** The PMS's revision that the house knew; null for one it has none of. */
  baseRevision: number | null
  value: SharedReservation
  /** What differs from what both had, as JSON pointers into `value`. */
  changed: readonly string[]
  /** The leases by which units of it were given away. */
  leaseIds: readonly string[]
}

export type OfferAnswer =
  /** It is kept there, in this revision; the PMS's names for it and its stays are in `value` where it gave some. */
  | { is: 'accepted'; externalId: string; revision: number; value?: SharedReservation }
  /** It has changed there since: what it is now. To be merged and offered anew. */
  | { is: 'outdated'; change: ReservationChange }
  /** The PMS will not have it: a sentence for the desk. */
  | { is: 'refused'; reason: string }

/** What a line tells by itself. None of these throws or waits. */
export interface SyncNotifications {
  /** Changes that came by themselves after the place `previous`: taken when that is where the house is, else fetched. */
  changes(page: ChangePage & { previous: string | null }): void
  /** Something has changed: ask. */
  poke(): void
  /** The line is there, or is gone with the reason. */
  line(state: 'up' | 'down', reason: string | null): void
}
