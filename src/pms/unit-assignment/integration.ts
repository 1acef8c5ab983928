import type { Reservation } from '../../reservation/resources/reservation.ts'
import type { Stay } from '../../reservation/resources/stay.ts'
import type { Actor } from '../../resource/command.ts'

/** A request to assign units to a stay, with hints. */
export interface UnitRequest {
  reservation: Reservation
  stay: Stay
  /** The unit type of each missing unit, in the order of the stay's units. At least one. */
  unitTypeIds: readonly string[]
  preferredUnitId: string | null
  notes: string | null
}

/** `chosen` contains one unit for each missing one, in their order. A reason is a sentence for the front desk. */
export type UnitAnswer =
  | { is: 'chosen'; unitIds: readonly string[] }
  | { is: 'none-eligible'; reason: string }
  /** The PMS considers the stay settled, and does not change it. */
  | { is: 'change-refused'; reason: string }
  /** The PMS cannot be reached: the appliance may assign only units that this PMS has lent. */
  | { is: 'lent-only'; configurationId: string; name: string; reason: string }

/** A PMS that assigns the units of a reservation in place of the appliance. */
export interface Integration {
  /** Throws the 502 Problem of an integration that cannot be reached. */
  pickUnits(request: UnitRequest, actor: Actor): Promise<UnitAnswer>
}

/** Finds the integration of a reservation. */
export interface Integrations {
  /** Null where the appliance assigns the units itself. */
  integrationOf(reservation: Reservation): Integration | null
}
