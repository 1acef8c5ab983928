import { join, resolve } from 'node:path'
import { portsInFile } from '../access/controllers/connected/ports-in-file.ts'
import { deviceHealth } from '../access/controllers/device-health.ts'
import { deviceWatch } from '../access/controllers/device-watch.ts'
import type { Workshop } from '../access/handles/workshop.ts'
import { keyDesk } from '../access/key-services/key-desk.ts'
import { keyServices } from '../access/key-services/key-services.ts'
import { openAccess } from '../access/open-access.ts'
import { nameOfActor } from '../auth/actor-names.ts'
import { followConfiguration } from '../box/firewall/follow-configuration.ts'
import { networkChanges } from '../box/network/network-changes.ts'
import { supportConsole } from '../box/support/support-console.ts'
import { supportEnds } from '../built-at.ts'
import { certificateState } from '../certificate/certificate-state.ts'
import type { BayEvent } from '../devices/bay/bay-event.ts'
import { eventStreams } from '../events/event-streams.ts'
import { feed } from '../events/feed.ts'
import { webhookHealth } from '../events/webhooks/webhook-health.ts'
import { dataFiles } from '../host/files/data-files.ts'
import { firewallState } from '../host/firewall/state.ts'
import { deviceLog } from '../logging/device-log.ts'
import { logStreams } from '../logging/log-routes.ts'
import { openPms } from '../pms/pms.ts'
import { unansweredCalls } from '../reservation/hand-over/unanswered-calls.ts'
import { isCopy, isFenced } from '../reservation/property/epoch.ts'
import { cachedSettings } from '../reservation/resources/house.ts'
import { retentionReport } from '../retention/retention-report.ts'
import { fleetState } from '../status/fleet-state.ts'
import { propertySetup } from '../status/property-setup.ts'
import { Terminals } from '../terminal/terminals.ts'
import { openUpdates } from '../update/open-updates.ts'
import { boxState } from '../update/update-document.ts'
import { version } from '../version.ts'
import { sync } from './api.ts'
import { backupsOf, restoresOf, sheetsOf } from './backups-of.ts'
import { drivers, keyServiceDrivers, terminalDrivers } from './drivers.ts'
import { interfacesOf, reservationVersion } from './interfaces.ts'
import type { Box } from './open-box.ts'
import { phoneFacts } from './phone-facts.ts'
import { sourceOf } from './source-of.ts'
import { addressProblem, manyWires, wireTo } from './wires.ts'

/** The open modules of a property. */
export type Modules = ReturnType<typeof openModules>

/** Opens keys and devices, events, the PMS and the backups. None of them works before `beginWork`. */
export function openModules(box: Box, opening: AsyncDisposableStack) {
  const { config, openedStore, store, vault, failed, clock, background } = box
  const ofKeys = openKeys(box, opening)
  const { access, ports, services } = ofKeys
  const source = () => sourceOf(store)
  const events = feedOf(box, source)
  const fleet = fleetState()
  const retention = retentionReport()
  const pms = openPms({
    store,
    adapters: box.adapters,
    source,
    box: () => ({ ...boxState(updates.view()), ...fleet.now() }),
    clock,
    unseal: vault.unseal,
    mark: vault.mark,
    interfaceVersion: reservationVersion,
    changes: sync,
    feed: events,
    background,
    orderKey: ofKeys.desk,
    ports,
    lineEvent: ofKeys.happened,
    failed,
  })
  opening.defer(pms.close)
  opening.defer(events.close)
  const streams = eventStreams({ feed: events, clock })
  opening.defer(streams.close)
  const lineStreams = logStreams(box.keptLines, clock)
  opening.defer(lineStreams.close)
  const watch = deviceWatch(access)
  opening.defer(watch.close)
  const terminals = new Terminals({
    reader: store.reader,
    writer: store.writer,
    clock,
    drivers: terminalDrivers,
    openWire: ofKeys.openWire,
    background,
  })
  opening.defer(() => terminals.close())
  const ofBackups = openBackups(box, opening)
  const updates = openUpdates({
    ...config,
    ...box,
    version,
    access,
    ports,
    health: deviceHealth(access, services),
    backups: ofBackups.keptBackups,
  })
  opening.defer(() => updates.close())
  const support = supportConsole({ ...store, clock, background, runtime: process.env.RUNTIME_DIRECTORY })
  opening.defer(support.stop)
  const { written } = openedStore
  opening.defer(followConfiguration({ ...store, clock, written, failed }))
  const opens = { opened: ofKeys.opened, access, events, streams, lineStreams, services, retention }
  return { ...opens, ...ofBackups, pms, ports, terminals, updates, support, fleet }
}

