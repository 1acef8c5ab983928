import { deviceHealth } from './access/controllers/device-health.ts'
import { deviceWatch } from './access/controllers/device-watch.ts'
import { openAccess } from './access/open-access.ts'
import { keyDesk } from './access/providers/key-desk.ts'
import { keyServices } from './access/providers/key-services.ts'
import { link } from './api.ts'
import { nameOfActor } from './auth/actor-names.ts'
import { isLoopback } from './auth/from-this-machine.ts'
import { pairing } from './auth/pairing-code.ts'
import { sessionContext } from './auth/sessions/session-context.ts'
import { isClaimed } from './auth/sessions/session-state.ts'
import { token } from './auth/token.ts'
import { backupsOf } from './backups-of.ts'
import { certificateState } from './certificate/certificate-state.ts'
import type { OwnNames } from './certificate/make-certificate.ts'
import { clockWatch } from './clock/clock-watch.ts'
import type { Config } from './config.ts'
import type { SimulatedLobby } from './demo/simulated-lobby.ts'
import type { BayEvent } from './devices/bay/bay-event.ts'
import type { LockDriver } from './devices/driver.ts'
import { missingModules } from './devices/native-modules.ts'
import { requesterOf } from './devices/on-behalf.ts'
import { drivers, keyServiceDrivers, terminalDrivers } from './drivers.ts'
import { bus } from './events/bus.ts'
import { eventStreams } from './events/event-streams.ts'
import { feed } from './events/feed.ts'
import type { JudgedClock } from './host/judged-clock.ts'
import { keptLog } from './host/kept-log.ts'
import { createLog } from './host/log.ts'
import { takePairingRequest } from './host/pairing-request.ts'
import type { timeSync as askTimeSync } from './host/time-sync.ts'
import { interfacesOf, reservationVersion } from './interfaces.ts'
import { deviceLog } from './logging/device-log.ts'
import { failureLog } from './logging/failure-log.ts'
import { logStreams } from './logging/log-routes.ts'
import { recorderOf } from './logging/recorder-log.ts'
import type { OpenStore } from './open-store.ts'
import type { Adapter } from './pms/contract.ts'
import { openPms } from './pms/pms.ts'
import { cachedSettings, zoneOf } from './reservation/property/house.ts'
import { servedCertificates } from './served-certificates.ts'
import { sourceOf } from './source-of.ts'
import { firstStart } from './startup/first-start.ts'
import { codeLine } from './startup/notes.ts'
import { recoverRestoredStore, restoredNote } from './startup/recover-restored.ts'
import { propertySetup } from './status/property-setup.ts'
import { paymentTerminals } from './terminal/terminals.ts'
import { version } from './version.ts'
import { addressProblem, manyWires, wireTo } from './wires.ts'

/** What the modules get from the start of the program. */
export interface HouseOptions {
  clock: JudgedClock
  /** The program itself, which the backup thread runs. */
  entry: URL
  timeSync: typeof askTimeSync
  lobby: SimulatedLobby
  /** Prints a line on the console for a person to see now. */
  say(line: string): void
  adapters: readonly Adapter[]
  lockDrivers: readonly LockDriver[]
  /** Returns the current names and addresses of this machine. */
  network(): OwnNames
}

export type Box = Awaited<ReturnType<typeof openBox>>

/** Opens what every module needs: log, property, time, pairing and recorder. */
export async function openBox(
  config: Config,
  openedStore: OpenStore,
  options: HouseOptions,
  opening: AsyncDisposableStack,
) {
  const { clock, timeSync, say } = options
  const { store, folder } = openedStore
  const { reader, writer } = store
  const keptLines = keptLog()
  const log = createLog({ level: config.logLevel, clock, copy: keptLines.add, about: requester })
  const failed = failureLog(log, openedStore.disk)
  openedStore.failed(failed)
  const restored = await recoverRestoredStore(store)
  if (restored) log.warn({ restored: restoredNote(restored) }, 'a backup was restored')
  if (openedStore.restore) log.warn({ restore: openedStore.restore }, 'a restore was interrupted')
  const missing = missingModules()
  for (const module of missing) log.error({ module }, 'a module is missing')
  const { sample, timeZone, country } = config
  const house = await firstStart(openedStore, { sample, timeZone, country, now: clock.now })
  const time = clockWatch({ clock, writer, timeSync, log, failed })
  opening.defer(time.close)
  await time.look()
  const isUnowned = reader.rows(token, firstOnly).length === 0 && !isClaimed(reader) && !house.isSample
  const isRequested = takePairingRequest(config.data)
  const show = (code: string) => say(`${codeLine(code)} The one before it has ended.`)
  const pair = isUnowned || isRequested ? pairing({ clock, show }) : null
  if (pair) opening.defer(pair.close)
  const recorder = await recorderOf(config, { clock, log })
  if (recorder) opening.defer(recorder.close)
  const demo = house.isSample && isLoopback(config.host)
  const { vault } = folder
  const { network } = options
  const certificates = await servedCertificates(config, { vault, clock, network, log, failed })
  const staff = sessionContext({
    store,
    clock,
    mark: vault.mark,
    timeZone: () => zoneOf(store.reader),
    pairing: pair,
    demo,
    failed,
  })
  return {
    ...options,
    config,
    openedStore,
    store,
    vault,
    log,
    keptLines,
    failed,
    restored,
    missing,
    house,
    time,
    pair,
    recorder,
    demo,
    certificates,
    staff,
  }
}

