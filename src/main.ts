import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { failedAuthentication } from './auth/limits/failed-authentication.ts'
import { builtAt } from './built-at.ts'
import { type MachineNames, machineNames } from './certificate/machine-names.ts'
import { timeEvidence } from './clock/clock-watch.ts'
import { adapters as ownAdapters } from './composition/adapters.ts'
import type { Appliance } from './composition/appliance.ts'
import { doorkeeperOf } from './composition/doorkeeper.ts'
import { lockDrivers as ownLockDrivers } from './composition/drivers.ts'
import { type Box, type HouseOptions, openBox } from './composition/open-box.ts'
import { interfacesOver, type Modules, openModules } from './composition/open-modules.ts'
import { type OpenStore, openStore } from './composition/open-store.ts'
import { standingWork } from './composition/standing-work.ts'
import type { Config } from './config.ts'
import { type SimulatedLobby, simulatedLobby } from './demo/simulated-lobby.ts'
import type { LockDriver } from './devices/driver.ts'
import { tls } from './devices/network/tls.ts'
import { onBehalfOf } from './devices/on-behalf.ts'
import { noteStart } from './events/system-events.ts'
import { type Clock, systemClock } from './host/clock.ts'
import { dataFiles } from './host/files/data-files.ts'
import { type JudgedClock, judgedClock } from './host/judged-clock.ts'
import { placeOf as ownPlaceOf, type Place } from './host/machine/machine-identity.ts'
import { timeSync as askTimeSync } from './host/time-sync.ts'
import { messagesText, messageText } from './jsonapi/locales/message.ts'
import { application } from './jsonapi/server/server.ts'
import { closeConnections, urlOf } from './listen/listen.ts'
import { followCertificates, secureContext, trustNotes } from './listen/served-certificates.ts'
import type { Adapter } from './pms/contract.ts'
import { causeOfFailure } from './startup/cause-of-failure.ts'
import { type Door, openDoor } from './startup/door.ts'
import { passing, refusing, type Startup } from './startup/not-ready.ts'
import { notesOf } from './startup/notes.ts'
import { restoredNote } from './startup/recover-restored.ts'
import { assumption, unusedSettings } from './status/property-setup.ts'
import { remedyOf } from './store/disk/disk-trouble.ts'
import { checkUnused } from './store/disk/integrity.ts'
import type { Ground } from './update/open-updates.ts'
import { version } from './version.ts'

interface StartOptions {
  /** The program itself, which the writer thread runs. */
  entry: URL
  /** The machine's clock. */
  clock?: Clock
  /** Creates the appliance's clock from the machine's clock. */
  judge?: (machine: Clock) => JudgedClock
  /** Returns how the machine's clock is synchronised. Never rejects. */
  timeSync?: typeof askTimeSync
  /** Where a data folder is, if not where the machine says; null for not known. */
  placeOf?: (data: string) => Place | null
  lobby?: SimulatedLobby
  /** Prints a line on the console for a person to see now. */
  say?(line: string): void
  /** The PMS adapters; default those of this build. */
  adapters?: readonly Adapter[]
  /** The lock system drivers; default those of this build. */
  lockDrivers?: readonly LockDriver[]
  /** Returns the current names and addresses of this machine. */
  network?: () => MachineNames
  /** The open ports, if a page has answered there before; otherwise they are opened and closed with the appliance. */
  door?: Door | null
  /** Called with each step of the start. */
  step?(step: Startup): void
  /** The period of the writer's heartbeats, in milliseconds of the machine's clock. */
  beatMs?: number
  /** What lies below the program, for updates. */
  ground?: Partial<Ground>
}

/**
 * Starts the modules in order; `close` stops them in reverse order. If one fails to start, those already
 * started are stopped.
 */
export async function start(
  config: Config,
  {
    entry,
    clock: machine = systemClock,
    judge = (clock) => judgedClock(clock, builtAt),
    timeSync = askTimeSync,
    placeOf = ownPlaceOf,
    lobby,
    say = () => {},
    adapters = ownAdapters,
    lockDrivers = ownLockDrivers,
    network = () => machineNames(config.host),
    door = null,
    step = () => {},
    beatMs = 5_000,
    ground,
  }: StartOptions,
): Promise<Appliance> {
  const clock = judge(machine)
  let openedStore: OpenStore | null = null
  try {
    openedStore = await openStore({ ...config, beatMs, step }, entry, clock)
    clock.begin(timeEvidence(openedStore.store.reader))
    return await openHouse(config, openedStore, {
      clock,
      entry,
      timeSync,
      placeOf,
      lobby: lobby ?? simulatedLobby({ ...demoLobby(config.data), clock: machine }),
      say,
      adapters,
      lockDrivers,
      network,
      door,
      ground,
    })
  } catch (error) {
    await openedStore?.close()
    throw await causeOfFailure(error, config.data, (path) => checkUnused(path, entry))
  }
}

