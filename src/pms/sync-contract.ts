import type { CloudEvent } from '../events/cloud-event.ts'
import type { Message } from '../jsonapi/locales/message.ts'
import type { Call } from './call.ts'
import type { FieldGroup } from './resources/conflict-policy.ts'
import type { SharedPayment, SharedReservation, SharedStay } from './sync/shared-reservation.ts'

/**
 * The part of an adapter that synchronises reservations with a PMS. Failures are DeviceFaults, whose `retryAfterSeconds` is
 * honoured. An invalid message of the PMS is no failure: it is returned as `refused`, and quarantined.
 */
export interface SyncSide {
  /**
   * Resolves with the changes at the PMS after the cursor, oldest first; null requests everything that is not over. It is
   * called again with the cursor of its answer while there is more. Changes may be repeated, late and out of order. Rejects
   * with the Problem page-cursor-unknown for a cursor that the PMS no longer knows: a full load follows.
   */
  pull(cursor: string | null, call: Call): Promise<ChangePage>
  /**
   * Reads the current state of one reservation that was refused with `isPassing`. The answer contains it as a change, or
   * refuses it again, or is empty when the PMS no longer has it. Absent when the adapter never sets `isPassing`.
   */
  read?(externalId: string, call: Call): Promise<Pick<ChangePage, 'changes' | 'refused'>>
  /**
   * Sends outbound changes, `mostOffers` at most. Resolves with one answer each, in their order. Absent when the PMS accepts
   * no changes.
   */
  push?(offers: readonly Offer[], call: Call): Promise<readonly OfferAnswer[]>
  /** The maximum number of outbound changes in one `push`, from 1 to `mostOffers`, which is the default. Each call has its own deadline. */
  offersAtOnce?: number
  /**
   * The field groups of a reservation that the PMS accepts changes of; all by default. A change of another group stays local:
   * it is not sent, and is no conflict. A reservation that was made here is sent all the same.
   */
  accepts?: readonly FieldGroup[]
  /** Reports unsolicited messages until the returned function is called. Absent when the PMS only answers. */
  follow?(news: SyncNotifications): () => void
  /** Publishes events of the appliance, `mostEvents` at most. Resolves when the other side has acknowledged all of them. */
  publish?(events: readonly CloudEvent[], call: Call): Promise<void>
  /** What a person should know of the line although it works, for the status. Absent when there is nothing of that kind. */
  notes?(): readonly Message[]
  /** True when the PMS lends units as allotments. While it is offline, its reservations receive only units of an allotment. */
  lends?: boolean
}

export const mostOffers = 100
export const mostEvents = 500
/** The maximum number of changes in a page. */
export const mostChanges = 1_000

export interface ChangePage {
  changes: readonly PmsChange[]
  /** The invalid messages, which are quarantined and block nothing. */
  refused: readonly Refused[]
  /**
   * The PMS has reported again all that it has, and all of it was readable: the unreadable messages in the quarantine are removed, before
   * those of this page are quarantined. Default: false.
   */
  settlesUnreadable?: boolean
  /** The adapter has validated the reservations by `sharedReservationSchema`, so they are not validated again. Default: false. */
  isChecked?: boolean
  /** The cursor after the last of them: opaque, at most 1,000 characters. */
  cursor: string
  more: boolean
}

export type PmsChange = ReservationChange | LeaseChange | HousekeepingChange

/** A whole reservation in one revision of the PMS. */
export interface ReservationChange {
  is: 'reservation'
  externalId: string
  /** The revision of this reservation; higher is newer. Without revisions, the time of the last change in Unix milliseconds. */
  revision: number
  /** When the PMS changed it, Unix milliseconds; null when it is not reported. */
  changedAt: number | null
  /** Null: the PMS has deleted it. */
  value: SharedReservation | null
}

/** An allotment: units that the appliance may assign without asking on certain nights, even while the PMS is offline. */
export interface LeaseChange {
  is: 'lease'
  leaseId: string
  revision: number
  /** Empty: the PMS has withdrawn the allotment. */
  unitNames: readonly string[]
  /** The first and the last night, YYYY-MM-DD. */
  startDate: string
  endDate: string
  /** Unix milliseconds: afterwards no further unit is assigned by it. */
  validUntil: number
}

/** The status of a unit. Applied only when the settings of the appliance accept housekeeping from a PMS. */
export interface HousekeepingChange {
  is: 'housekeeping'
  unitName: string
  /** The revision of this unit's status; higher is newer, and an older one is ignored. */
  revision: number
  status: string
}

