import type { Transaction, WriteOptions } from '../../resource/command.ts'
import type { Problem } from '../../resource/problem.ts'
import type { Stay, StayDraft } from '../resources/stay.ts'

/** The wishes of a caller for the units of one stay. */
export interface AssignmentHints {
  preferredUnitId?: string | undefined
  /** Forwarded to an integration. The built-in assignment ignores it. */
  notes?: string | undefined
}

/** The stays that need units: one stay, or all stays of the reservation when `stayId` is null. */
export interface Wanted {
  reservationId: string
  stayId: string | null
  /** By stay id. */
  hints: Record<string, AssignmentHints>
}

/**
 * The units that an integration picked, by stay id: plain values, the input of a command. Null when the built-in rules
 * pick.
 */
export type Picks = Readonly<Record<string, unknown>> | null

/** The units of a stay, each assigned, and the allotments that cover these units. */
export type AssignedUnits = Pick<StayDraft, 'units' | 'lent'>

/**
 * Asks the integration of the reservation for units and passes its answer to `write`; passes null when the built-in
 * rules pick. Throws 502 when the integration does not answer. If it has already chosen units for another stay of the
 * reservation, the stays without an answer get a failed pick instead.
 */
export type WithPicks = <T>(
  wanted: Wanted,
  options: WriteOptions,
  write: (picks: Picks) => Promise<T>,
) => Promise<T>

/**
 * Validates inside the command what the integration picked for a stay. `picked` is undefined when the integration was
 * not asked about this stay.
 */
export type ReadPick = (
  tx: Transaction,
  row: Stay,
  picked: unknown,
  hints: AssignmentHints,
) => AssignedUnits | Problem