/** Opens the modules of a property over its open store. `close` of the appliance closes them in reverse order. */
async function openHouse(config: Config, openedStore: OpenStore, options: HouseOptions): Promise<Appliance> {
  // What is open by the time of an error is closed.
  await using opening = new AsyncDisposableStack()
  const box = await openBox(config, openedStore, options, opening)
  const modules = openModules(box, opening)
  const interfaces = interfacesOver(box, modules)
  const door = await serve(box, interfaces, opening)
  const opened = opening.move()
  const close = async () => {
    await door.drain(
      refusing(() => passing('draining')),
      async () => {
        await opened.disposeAsync()
        await openedStore.idle()
      },
      openedStore.disk.abandon,
    )
    if (!options.door) await door.close()
  }
  try {
    await Promise.race([openedStore.ready, openedStore.lost])
    modules.updates.listening(urlOf(door.server))
    box.certificates.listening((door.server.address() as AddressInfo).port)
    await beginWork(box, modules, opened)
    modules.restoring.done(openedStore.store.reader.count('SELECT count(*) FROM unit_to_check'))
  } catch (error) {
    // The database is damaged or cannot be read. Open connections are closed, so that no client is served from it, and nothing is
    // left for the next attempt.
    closeConnections(door.servers)
    await close()
    throw error
  }
  const { house, pair, demo } = box
  const localUrl = door.local ? urlOf(door.local) : null
  const pairingCode = pair?.open() ?? null
  return {
    url: urlOf(door.server),
    localUrl,
    notes: notesAtStart(box, localUrl, pairingCode),
    get pairingCode() {
      return pair?.code() ?? null
    },
    sampleGuest: () => (demo ? house.sampleGuest() : null),
    lobby: options.lobby,
    pendingWork: () =>
      openedStore.waiting() +
      Number(openedStore.isChecking()) +
      Number(modules.keptBackups.isUnderWay()) +
      Number(modules.segments.isUnderWay()) +
      Number(modules.restoring.isUnderWay()) +
      Number(modules.updates.isUnderWay()) +
      box.staff.hash.pending(),
    isWriting: () => !openedStore.disk.isHanging(),
    trouble() {
      const found = openedStore.disk.trouble()
      if (found) return remedyOf(found)
      const refusal = modules.updates.refusal()
      return refusal && messageText('en', refusal)
    },
    restoreWork: () => modules.restoring.work(),
    interfaces,
    replaced: modules.restoring.decided,
    broken: openedStore.lost,
    close: () => close().then(openedStore.close),
  }
}

function notesAtStart(box: Box, localUrl: string | null, pairingCode: string | null): string[] {
  const { config, openedStore, certificates, house, demo, restored, missing } = box
  const { reader } = openedStore.store
  return [
    ...(openedStore.restore ? [openedStore.restore] : []),
    ...missing,
    ...(restored ? [restoredNote(restored)] : []),
    ...(localUrl ? [`On this machine without TLS: ${localUrl}`] : []),
    ...trustNotes(certificates),
    ...unusedSettings(reader, config),
    ...notesOf(house, {
      demo,
      pairingCode,
      isFlagIdle: config.foundAnew && openedStore.folder.isFounded,
      assumed: messagesText('en', assumption(reader)),
    }),
  ]
}

/** Answers at the ports, and opens them if they are not. Until the store is checked, writes are answered with `starting-up`. */
async function serve(
  box: Box,
  interfaces: Appliance['interfaces'],
  opening: AsyncDisposableStack,
): Promise<Door> {
  const { config, openedStore, store, clock, demo, staff, failed, log, certificates, requests, kiosk } = box
  const secure = secureContext(config, certificates)
  const starting = refusing(() => passing('opening'))
  const door = box.door ?? (await openDoor(config, { clock, secure, answer: starting }))
  const doorkeeper = doorkeeperOf({
    store,
    clock,
    demo,
    limits: config.rateLimits,
    sessions: staff.sessions,
    letIn: door.letIn,
    conversed: kiosk.conversed,
    failed,
  })
  const app = application({
    interfaces,
    doorkeeper,
    allowedOrigins: config.allowedOrigins,
    failed: (error, request) => failed(error, request, 'answered 500'),
    storage: openedStore.disk,
    answered: requests.answered,
    monotonic: clock.monotonic,
    unknown: failedAuthentication({
      clock,
      writer: store.writer,
      reported: (failures) => log.warn(failures, 'authentication failed'),
      failed,
    }),
    within: onBehalfOf,
  })
  const { server, localProblem } = door
  if (secure && server instanceof tls().Server) server.setSecureContext(secure)
  opening.defer(followCertificates(server, config, certificates, { background: openedStore.background, log }))
  if (localProblem)
    log.error(
      { err: localProblem, localPort: config.localPort },
      'the port for this machine cannot be opened',
    )
  door.answer(app.callback())
  return door
}

/** Starts what works without being asked. The store must have been checked. */
async function beginWork(
  { openedStore, store, clock, failed }: Box,
  { opened, events, services, pms, updates, support, retention }: Modules,
  opening: AsyncDisposableStack,
): Promise<void> {
  const work = standingWork(openedStore, { feed: events, clock, retention, failed })
  opening.defer(work.close)
  const actor = { by: 'start', requestId: null }
  await store.writer.execute(noteStart, { version }, { actor }).catch(failed)
  work.forget()
  await opened.start()
  services.follow()
  pms.sync.start()
  void updates.begin()
  support.follow()
}

function demoLobby(data: string) {
  return { pocket: join(data, dataFiles.pocket), cards: 120, takenAfterMs: 1_500, pace: 0.2 }
}
