import { resourceRoutes, type Store } from '../../jsonapi/resource-routes.ts'
import type { Route } from '../../jsonapi/route.ts'
import { accountRoutes } from '../accounts/account-routes.ts'
import { account } from '../resources/account.ts'
import { session } from '../resources/session.ts'
import { station } from '../resources/station.ts'
import { rightToConfirm } from '../rights/right-to-confirm.ts'
import type { SessionContext } from '../sessions/session-context.ts'
import { claimRoute } from './claim-house.ts'
import { demoRoute } from './demo-staff.ts'
import { ownSecretRoutes } from './own-secrets.ts'
import { rightRoutes } from './right-routes.ts'
import { sessionActions } from './session-actions.ts'
import { sessionLists } from './session-lists.ts'
import { stationActions } from './station-actions.ts'
import { stationRoutes } from './station-routes.ts'

/** Returns all routes of accounts, stations and sessions, of both interfaces. */
export function staffRoutes(store: Store, context: SessionContext): Route[] {
  const desk = { ...context, ...store }
  return [
    ...sessionActions(desk),
    ...stationActions(desk),
    ...ownSecretRoutes(desk),
    claimRoute(desk),
    demoRoute(desk),
    ...sessionLists(desk),
    ...[account, station, session, rightToConfirm].flatMap((each) => resourceRoutes(store, each)),
    ...rightRoutes(store),
    ...accountRoutes(desk),
    ...stationRoutes(desk),
  ]
}
