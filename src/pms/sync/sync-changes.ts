import type { StayPorts } from '../../reservation/stays/stay-policy.ts'
import { command, type Document, type Transaction } from '../../resource/command.ts'
import type { GuestMoved } from '../contract.ts'
import type { ConflictPolicy } from '../resources/conflict-policy.ts'
import type { SyncRecord } from '../resources/sync-record.ts'
import type { ReservationChange } from '../sync-contract.ts'
import { applyChange } from './apply-change.ts'
import { type ChooseInput, choose } from './choose.ts'
import { houseView } from './house-view.ts'
import { type MoveGuestInput, moveGuest } from './move-guest.ts'
import { confirm, refuse } from './settle-answer.ts'
import type { SharedReservation } from './shared-reservation.ts'
import { type Asked, snapshot } from './snapshot.ts'
import { serveAllWaiting } from './waiting.ts'

/** A reservation, and the PMS it is shared with. */
export interface Sharing {
  configurationId: string
  reservationId: string
}

/** What else takes part when something is taken in from a PMS. Each runs in the same transaction. */
export interface SyncParts {
  /** What other modules do when a stay is written. */
  ports: StayPorts
  /** Something of the house was kept that the PMS does not have: it is to be offered. `isAnew` where a person has decided it. */
  offer(tx: Transaction, sharing: Sharing, how?: { isAnew: boolean }): void
  /** The names of the stay's units that were given away by a lease of the PMS that is valid. */
  leasedUnits(tx: Transaction, sharing: Sharing & { stayId: string }): readonly string[]
}

export interface ApplyInput {
  configurationId: string
  change: ReservationChange
  policy: ConflictPolicy
  direction: 'FromPms' | 'ToPms' | 'Both'
}

export interface Applied {
  /**
   * `inserted` is new here; `merged` has changed something here; `unchanged` changed nothing but what is known of the PMS;
   * `duplicate` and `stale` were told before, or are older than what was; `ignored` is gone there and was never here.
   */
  is: 'inserted' | 'merged' | 'unchanged' | 'duplicate' | 'stale' | 'ignored'
  reservationId: string | null
  /** Something of the house was kept: an offer was asked for. */
  toOffer: boolean
  /** Of those that are new. */
  conflictIds: string[]
  /** What could not be kept as it was told, as JSON pointers with ids: `/stays/<id>/ratePlanCode`. */
  leftOut: string[]
}

/** An offer that the PMS has taken. */
export interface ConfirmInput extends Sharing {
  /** Whole, as it was offered. */
  offered: SharedReservation
  externalId: string
  revision: number
  /** What the PMS made of it, with its names. */
  value?: SharedReservation | undefined
  policy: ConflictPolicy
  direction: 'FromPms' | 'ToPms' | 'Both'
}

export interface Confirmed {
  /** It has changed here since it was offered: an offer was asked for again. */
  toOffer: boolean
}

/** An offer that the PMS does not want. */
export interface RefuseInput extends Sharing {
  offered: SharedReservation
  /** The PMS's sentence for the desk. */
  reason: string
}

/** The changes by which the house comes to agree with a PMS. The actor is `pms:<configurationId>`. */
export function syncChanges(parts: SyncParts) {
  /**
   * Takes in what a PMS tells of a reservation. Throws Problems for what can never be kept (`validation-failed`,
   * `end-before-start`) or not yet (`reference-unknown` for a unit type code that the house does not know).
   */
  const applyUpstreamChange = command(
    'apply-upstream-change',
    (tx, input: ApplyInput): Applied => applyChange(tx, input, parts),
  )
  /** Throws external-id-conflict where another reservation here has that name and a life of its own. */
  const confirmOffer = command(
    'confirm-offer',
    (tx, input: ConfirmInput): Confirmed => confirm(tx, input, parts),
  )
  const refuseOffer = command('refuse-offer', (tx, input: RefuseInput) => refuse(tx, input))
  const chooseInConflict = command(
    'choose-in-conflict',
    (tx, input: ChooseInput): Document => choose(tx, input, parts),
  )
  const moveGuestNow = command(
    'move-guest',
    (tx, input: MoveGuestInput): GuestMoved => moveGuest(tx, input, parts),
  )
  return {
    applyUpstreamChange,
    confirmOffer,
    refuseOffer,
    chooseInConflict,
    moveGuestNow,
    /** The house has done something by itself: who waits for a unit has it, where that is free now. */
    serve: (tx: Transaction, configurationId: string): void => serveAllWaiting(tx, configurationId, parts),
    all: [applyUpstreamChange, confirmOffer, refuseOffer, chooseInConflict, moveGuestNow],
  }
}

export type SyncChanges = ReturnType<typeof syncChanges>

/** How the house tells a reservation to its PMS; null when it is not there. */
export function toldTo(
  asked: Asked,
  reservationId: string,
  record: Pick<SyncRecord, 'differing'> | null,
): SharedReservation | null {
  const here = snapshot(asked, reservationId)
  return here && houseView(here, record?.differing)
}
