import { configRoutes } from '../access/controllers/config-routes.ts'
import { keyServiceRoutes } from '../access/controllers/key-service-routes.ts'
import { mapUnitsRoute } from '../access/providers/map-units.ts'
import { accountRoutes } from '../auth/accounts/account-routes.ts'
import { withSteppingUp } from '../auth/stepping-up.ts'
import { resourceRoutes, type Store } from '../jsonapi/resource-routes.ts'
import type { Route } from '../jsonapi/route.ts'
import { configurationRoutes } from '../pms/routes/configuration-routes.ts'
import { property } from '../reservation/resources/property.ts'
import { unit } from '../reservation/resources/unit.ts'
import { unitType } from '../reservation/resources/unit-type.ts'
import { unitRoutes } from '../reservation/units/unit-routes.ts'
import { terminalRoutes } from '../terminal/terminal-routes.ts'
import { keyServiceDrivers, terminalDrivers } from './drivers.ts'
import type { InterfaceOptions } from './interface-options.ts'

/**
 * Returns the operations with which a document sets up rooms, devices, connections and staff, over the scratch store of a trial. No
 * device and no lock system is opened.
 */
export function trialRoutes(store: Store, options: InterfaceOptions): Route[] {
  const { config, pmsConfig, keyServices, staff, terminals } = options
  return withSteppingUp([
    ...[property, unitType, unit].flatMap((each) => resourceRoutes(store, each)),
    ...unitRoutes(store),
    ...configRoutes(store, config),
    ...keyServiceRoutes(store, keyServices, keyServiceDrivers),
    ...configurationRoutes(store, pmsConfig),
    ...terminalRoutes(store, terminals, { ...config, drivers: terminalDrivers }),
    ...accountRoutes({ ...staff, ...store }),
    mapUnitsRoute(store, config.lockDrivers),
  ])
}