/** Opens the devices, the doors and the services that make keys. */
function openKeys(box: Box, opening: AsyncDisposableStack) {
  const { config, store, vault, log, failed, clock, background, lobby, recorder } = box
  const logDevice = deviceLog(log, clock)
  const ports = portsInFile(join(config.data, dataFiles.usbPorts))
  const openWire: Workshop['openWire'] = (path, options) => wireTo(lobby, path, { ...options, clock, ports })
  const happened = (event: BayEvent) => {
    logDevice(event)
    recorder?.happened(event)
  }
  const opened = openAccess({
    store,
    background,
    failed,
    ways: keyServiceDrivers.map(({ name }) => name),
    workshop: {
      drivers,
      lockDrivers: box.lockDrivers,
      openWire,
      ...vault,
      clock,
      log: happened,
      ...(recorder && { recorder }),
    },
  })
  opening.defer(opened.close)
  const { access } = opened
  const desk = keyDesk(access)
  const services = keyServices(access, desk, keyServiceDrivers)
  opening.defer(services.close)
  return { opened, access, desk, services, ports, openWire, happened }
}

function feedOf({ openedStore, store, clock, background, failed }: Box, source: () => string) {
  const { reader, resources } = store
  return feed({
    clock,
    reader,
    resources,
    origin: () => ({ source: source(), houseId: cachedSettings(reader)?.id ?? 'none' }),
    nameOf: (actor) => nameOfActor(reader, actor),
    written: openedStore.written,
    background,
    failed,
  })
}

/** Opens what makes, sends and restores backups. */
function openBackups(box: Box, opening: AsyncDisposableStack) {
  const ofBackups = { ...box, ...box.vault, version, unreadable: box.openedStore.disk.is }
  const { keptBackups, backupState, nights, deliveries, segments } = backupsOf(ofBackups)
  opening.defer(() => keptBackups.close())
  opening.defer(deliveries.close)
  opening.defer(nights.close)
  opening.defer(segments.close)
  const restoring = restoresOf(ofBackups)
  opening.defer(() => restoring.close())
  return { keptBackups, backupState, segments, deliveries, restoring }
}

/** Returns the interfaces of the property with all their routes. */
export function interfacesOver(box: Box, modules: Modules) {
  const { config, openedStore, store, vault, clock, pair, demo, recorder } = box
  const { adapters, lockDrivers, lobby, certificates } = box
  const { access, events, services, pms, ports, terminals, updates, support } = modules
  return interfacesOf(store, {
    entry: box.entry,
    access,
    scratch: openedStore.scratch,
    keyServices: services,
    terminals,
    pms,
    ports,
    clock,
    status: statusOf(box, modules),
    securityContact: config.securityContact,
    supportRecipient: config.supportRecipient,
    metrics: {
      requests: box.requests,
      commits: openedStore.commits,
      network: config.metrics === 'network',
    },
    certificates,
    backups: modules.keptBackups,
    // The image of a box has no shell, and no page changes the file.
    settingsFile: support.read().isImage ? null : resolve(config.data, dataFiles.settings),
    sheets: sheetsOf(config.data, clock, store.reader),
    deliveries: modules.deliveries,
    restores: modules.restoring,
    updates,
    network: networkChanges(config),
    support,
    lobby,
    unseal: vault.unseal,
    config: { drivers, lockDrivers, terminalDrivers, addressProblem, manyWires, seal: vault.seal },
    pmsConfig: { adapters, seal: vault.seal },
    events: {
      feed: events,
      streams: modules.streams,
      source: () => sourceOf(store),
      clock,
      facts: phoneFacts(store.reader),
      ...vault,
    },
    staff: box.staff,
    tokens: { environment: demo ? 'test' : 'live', pairing: pair },
    rateLimits: config.rateLimits,
    log: { lines: box.keptLines, streams: modules.lineStreams },
    recorder,
  })
}

/** Returns what `/api/v2/status` and the metrics are computed from. */
function statusOf(box: Box, modules: Modules) {
  const { config, openedStore, store, clock, time, house, certificates } = box
  return modules.fleet.follow({
    clock,
    timeSync: time.timeSync,
    version: reservationVersion,
    releaseId: version,
    supportEnds,
    startedAt: clock.now(),
    store: openedStore,
    simulated: house.isSample,
    missingModules: box.missing,
    data: config.data,
    work: box.background.states,
    devices: deviceHealth(modules.access, modules.services),
    pms: modules.pms.states,
    backups: modules.backupState,
    isFenced: () => isFenced(store.reader),
    isCopy: () => isCopy(store.reader),
    unitsToCheck: () => store.reader.count('SELECT count(*) FROM unit_to_check'),
    rightsToConfirm: () => store.reader.count('SELECT count(*) FROM right_to_confirm'),
    paymentsInDoubt: () => store.reader.count(inDoubt),
    // In the sample property a person has just closed a tab.
    silentKiosks: () => (house.isSample ? [] : box.staff.sessions.silentKiosks()),
    unansweredCalls: () => unansweredCalls(store.reader, clock.now()),
    webhooks: () => webhookHealth(store.reader),
    property: () => propertySetup(store.reader),
    certificate: () => certificateState(certificates),
    updates: () => modules.updates.view(),
    notForgotten: modules.retention.all,
    firewall: firewallState,
  })
}

const inDoubt = "SELECT count(*) FROM terminal_payment WHERE state = 'open' AND inDoubtSince IS NOT NULL"
