import type { Clock } from '../host/clock.ts'
import { resourceRoutes, type Store } from '../jsonapi/resource-routes.ts'
import type { Route } from '../jsonapi/route.ts'
import type { Resource } from '../resource/resource.ts'
import type { AssignmentCommands } from './assignment/assignment-commands.ts'
import { assignmentRoutes } from './assignment/assignment-routes.ts'
import type { WithPicks } from './assignment/unit-picker.ts'
import { handOverRoutes } from './hand-over/hand-over-routes.ts'
import { helpCallRoutes } from './hand-over/help-call-routes.ts'
import { paymentRoutes } from './payments/payment-routes.ts'
import { profileRoutes } from './profiles/profile-routes.ts'
import type { ChangeSettings } from './property/change-settings.ts'
import { settingsRoutes } from './property/settings-routes.ts'
import { registrationRoutes } from './registration/registration-routes.ts'
import type { ReservationCommands } from './reservations/reservation-commands.ts'
import { readByGuest, wholeReservationRoutes } from './reservations/reservation-routes.ts'
import { handOver } from './resources/hand-over.ts'
import { helpCall } from './resources/help-call.ts'
import { ratePlan } from './resources/rate-plan.ts'
import { registration } from './resources/registration.ts'
import { reservation } from './resources/reservation.ts'
import { stay } from './resources/stay.ts'
import { reservationResources } from './resources.ts'
import { searchRoutes } from './search/search-routes.ts'
import { ofGuest } from './stays/rules/expect-guest.ts'
import type { StayCommands } from './stays/stay-commands.ts'
import { stayRoutes } from './stays/stay-routes.ts'
import { withKnownUnitType } from './units/known-unit-type.ts'
import { unitRoutes } from './units/unit-routes.ts'

/** The resources whose routes restrict who reads what. */
const haveOwnRoutes: readonly Resource[] = [handOver, helpCall, registration]

/** Returns every route of the reservation interface. */
export function reservationRoutes(
  store: Store,
  commands: {
    stays: StayCommands
    reservations: ReservationCommands
    assignment: AssignmentCommands
    settings: ChangeSettings
  },
  withPicks: WithPicks,
  clock: Pick<Clock, 'now'>,
  nameOf: (actor: string) => string | null,
): Route[] {
  return [
    ...reservationResources
      .filter((each) => !haveOwnRoutes.includes(each))
      .flatMap((each) =>
        resourceRoutes(store, each)
          .map((route) => (each.type === ratePlan.type ? { ...route, beta: true } : route))
          .map(withKnownUnitType)
          .map((route) => readRoute(store, clock, each, route)),
      ),
    ...settingsRoutes(store, commands.settings),
    ...profileRoutes(store),
    ...unitRoutes(store).map(withKnownUnitType),
    ...wholeReservationRoutes(store, commands.reservations, clock),
    ...stayRoutes(store, commands.stays),
    ...searchRoutes(store, clock),
    ...paymentRoutes(store),
    ...handOverRoutes(store, clock),
    ...helpCallRoutes(store, clock, nameOf),
    ...registrationRoutes(store, nameOf),
    ...assignmentRoutes(store, commands.assignment, withPicks),
  ]
}

/** A kiosk reads the stay and the reservation of its guest only. */
function readRoute(store: Store, clock: Pick<Clock, 'now'>, { type }: Resource, route: Route): Route {
  if (route.path === `${stay.path}/:id`) return ofGuest(route)
  return type === reservation.type ? readByGuest(store, clock, route) : route
}