/** A message of the PMS that is invalid, or that cannot be converted. */
export interface Refused {
  /** A sentence that names the invalid field, where there is one. */
  reason: string
  /** The message as text, truncated to 64 KiB. */
  payload: string
  /** The bytes of the whole message. */
  size: number
  externalId?: string | null
  /** True when it may become valid without a change at the PMS: `read` is called for its reservation from time to time. */
  isPassing?: boolean
}

/**
 * An outbound message: what was changed here of one reservation, and the reservation after that. A PMS that takes state stores
 * `value`. A PMS that takes commands carries out `intents` and `facts`, in the order of `stepsOf` in `message-steps.ts`.
 */
export interface Offer {
  /** A repetition of the same message has the same id: the PMS executes it once. */
  id: string
  localId: string
  /** The PMS's id; null for a reservation that was made here and has none yet. */
  externalId: string | null
  /** The PMS's revision that the appliance knew; null when it knew none. */
  baseRevision: number | null
  value: SharedReservation
  /** The members that differ from the last state that both sides agreed on, as JSON pointers into `value`. */
  changed: readonly string[]
  /** The allotments by which its units were assigned. */
  leaseIds: readonly string[]
  /** The open changes, one for each stay and field group, in the order in which a PMS needs them. */
  intents: readonly Intent[]
  /** What has happened here and is to be recorded once, whatever else the PMS has. */
  facts: readonly Fact[]
}

/** The members of a stay or a reservation by their names. */
export type IntentValues = Partial<Omit<SharedStay & SharedReservation, 'stays' | 'payments'>>

/** One field group of one stay, or of the reservation, that was changed here. */
export interface Intent {
  /**
   * The same in each message until the group is changed again. A PMS that cannot read back the effect, such as one that only
   * adds notes, stores it with its record.
   */
  id: string
  group: FieldGroup
  /** Null: the reservation as a whole. */
  stayLocalId: string | null
  stayExternalId: string | null
  /** What the PMS is known to have of these members. An absent one is unknown. */
  from: IntentValues
  /** What it is to have. */
  to: IntentValues
}

/** Something that is recorded at the PMS once, under `id`, which a PMS stores with its record. */
export type Fact =
  /** The reservation (null), or a stay of it, was made here. */
  | { id: string; is: 'creation'; stayLocalId: string | null }
  /** A stay was deleted here. */
  | { id: string; is: 'removal'; stayLocalId: string; stayExternalId: string | null }
  | { id: string; is: 'payment'; payment: SharedPayment }
  /** A payment that was recorded by mistake. */
  | { id: string; is: 'void'; payment: SharedPayment }

/** What may become of one intent or fact. */
export const stepOutcomes = ['done', 'already-done', 'refused', 'unknown', 'not-expressible'] as const

/** The result of one intent or fact, by its id. */
export type StepResult = { id: string } & (
  | { is: 'done' | 'already-done' }
  /** A sentence for the front desk. It is sent again when the group changes, or on request. */
  | { is: 'refused'; code?: string; reason: string }
  /** It is sent again under its id: the adapter reads back whether it was carried out. */
  | { is: 'unknown' }
  /** The PMS has no such operation: it stays as it is here, without a conflict. */
  | { is: 'not-expressible' }
)

export type OfferAnswer =
  /**
   * The PMS has carried it out in this revision, but for the steps that `results` names otherwise; `value` contains the ids
   * that the PMS gave to it and its stays, if any.
   */
  | {
      is: 'accepted'
      externalId: string
      revision: number
      value?: SharedReservation
      results?: readonly StepResult[]
    }
  /** The PMS has a newer revision, `change`: the appliance merges it and sends a new message. */
  | { is: 'outdated'; change: ReservationChange }
  /** The PMS refuses all of it: a sentence for the front desk. */
  | { is: 'refused'; code?: string; reason: string }

/** Receives the unsolicited messages of a PMS. No method throws or waits. */
export interface SyncNotifications {
  /** Changes after the cursor `previous`. They are applied when it is the current cursor; otherwise they are polled for. */
  changes(page: ChangePage & { previous: string | null }): void
  /** False while changes are polled for anyway: a message that comes meanwhile need not be read, and a poke is enough. Default: true. */
  takesChanges?(): boolean
  /** Something has changed: poll for it. */
  poke(): void
  /** The line is up, or is down for this reason. */
  line(state: 'up' | 'down', reason: string | null): void
}
