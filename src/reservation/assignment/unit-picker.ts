import type { Transaction, WriteOptions } from '../../resource/command.ts'
import type { Problem } from '../../resource/problem.ts'
import type { Stay, StayDraft } from '../resources/stay.ts'
import type { AssignmentHints } from './assignment-changes.ts'

/** The stays that units are asked for: one, or all of a reservation. */
export interface Wanted {
  reservationId: string
  stayId: string | null
  /** By stay. */
  hints: Record<string, AssignmentHints>
}

/** What somebody else has picked, by stay: plain values, the input of a command. Null where the house picks. */
export type Picks = Readonly<Record<string, unknown>> | null

/** The places of a stay, each with a unit, and the leases by which it may have them. */
export type GivenUnits = Pick<StayDraft, 'units' | 'lent'>

/**
 * Asks whoever picks the units of a reservation instead of the house, and hands what he said to `write`. Throws the 502 of
 * one who cannot be asked, unless units were picked before that.
 */
export type WithPicks = <T>(
  wanted: Wanted,
  options: WriteOptions,
  write: (picks: Picks) => Promise<T>,
) => Promise<T>

/** Reads inside the command what was picked for a stay; undefined is a stay that nobody was asked about. */
export type ReadPick = (
  tx: Transaction,
  row: Stay,
  picked: unknown,
  hints: AssignmentHints,
) => GivenUnits | Problem
