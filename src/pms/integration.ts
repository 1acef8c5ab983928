import type { Reservation } from '../reservation/resources/reservation.ts'
import type { Stay } from '../reservation/resources/stay.ts'
import type { Actor } from '../resource/command.ts'

/** Units that somebody else is asked to pick for a stay, and what he may take as a hint. */
export interface UnitRequest {
  reservation: Reservation
  stay: Stay
  /** The unit type of each unit that the stay still lacks, in its order. At least one. */
  unitTypeIds: readonly string[]
  preferredUnitId: string | null
  notes: string | null
}

/** `chosen` names a unit for each that was lacking, in their order. A reason is a sentence for the desk. */
export type UnitAnswer =
  | { is: 'chosen'; unitIds: readonly string[] }
  | { is: 'none-eligible'; reason: string }
  /** It holds the stay to be settled already, and will not change it. */
  | { is: 'change-refused'; reason: string }
  /** Nobody can be asked: the house may give what this PMS has lent it, and nothing else. */
  | { is: 'lent-only'; configurationId: string; name: string; reason: string }

/** Who picks the units of a reservation instead of the appliance. */
export interface Integration {
  /** Throws the Problem of an integration that cannot be asked: a 502. */
  pickUnits(request: UnitRequest, actor: Actor): Promise<UnitAnswer>
}

export interface Integrations {
  /** Null where the appliance picks by itself. */
  integrationOf(reservation: Reservation): Integration | null
}
