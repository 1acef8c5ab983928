import type { Capabilities, ExtensionMethod } from '../../../contract.ts'
import type { JsonText } from '../../../json-text.ts'
import type { SharedReservation } from '../../../sync/shared-reservation.ts'
import type { Fact, Intent, StepResult } from '../../../sync-contract.ts'
import type { Message } from './envelope.ts'

/** A whole reservation in one revision of the PMS. */
export interface ReservationChanged {
  externalId: string
  revision: number
  changedAt?: string | null
  reservation: SharedReservation
}

export type ReservationDeleted = Omit<ReservationChanged, 'reservation'>

export interface LeaseChanged {
  leaseId: string
  revision: number
  unitNames: string[]
  startDate: string
  endDate: string
  validUntil: string
}

export interface HousekeepingChanged {
  unitName: string
  revision: number
  status: string
}

export interface ChangesRequested {
  after: string | null
  limit: number
}

export interface ChangesReplied {
  changes: Message[]
  cursor: string
  more: boolean
  epoch?: number
  /** The version of the contract that the PMS implements. Default: 1. */
  contract?: 1 | 2
}

export interface ReservationsOffered {
  offers: WireOffer[]
}

/** The form of an outbound change on the wire. */
export interface WireOffer {
  id: string
  localId: string
  externalId: string | null
  baseRevision: number | null
  reservation: SharedReservation
  changed: readonly string[]
  leaseIds: readonly string[]
  /** Contract 2. */
  intents?: readonly Intent[]
  facts?: readonly Fact[]
}

export interface OffersAnswered {
  answers: WireAnswer[]
}

/** The answer to the outbound change with this id. */
export type WireAnswer =
  | {
      id: string
      is: 'accepted'
      externalId: string
      revision: number
      reservation?: SharedReservation | null
      /** Contract 2: the steps that were not simply carried out. */
      results?: WireResult[] | null
    }
  | {
      id: string
      is: 'outdated'
      externalId: string
      revision: number
      changedAt?: string | null
      /** Null: the PMS has deleted it. */
      reservation: SharedReservation | null
    }
  | { id: string; is: 'refused'; reason: string; code?: string | null }

/** The result of the intent or fact with this id. */
export interface WireResult {
  id: string
  is: StepResult['is']
  code?: string | null
  /** Given with `refused`. */
  reason?: string | null
}

export interface CapabilitiesRequested {
  requestId: string
  configurationId: string
  adapter: string
  adapterVersion: string
  interfaceVersion: string
  deadline: string
}

export interface CapabilitiesReplied {
  requestId: string
  capabilities: Omit<Capabilities, 'ttlSeconds'>
  ttlSeconds: number
}

export interface UnitAssignmentRequested {
  reservationExternalId: string | null
  reservationLocalId: string
  stayExternalId: string | null
  stayLocalId: string
  startDate: string
  endDate: string
  unitTypeCodes: string[]
  preferredUnitName: string | null
  notes: string | null
}

export type UnitAssignmentReplied =
  | { is: 'chosen'; unitNames: string[] }
  | { is: 'none-eligible'; reason: string }
  | { is: 'change-refused'; reason: string }

export interface ExtensionInvoked {
  name: string
  method: ExtensionMethod
  query: string
  body: JsonText | null
}

export type ExtensionReplied =
  | { is: 'answered'; payload: unknown }
  | { is: 'not-implemented' }
  | { is: 'refused'; reason: string }

export interface RequestFailed {
  code: (typeof failures)[number]
  reason: string
  retryAfterSeconds?: number | null
}

/**
 * Why a PMS does not answer a request. `busy`: the request is repeated later. `cursor-gone`: a full load follows. All
 * others need a person.
 */
export const failures = ['busy', 'cursor-gone', 'unauthorized', 'invalid', 'failed'] as const
