import { join } from 'node:path'
import type { Access } from '../access/access.ts'
import { cardRunRoutes } from '../access/cards/card-run-routes.ts'
import { commissionRoutes } from '../access/controllers/commission-routes.ts'
import { type ConfigOptions, configRoutes } from '../access/controllers/config-routes.ts'
import { connectedDeviceRoutes } from '../access/controllers/connected/connected-device-routes.ts'
import { deviceListRoutes } from '../access/controllers/device-list-routes.ts'
import { keyServiceRoutes } from '../access/controllers/key-service-routes.ts'
import { dispenserRoutes } from '../access/dispensers/routes/dispenser-routes.ts'
import type { KeyServices } from '../access/key-services/key-services.ts'
import { keyVerbRoutes } from '../access/keys/routes/key-action-routes.ts'
import { keyItemRoutes } from '../access/keys/routes/key-item-routes.ts'
import { keyRoutes } from '../access/keys/routes/key-routes.ts'
import { olderKeysRoutes } from '../access/keys/routes/older-keys-routes.ts'
import { allOf } from '../access/lookups.ts'
import { lockReplacedRoute } from '../access/providers/lock-replaced.ts'
import { mapUnitsRoute } from '../access/providers/map-units.ts'
import { lockProviderRoutes } from '../access/providers/provider-routes.ts'
import { accessController } from '../access/resources/access-controller.ts'
import { dispenser } from '../access/resources/dispenser.ts'
import { key } from '../access/resources/key.ts'
import { accessResources } from '../access/resources.ts'
import { nameOfActor } from '../auth/actor-names.ts'
import { rateLimitRoutes } from '../auth/limits/rate-limit-routes.ts'
import type { RateLimits } from '../auth/limits/rate-limits.ts'
import type { Pairing } from '../auth/pairing-code.ts'
import { token } from '../auth/resources/token.ts'
import type { TokenEnvironment } from '../auth/secrets/token-format.ts'
import type { SessionContext } from '../auth/sessions/session-context.ts'
import { expectUnowned } from '../auth/sign-in/claim-house.ts'
import { isClaimed } from '../auth/sign-in/session-state.ts'
import { staffRoutes } from '../auth/sign-in/staff-routes.ts'
import { withSteppingUp } from '../auth/stepping-up.ts'
import { tokenRoutes } from '../auth/tokens/token-routes.ts'
import { backupRoutes } from '../backup/backup-routes.ts'
import type { Backups } from '../backup/backups.ts'
import { restoreRoutes } from '../backup/restore/restore-routes.ts'
import type { Restores } from '../backup/restore/restores.ts'
import { type Sheets, sheetRoutes } from '../backup/sheet/sheet-routes.ts'
import type { Deliveries } from '../backup/targets/deliveries.ts'
import { targetRoutes } from '../backup/targets/target-routes.ts'
import type { NetworkChanges } from '../box/network/network-changes.ts'
import { networkRoutes } from '../box/network/network-routes.ts'
import type { SupportConsole } from '../box/support/support-console.ts'
import { supportConsoleRoutes } from '../box/support/support-routes.ts'
import { certificateRoutes } from '../certificate/certificate-routes.ts'
import type { ServedCertificates } from '../certificate/certificate-state.ts'
import { trustRoutes } from '../certificate/trust-routes.ts'
import { clockRoutes } from '../clock/clock-routes.ts'
import { consoleRoutes } from '../console/console-routes.ts'
import { simulatedDeviceRoutes } from '../demo/simulated-device-routes.ts'
import { type SimulatedLobby, simulated } from '../demo/simulated-lobby.ts'
import { faults } from '../devices/fault.ts'
import { pluggedIn } from '../devices/wires/plugged-in.ts'
import type { PortMemory } from '../devices/wires/usb-ports.ts'
import { auditRoutes } from '../events/audit-routes.ts'
import { type EventRouteOptions, eventRoutes } from '../events/event-routes.ts'
import { webhook } from '../events/resources/webhook.ts'
import { type WebhookRouteOptions, webhookRoutes } from '../events/webhooks/webhook-routes.ts'
import { handbookRoutes } from '../handbook/handbook-routes.ts'
import { dataFiles } from '../host/files/data-files.ts'
import type { JudgedClock } from '../host/judged-clock.ts'
import type { KeptLog } from '../host/kept-log.ts'
import { resourceRoutes, type Store } from '../jsonapi/resource-routes.ts'
import type { Route } from '../jsonapi/route.ts'
import type { Interface } from '../jsonapi/server/server.ts'
import { type LogStreams, logRoutes } from '../logging/log-routes.ts'
import { openApiRoutes } from '../openapi/openapi-routes.ts'
import type { Pms } from '../pms/pms.ts'
import { pmsConfiguration } from '../pms/resources/pms-configuration.ts'
import { syncConflict } from '../pms/resources/sync-conflict.ts'
import { pmsResources } from '../pms/resources.ts'
import { callbackRoute } from '../pms/routes/callback-route.ts'
import { configurationRoutes, type PmsConfigOptions } from '../pms/routes/configuration-routes.ts'
import { providerRoutes } from '../pms/routes/provider-routes.ts'
import { conflictRoutes } from '../pms/sync/conflicts/conflict-routes.ts'
import { syncRoutes } from '../pms/sync/sync-routes.ts'
import { unitPicking } from '../pms/unit-assignment/pick-units.ts'
import { problemRoutes } from '../problems/problem-routes.ts'
import type { Recorder } from '../recorder/recorder.ts'
import { recorderRoutes } from '../recorder/recorder-routes.ts'
import { availabilityRoutes } from '../reservation/availability/availability-routes.ts'
import { privacyRoutes } from '../reservation/profiles/privacy-routes.ts'
import { epochRoutes } from '../reservation/property/epoch-routes.ts'
import { kioskImageRoute } from '../reservation/property/kiosk-image-route.ts'
import { importRoutes } from '../reservation/reservations/import-routes.ts'
import { zoneOf } from '../reservation/resources/house.ts'
import { settings } from '../reservation/resources/settings.ts'
import { reservationRoutes } from '../reservation/routes.ts'
import { setupRoutes } from '../setup/setup-routes.ts'
import { type MetricsOptions, metricsRoutes } from '../status/metrics/metrics-routes.ts'
import { securityTextRoute } from '../status/security-text.ts'
import { statusRoutes, wholeStatusOf } from '../status/status.ts'
import type { StatusOptions } from '../status/status-facts.ts'
import { supportRoutes } from '../status/support-file.ts'
import { paymentTerminal } from '../terminal/payment-terminal.ts'
import { terminalRoutes } from '../terminal/terminal-routes.ts'
import type { Terminals } from '../terminal/terminals.ts'
import type { OpenUpdates } from '../update/open-updates.ts'
import { updateRoutes } from '../update/update-routes.ts'
import { assignment, changeSettings, erase, reservations, stays, sync } from './api.ts'
import { contractRoutes } from './contract-routes.ts'
import { keyServiceDrivers, terminalDrivers } from './drivers.ts'
import { lockOfDoor, unitOfCard } from './locks-of-doors.ts'

