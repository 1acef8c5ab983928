import type { Access } from './access/access.ts'
import { commissionRoutes } from './access/controllers/commission-routes.ts'
import { type ConfigOptions, configRoutes } from './access/controllers/config-routes.ts'
import { connectedDeviceRoutes } from './access/controllers/connected-device-routes.ts'
import { dispenserRoutes } from './access/dispensers/dispenser-routes.ts'
import { keyItemRoutes } from './access/keys/routes/key-item-routes.ts'
import { keyRoutes } from './access/keys/routes/key-routes.ts'
import { keyVerbRoutes } from './access/keys/routes/key-verb-routes.ts'
import { olderKeysRoutes } from './access/keys/routes/older-keys-routes.ts'
import { keyServiceRoutes } from './access/providers/key-service-routes.ts'
import type { KeyServices } from './access/providers/key-services.ts'
import { lockProviderRoutes } from './access/providers/provider-routes.ts'
import { key } from './access/resources/key.ts'
import { accessResources } from './access/resources.ts'
import { assignment, erase, reservations, stays, sync } from './api.ts'
import { asyncApiRoutes } from './asyncapi-routes.ts'
import type { Pairing } from './auth/pairing-code.ts'
import { rateLimitRoutes } from './auth/rate-limit-routes.ts'
import type { RateLimits } from './auth/rate-limits.ts'
import { token } from './auth/token.ts'
import type { TokenEnvironment } from './auth/token-format.ts'
import { tokenRoutes } from './auth/token-routes.ts'
import { backupRoutes } from './backup/backup-routes.ts'
import type { Backups } from './backup/backups.ts'
import { clockRoutes } from './clock-routes.ts'
import { faults } from './devices/fault.ts'
import { pluggedIn } from './devices/plugged-in.ts'
import { keyServiceDrivers } from './drivers.ts'
import { type EventRouteOptions, eventRoutes } from './events/event-routes.ts'
import { type WebhookRouteOptions, webhookRoutes } from './events/webhooks/webhook-routes.ts'
import type { JudgedClock } from './host/judged-clock.ts'
import { type Keeping, resourceRoutes } from './jsonapi/resource-routes.ts'
import type { Interface } from './jsonapi/server.ts'
import { openApiRoutes } from './openapi/openapi-routes.ts'
import { callbackRoute } from './pms/callback-route.ts'
import { configurationRoutes, type PmsConfigOptions } from './pms/configuration-routes.ts'
import { unitPicking } from './pms/pick-units.ts'
import { providerRoutes } from './pms/provider-routes.ts'
import { upstreamResources } from './pms/resources.ts'
import { conflictRoutes } from './pms/sync/conflict-routes.ts'
import { syncRoutes } from './pms/sync/sync-routes.ts'
import type { Upstream } from './pms/upstream.ts'
import { problemRoutes } from './problem-routes.ts'
import { flightRoutes } from './recorder/flight-routes.ts'
import type { Recorder } from './recorder/recorder.ts'
import { availabilityRoutes } from './reservation/availability/availability-routes.ts'
import { privacyRoutes } from './reservation/profiles/privacy-routes.ts'
import { importRoutes } from './reservation/reservations/import-routes.ts'
import { reservationRoutes } from './reservation/routes.ts'
import { statusRoutes } from './status/status.ts'
import type { StatusOptions } from './status/status-facts.ts'

interface InterfaceOptions {
  access: Access
  keyServices: KeyServices
  upstream: Upstream
  clock: JudgedClock
  status: StatusOptions
  config: ConfigOptions
  pms: PmsConfigOptions
  events: Pick<EventRouteOptions, 'feed' | 'streams'> & WebhookRouteOptions
  tokens: { environment: TokenEnvironment; pairing: Pairing | null }
  rateLimits: RateLimits
  /** Null when the property records nothing. */
  recorder: Recorder | null
  backups: Backups
}

/** The version of the reservation interface. */
export const reservationVersion = '2.2.0-alpha.1'

/** Returns all interfaces of the appliance, each with its version. */
export function interfacesOf(keeping: Keeping, options: InterfaceOptions): Interface[] {
  const { access, upstream, status, config, pms, tokens, rateLimits, recorder } = options
  const plain = (base: string) =>
    accessResources
      .filter((each) => each.base === base && each !== key)
      .flatMap((each) => resourceRoutes(keeping, each))
  const picking = unitPicking(keeping.reader, upstream.integrations)
  const house = reservationRoutes(keeping, { stays, reservations, assignment }, picking)
  const { releaseId: version } = status
  const { resources } = keeping
  const interfaces: Interface[] = [
    {
      name: 'Reservations',
      version: reservationVersion,
      routes: [
        ...house.filter(({ base }) => base === '/api/v2'),
        ...availabilityRoutes(keeping, status.clock.now),
        ...privacyRoutes(keeping, erase),
        ...providerRoutes(upstream),
        callbackRoute(upstream),
        ...eventRoutes({ reader: keeping.reader, ...options.events }),
        ...statusRoutes(keeping, status),
        ...problemRoutes(),
        ...asyncApiRoutes(version),
        ...openApiRoutes(() => ({ version, interfaces, resources, failures: faults })),
      ],
    },
    {
      name: 'Access',
      version: '2.2.1-rc.1',
      routes: [
        ...plain('/api/v2'),
        ...keyItemRoutes(keeping, access),
        ...keyRoutes(keeping, access),
        ...keyVerbRoutes(keeping, access),
        ...olderKeysRoutes(access),
        ...lockProviderRoutes(access),
        ...dispenserRoutes(access),
      ],
    },
    {
      name: 'Configuration',
      version: '1.0.11',
      routes: [
        ...house.filter(({ base }) => base === '/api/config/v1'),
        ...plain('/api/config/v1'),
        ...configRoutes(keeping, config),
        ...keyServiceRoutes(keeping, options.keyServices, keyServiceDrivers),
        ...upstreamResources.flatMap((each) => resourceRoutes(keeping, each)),
        ...configurationRoutes(keeping, pms),
        ...conflictRoutes(keeping, sync),
        ...syncRoutes(keeping, upstream),
        ...importRoutes(keeping, reservations),
        ...resourceRoutes(keeping, token),
        ...tokenRoutes(keeping, tokens.environment, tokens.pairing),
        ...webhookRoutes(keeping, options.events),
        ...rateLimitRoutes(rateLimits),
        ...clockRoutes(keeping, options.clock),
        ...flightRoutes(recorder),
        ...backupRoutes(options.backups),
        ...commissionRoutes(access),
        ...connectedDeviceRoutes(access, { drivers: config.drivers, pluggedIn }),
      ],
    },
  ]
  return interfaces
}
