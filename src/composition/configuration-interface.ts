import { join } from 'node:path'
import type { Access } from '../access/access.ts'
import { commissionRoutes } from '../access/controllers/commission-routes.ts'
import { configRoutes } from '../access/controllers/config-routes.ts'
import { connectedDeviceRoutes } from '../access/controllers/connected/connected-device-routes.ts'
import { keyServiceRoutes } from '../access/controllers/key-service-routes.ts'
import { allOf } from '../access/lookups.ts'
import { lockReplacedRoute } from '../access/providers/lock-replaced.ts'
import { mapUnitsRoute } from '../access/providers/map-units.ts'
import { accessController } from '../access/resources/access-controller.ts'
import { dispenser } from '../access/resources/dispenser.ts'
import { accessResources } from '../access/resources.ts'
import { rateLimitRoutes } from '../auth/limits/rate-limit-routes.ts'
import { token } from '../auth/resources/token.ts'
import { expectUnowned } from '../auth/sign-in/claim-house.ts'
import { tokenRoutes } from '../auth/tokens/token-routes.ts'
import { backupRoutes } from '../backup/backup-routes.ts'
import { restoreRoutes } from '../backup/restore/restore-routes.ts'
import { sheetRoutes } from '../backup/sheet/sheet-routes.ts'
import { targetRoutes } from '../backup/targets/target-routes.ts'
import { networkRoutes } from '../box/network/network-routes.ts'
import { supportConsoleRoutes } from '../box/support/support-routes.ts'
import { certificateRoutes } from '../certificate/certificate-routes.ts'
import { clockRoutes } from '../clock/clock-routes.ts'
import { simulatedDeviceRoutes } from '../demo/simulated-device-routes.ts'
import { simulated } from '../demo/simulated-lobby.ts'
import { pluggedIn } from '../devices/wires/plugged-in.ts'
import { auditRoutes } from '../events/audit-routes.ts'
import { webhook } from '../events/resources/webhook.ts'
import { webhookRoutes } from '../events/webhooks/webhook-routes.ts'
import { dataFiles } from '../host/files/data-files.ts'
import { resourceRoutes, type Store } from '../jsonapi/resource-routes.ts'
import type { Route } from '../jsonapi/route.ts'
import { logRoutes } from '../logging/log-routes.ts'
import { pmsConfiguration } from '../pms/resources/pms-configuration.ts'
import { syncConflict } from '../pms/resources/sync-conflict.ts'
import { pmsResources } from '../pms/resources.ts'
import { configurationRoutes } from '../pms/routes/configuration-routes.ts'
import { conflictRoutes } from '../pms/sync/conflicts/conflict-routes.ts'
import { syncRoutes } from '../pms/sync/sync-routes.ts'
import { recorderRoutes } from '../recorder/recorder-routes.ts'
import { epochRoutes } from '../reservation/property/epoch-routes.ts'
import { importRoutes } from '../reservation/reservations/import-routes.ts'
import { settings } from '../reservation/resources/settings.ts'
import { wholeStatusOf } from '../status/status.ts'
import { supportRoutes } from '../status/support-file.ts'
import { paymentTerminal } from '../terminal/payment-terminal.ts'
import { updateRoutes } from '../update/update-routes.ts'
import { reservations, sync } from './api.ts'
import { keyServiceDrivers, terminalDrivers } from './drivers.ts'
import type { InterfaceOptions } from './interface-options.ts'
import { lockOfDoor, unitOfCard } from './locks-of-doors.ts'

/** Whether a dispenser or controller is configured at this address. */
function isAt(access: Access, path: string): boolean {
  const rows = [...allOf(access, dispenser), ...allOf(access, accessController)]
  const terminals = access.reader.rows(paymentTerminal, { filters: [], sort: [], page: { size: 100 } })
  return rows.some(({ device }) => device?.path === path) || terminals.some((each) => each.path === path)
}

/** The configured lock systems and devices. */
const accessConfiguration = accessResources.filter(({ base }) => base === '/api/config/v1')

/** The operations of the configuration interface, except those on the resources of reservations and access. */
export function configurationOf(store: Store, options: InterfaceOptions): Route[] {
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
    mapUnitsRoute(store, config.lockDrivers),
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
