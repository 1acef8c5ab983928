import type { ShownCard } from '../../jsonapi/guests.ts'
import type { Transaction } from '../../resource/command.ts'
import type { Stay } from '../resources/stay.ts'
import type { AllotmentsFor, DraftPolicy } from './stay-draft.ts'
import { allRights, type StayRights } from './stay-rights.ts'

/** Functions of other modules that run when a stay is written, in the same transaction. `api.ts` connects them. */
export interface StayPorts {
  /** Lets the keys follow a stay that was written; `before` is null for a new one. */
  keysFollow(tx: Transaction, before: Stay | null, row: Stay): void
  /** Lets the keys that waited for the name of a stay wait for another one, before the stay is removed. */
  letKeysWait(tx: Transaction, stayId: string): void
  /** Returns the names of the units whose keys were made for the stay and may still open them. */
  keyedUnits(tx: Transaction, stayId: string): readonly string[]
  /** Returns whether a key was ever made for the stay. */
  everHadKey(tx: Transaction, stayId: string): boolean
  /** Returns whether a payment for the stay is under way at a terminal, or the terminal has not reported how it ended. */
  isBeingPaid(tx: Transaction, stayId: string): boolean
  /** Returns whether a card that a guest has shown, or has returned, is one of the stay and counts. */
  hasShownCard(tx: Transaction, stayId: string, shown: ShownCard): boolean
  allotmentsFor: AllotmentsFor
}

/** The origin of a write of a stay, and the rules that do not apply to it. */
export interface StayPolicy extends DraftPolicy {
  ports: StayPorts
  /** What the caller's scopes allow. */
  rights: StayRights
  skips: DraftPolicy['skips'] & {
    /** The refusals by the caller's rights, by the status of the stay, and by a key that was made for a unit. */
    refusals?: boolean
    /** The guards of the status table that protect the front desk from mistakes. */
    deskGuards?: boolean
    /**
     * The status table, for new stays that already have their status elsewhere: all of them, or all except stays in
     * house.
     */
    history?: 'all' | 'notInHouse'
    /** The check that the rate plan is sold for the nights of the stay. */
    ratePlan?: boolean
    /** The check that a unit of each type is left for the nights of the stay. */
    overbooking?: boolean
  }
}

/** For a request through the interface. */
export function deskPolicy(ports: StayPorts, rights: StayRights = allRights): StayPolicy {
  return { ports, rights, skips: { overbooking: rights.overbook }, allotmentsFor: ports.allotmentsFor }
}

/** For the built-in unit assignment, which is allowed even when the stay's fields are frozen. */
export function assignmentPolicy(ports: StayPorts): StayPolicy {
  return { ports, rights: allRights, skips: { refusals: true }, allotmentsFor: ports.allotmentsFor }
}

/** For an import of stays from another system. */
export function importPolicy(ports: StayPorts): StayPolicy {
  const skips = { history: 'all', ratePlan: true, overbooking: true, currency: true } as const
  return { ports, rights: allRights, skips, allotmentsFor: ports.allotmentsFor }
}

/**
 * For the fields that a PMS reports. They are stored even where the front desk would be refused: two stays may have one unit,
 * until a person decides.
 */
export const asReported: DraftPolicy = {
  skips: { occupancy: true, exclusivity: true, currency: true },
  allotmentsFor: null,
}

/** For a status that a PMS reports. */
export function reportPolicy(ports: StayPorts): StayPolicy {
  const skips = { refusals: true, deskGuards: true, history: 'notInHouse', ratePlan: true } as const
  return {
    ports,
    rights: allRights,
    skips: { ...asReported.skips, ...skips, overbooking: true },
    allotmentsFor: null,
  }
}
