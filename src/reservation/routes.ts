import { type Keeping, resourceRoutes } from '../jsonapi/resource-routes.ts'
import type { Route } from '../jsonapi/route.ts'
import type { AssignmentChanges } from './assignment-changes.ts'
import { assignmentRoutes } from './assignment-routes.ts'
import { withKnownUnitType } from './known-unit-type.ts'
import { paymentRoutes } from './payment-routes.ts'
import { profileRoutes } from './profile-routes.ts'
import type { ReservationChanges } from './reservation-changes.ts'
import { wholeReservationRoutes } from './reservation-routes.ts'
import { ratePlan } from './resources/rate-plan.ts'
import { reservationResources } from './resources.ts'
import { settingsRoutes } from './settings-routes.ts'
import type { StayChanges } from './stay-changes.ts'
import { stayRoutes } from './stay-routes.ts'
import type { WithPicks } from './unit-picker.ts'
import { unitRoutes } from './unit-routes.ts'

/** Every operation of the reservation interface: the plain ones as declared, then those with rules of their own. */
export function reservationRoutes(
  keeping: Keeping,
  changes: { stays: StayChanges; reservations: ReservationChanges; assignment: AssignmentChanges },
  withPicks: WithPicks,
): Route[] {
  return [
    ...reservationResources.flatMap((each) =>
      resourceRoutes(keeping, each)
        .map((route) => (each.type === ratePlan.type ? { ...route, beta: true } : route))
        .map(withKnownUnitType),
    ),
    ...settingsRoutes(keeping),
    ...profileRoutes(keeping),
    ...unitRoutes(keeping).map(withKnownUnitType),
    ...wholeReservationRoutes(keeping, changes.reservations),
    ...stayRoutes(keeping, changes.stays),
    ...paymentRoutes(keeping),
    ...assignmentRoutes(keeping, changes.assignment, withPicks),
  ]
}