interface InterfaceOptions {
  access: Access
  keyServices: KeyServices
  terminals: Terminals
  pms: Pms
  /** Where the devices of this machine were. */
  ports: PortMemory
  clock: JudgedClock
  status: StatusOptions
  securityContact: string | null
  supportRecipient: string | null
  metrics: Omit<MetricsOptions, 'status'>
  config: ConfigOptions
  pmsConfig: PmsConfigOptions
  events: Pick<EventRouteOptions, 'feed' | 'streams'> & WebhookRouteOptions
  /** Sessions and accounts. */
  staff: SessionContext
  tokens: { environment: TokenEnvironment; pairing: Pairing | null }
  rateLimits: RateLimits
  log: { lines: KeptLog; streams: LogStreams }
  /** Null when the property records nothing. */
  recorder: Recorder | null
  backups: Backups
  /** The file with the settings of the program; null where nothing can change it. */
  settingsFile: string | null
  sheets: Sheets
  deliveries: Deliveries
  restores: Restores
  certificates: ServedCertificates
  updates: OpenUpdates
  network: NetworkChanges
  support: SupportConsole
  lobby: SimulatedLobby
  unseal(sealed: string, context: string): string
}

/** Whether a dispenser or controller is configured at this address. */
function isAt(access: Access, path: string): boolean {
  const rows = [...allOf(access, dispenser), ...allOf(access, accessController)]
  const terminals = access.reader.rows(paymentTerminal, { filters: [], sort: [], page: { size: 100 } })
  return rows.some(({ device }) => device?.path === path) || terminals.some((each) => each.path === path)
}

