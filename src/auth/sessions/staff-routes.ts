import { resourceRoutes, type Store } from '../../jsonapi/resource-routes.ts'
import type { Route } from '../../jsonapi/route.ts'
import { account } from '../accounts/account.ts'
import { accountRoutes } from '../accounts/account-routes.ts'
import { ownSecretRoutes } from '../accounts/own-secrets.ts'
import { rightRoutes } from '../rights/right-routes.ts'
import { rightToConfirm } from '../rights/right-to-confirm.ts'
import { claimRoute } from './claim-house.ts'
import { demoRoute } from './demo-staff.ts'
import { session } from './session.ts'
import { sessionActions } from './session-actions.ts'
import type { SessionContext } from './session-context.ts'
import { sessionLists } from './session-lists.ts'
import { station } from './station.ts'
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