export type Modules = ReturnType<typeof openModules>

/** Opens keys and devices, events, the PMS and the backups. None of them works before `beginWork`. */
export function openModules(box: Box, opening: AsyncDisposableStack) {
  const { config, openedStore, store, vault, log, failed, clock, entry, lobby, recorder } = box
  const { reader } = store
  const logDevice = deviceLog(log, clock)
  const happened = (event: BayEvent) => {
    logDevice(event)
    recorder?.happened(event)
  }
  const opened = openAccess({
    store,
    failed,
    workshop: {
      drivers,
      lockDrivers: box.lockDrivers,
      openWire: (path, options) => wireTo(lobby, path, { ...options, clock }),
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
  const source = () => sourceOf(store)
  const events = feed({
    clock,
    reader,
    resources: store.resources,
    origin: () => ({ source: source(), houseId: cachedSettings(reader)?.id ?? 'none' }),
    nameOf: (actor) => nameOfActor(reader, actor),
    written: openedStore.written,
    failed,
  })
  const pms = openPms({
    store,
    adapters: box.adapters,
    bus: bus({ source, now: clock.now, failed }),
    source,
    clock,
    unseal: vault.unseal,
    mark: vault.mark,
    interfaceVersion: reservationVersion,
    changes: link,
    feed: events,
    orderKey: desk,
    lineEvent: happened,
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
  const terminals = paymentTerminals({
    reader,
    writer: store.writer,
    clock,
    drivers: terminalDrivers,
    openWire: (path, options) => wireTo(lobby, path, { ...options, clock }),
    failed,
  })
  opening.defer(terminals.close)
  const { keptBackups, nights } = backupsOf({ config, version, clock, store, entry, log })
  opening.defer(keptBackups.close)
  opening.defer(nights.close)
  return { opened, access, events, streams, lineStreams, services, pms, terminals, keptBackups }
}

/** Returns the interfaces of the property with all their routes. */
export function interfacesOver(
  box: Box,
  { access, events, streams, lineStreams, services, pms, terminals, keptBackups }: Modules,
) {
  const { config, openedStore, store, vault, clock, time, house, pair, demo, recorder } = box
  const { adapters, lockDrivers, lobby, certificates } = box
  return interfacesOf(store, {
    access,
    keyServices: services,
    terminals,
    pms,
    clock,
    status: {
      clock,
      timeSync: time.timeSync,
      version: reservationVersion,
      releaseId: version,
      startedAt: clock.now(),
      store: openedStore,
      simulated: house.isSample,
      missingModules: box.missing,
      data: config.data,
      devices: deviceHealth(access, services),
      pms: pms.states,
      backups: keptBackups.state,
      unitsToCheck: () => store.reader.count('SELECT count(*) FROM unit_to_check'),
      property: () => propertySetup(store.reader),
      certificate: () => certificateState(certificates),
    },
    certificates,
    backups: keptBackups,
    lobby,
    unseal: vault.unseal,
    config: { drivers, lockDrivers, addressProblem, manyWires, seal: vault.seal },
    pmsConfig: { adapters, seal: vault.seal },
    events: { feed: events, streams, source: () => sourceOf(store), clock, ...vault },
    staff: box.staff,
    tokens: { environment: demo ? 'test' : 'live', pairing: pair },
    rateLimits: config.rateLimits,
    log: { lines: box.keptLines, streams: lineStreams },
    recorder,
  })
}

/** The id of the request on whose behalf a line of the log is written. */
function requester(): Record<string, unknown> {
  const requestId = requesterOf()
  return requestId === undefined ? {} : { requestId }
}

const firstOnly = { filters: [], sort: [], page: { size: 1 } }
