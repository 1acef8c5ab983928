import { cardRunRoutes } from '../access/cards/card-run-routes.ts'
import { deviceListRoutes } from '../access/controllers/device-list-routes.ts'
import { dispenserRoutes } from '../access/dispensers/routes/dispenser-routes.ts'
import { keyVerbRoutes } from '../access/keys/routes/key-action-routes.ts'
import { keyItemRoutes } from '../access/keys/routes/key-item-routes.ts'
import { keyRoutes } from '../access/keys/routes/key-routes.ts'
import { olderKeysRoutes } from '../access/keys/routes/older-keys-routes.ts'
import { lockProviderRoutes } from '../access/providers/provider-routes.ts'
import { key } from '../access/resources/key.ts'
import { accessResources } from '../access/resources.ts'
import { nameOfActor } from '../auth/actor-names.ts'
import { isClaimed } from '../auth/sign-in/session-state.ts'
import { staffRoutes } from '../auth/sign-in/staff-routes.ts'
import { withSteppingUp } from '../auth/stepping-up.ts'
import { trustRoutes } from '../certificate/trust-routes.ts'
import { consoleRoutes } from '../console/console-routes.ts'
import { faults } from '../devices/fault.ts'
import { eventRoutes } from '../events/event-routes.ts'
import { handbookRoutes } from '../handbook/handbook-routes.ts'
import { resourceRoutes, type Store } from '../jsonapi/resource-routes.ts'
import type { Route } from '../jsonapi/route.ts'
import type { Interface } from '../jsonapi/server/server.ts'
import { openApiRoutes } from '../openapi/openapi-routes.ts'
import { callbackRoute } from '../pms/routes/callback-route.ts'
import { providerRoutes } from '../pms/routes/provider-routes.ts'
import { unitPicking } from '../pms/unit-assignment/pick-units.ts'
import { problemRoutes } from '../problems/problem-routes.ts'
import { availabilityRoutes } from '../reservation/availability/availability-routes.ts'
import { privacyRoutes } from '../reservation/profiles/privacy-routes.ts'
import { kioskImageRoute } from '../reservation/property/kiosk-image-route.ts'
import { zoneOf } from '../reservation/resources/house.ts'
import { reservationRoutes } from '../reservation/routes.ts'
import { setupRoutes } from '../setup/setup-routes.ts'
import { metricsRoutes } from '../status/metrics/metrics-routes.ts'
import { securityTextRoute } from '../status/security-text.ts'
import { statusRoutes } from '../status/status.ts'
import { terminalRoutes } from '../terminal/terminal-routes.ts'
import { assignment, changeSettings, erase, reservations, stays } from './api.ts'
import { configurationOf } from './configuration-interface.ts'
import { contractRoutes } from './contract-routes.ts'
import { terminalDrivers } from './drivers.ts'
import type { InterfaceOptions } from './interface-options.ts'
import { trialRoutes } from './trial-routes.ts'

/** The version of the reservation interface. */
export const reservationVersion = '2.2.0-alpha.1'

/** Returns all interfaces of the appliance, each with its version. */
export function interfacesOf(store: Store, options: InterfaceOptions): Interface[] {
  const { pms, status } = options
  const { resources } = store
  const { releaseId: version } = status
  const terminals = terminalRoutes(store, options.terminals, {
    drivers: terminalDrivers,
    addressProblem: options.config.addressProblem,
  })
  const staff = staffRoutes(store, options.staff)
  const picking = unitPicking(store.reader, pms.integrations)
  const nameOf = (actor: string) => nameOfActor(store.reader, actor)
  const commands = { stays, reservations, assignment, settings: changeSettings }
  const house = reservationRoutes(store, commands, picking, options.clock, nameOf)
  const described = openApiRoutes(() => ({ version, interfaces, resources, failures: faults }))
  const all: Interface[] = [
    {
      name: 'Reservations',
      version: reservationVersion,
      routes: [
        ...house.filter(({ base }) => base === '/api/v2'),
        ...reservationServices(store, options),
        ...terminals.filter(({ base }) => base === '/api/v2'),
        ...staff.filter(({ base }) => base === '/api/v2'),
        ...described,
      ],
    },
    { name: 'Access', version: '2.2.1-rc.1', routes: accessRoutes(store, options) },
    {
      name: 'Configuration',
      version: '1.0.11',
      routes: [
        ...house.filter(({ base }) => base === '/api/config/v1'),
        ...plainRoutes(store, '/api/config/v1'),
        ...configurationOf(store, options),
        ...terminals.filter(({ base }) => base === '/api/config/v1'),
        ...staff.filter(({ base }) => base === '/api/config/v1'),
        ...setupRoutes(store, () => interfaces.flatMap((each) => each.routes), {
          open: options.scratch,
          routes: ({ reader, writer }) => trialRoutes({ ...store, reader, writer }, options),
        }),
      ],
    },
  ]
  const interfaces = all.map((each) => ({ ...each, routes: withSteppingUp(each.routes) }))
  return interfaces
}

/** The operations of the reservation interface beside its resources. */
function reservationServices(store: Store, options: InterfaceOptions): Route[] {
  const { pms, status, events, certificates, staff } = options
  const { releaseId: version } = status
  return [
    ...availabilityRoutes(store, status.clock.now),
    ...privacyRoutes(store, erase),
    ...providerRoutes(pms),
    callbackRoute(pms),
    ...eventRoutes({ ...events, zone: () => zoneOf(store.reader) }),
    ...statusRoutes(store, status),
    securityTextRoute(options.securityContact, status.clock.now),
    ...metricsRoutes(store, { ...options.metrics, status }),
    ...problemRoutes(),
    ...contractRoutes(version),
    ...handbookRoutes(version, () => staff.demo || isClaimed(store.reader)),
    ...consoleRoutes(status.data, options.entry),
    kioskImageRoute(store),
    ...trustRoutes(certificates),
  ]
}

function accessRoutes(store: Store, { access, status }: InterfaceOptions): Route[] {
  const deviceRoutes = [...keyRoutes(store, access), ...dispenserRoutes(access)]
  return [
    ...plainRoutes(store, '/api/v2'),
    ...keyItemRoutes(store, access),
    ...keyVerbRoutes(store, access),
    ...olderKeysRoutes(access),
    ...cardRunRoutes(store),
    ...lockProviderRoutes(access, status.releaseId),
    ...deviceRoutes,
    ...deviceListRoutes(store, access, deviceRoutes),
  ]
}

/** The resources of the access module that have no routes of their own. */
function plainRoutes(store: Store, base: Route['base']): Route[] {
  return accessResources
    .filter((each) => each.base === base && each !== key)
    .flatMap((each) => resourceRoutes(store, each))
}