/** The configured lock systems and devices. */
const accessConfiguration = accessResources.filter(({ base }) => base === '/api/config/v1')

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
        ...setupRoutes(store, () => interfaces.flatMap((each) => each.routes)),
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
    ...consoleRoutes(status.data),
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

/** The operations of the configuration interface, except those on the resources of reservations and access. */
function configurationOf(store: Store, options: InterfaceOptions): Route[] {
  const { access, pms, config, tokens, lobby } = options
  return [
    ...configRoutes(store, config),
    ...keyServiceRoutes(store, options.keyServices, keyServiceDrivers),
    ...pmsResources.filter((each) => each !== syncConflict).flatMap((each) => resourceRoutes(store, each)),
    ...configurationRoutes(store, options.pmsConfig),
    ...conflictRoutes(store, sync),
    ...syncRoutes(store, pms),
    ...importRoutes(store, reservations),
    ...resourceRoutes(store, token),
    ...tokenRoutes(store, tokens.environment, tokens.pairing),
    ...auditRoutes(store.reader),
    ...webhookRoutes(store, options.events),
    ...rateLimitRoutes(options.rateLimits),
    ...logRoutes(options.log.lines, options.log.streams),
    ...clockRoutes(store, options.clock),
    ...recorderRoutes(options.recorder),
    ...supportRoutes(store, {
      clock: options.clock,
      log: options.log.lines,
      recipient: options.supportRecipient,
      status: wholeStatusOf(store, options.status),
      recording: options.recorder?.read ?? null,
      configuration: [settings, ...accessConfiguration, pmsConfiguration, webhook],
    }),
    ...epochRoutes(store),
    ...backupRoutes(options.backups, store.reader, options.settingsFile),
    ...sheetRoutes(store, options.sheets),
    ...targetRoutes(store, {
      deliveries: options.deliveries,
      seal: options.config.seal,
      unseal: options.unseal,
    }),
    ...restoreRoutes({
      restores: options.restores,
      reader: store.reader,
      expectUnowned: (code, address) => expectUnowned({ reader: store.reader, ...tokens }, code, address),
      expectUnlocked: options.staff.sessions.expectUnlocked,
    }),
    ...certificateRoutes({ served: options.certificates, clock: options.clock, writer: store.writer }),
    ...updateRoutes(options.updates),
    ...networkRoutes(store, options.network),
    ...supportConsoleRoutes(options.support),
    mapUnitsRoute(access),
    lockReplacedRoute(access),
    ...simulatedDeviceRoutes({
      lobby,
      isUsed: (name) => isAt(access, simulated + name),
      now: options.clock.now,
      doors: {
        lock: (door) => lockOfDoor(store.reader, door, options.unseal),
        unitOf: (uid) => unitOfCard(store.reader, uid),
        folder: join(options.status.data, dataFiles.doors),
      },
    }),
    ...commissionRoutes(access),
    ...connectedDeviceRoutes(access, {
      drivers: config.drivers,
      terminalDrivers,
      addressProblem: config.addressProblem,
      pluggedIn,
      ports: options.ports,
    }),
  ]
}
