import { join } from 'node:path'
import { adapters as ownAdapters } from './adapters.ts'
import type { Appliance } from './appliance.ts'
import { connections } from './auth/connections.ts'
import { failedAuthentication } from './auth/failed-authentication.ts'
import { builtAt } from './built-at.ts'
import { machineNames } from './certificate/machine-names.ts'
import { timeEvidence } from './clock/clock-watch.ts'
import type { Config } from './config.ts'
import { type SimulatedLobby, simulatedLobby } from './demo/simulated-lobby.ts'
import type { LockDriver } from './devices/driver.ts'
import { onBehalfOf } from './devices/on-behalf.ts'
import { doorkeeperOf } from './doorkeeper.ts'
import { lockDrivers as ownLockDrivers } from './drivers.ts'
import { noteStart } from './events/system-events.ts'
import { type Clock, systemClock } from './host/clock.ts'
import { dataFiles } from './host/data-files.ts'
import { type JudgedClock, judgedClock } from './host/judged-clock.ts'
import { timeSync as askTimeSync } from './host/time-sync.ts'
import { messagesText } from './jsonapi/locales/message.ts'
import { application } from './jsonapi/server.ts'
import { closeConnections, closing, listen, listenLocally, urlOf } from './listen.ts'
import {
  type Box,
  type HouseOptions,
  interfacesOver,
  type Modules,
  openBox,
  openModules,
} from './open-modules.ts'
import { type OpenStore, openStore } from './open-store.ts'
import type { Adapter } from './pms/contract.ts'
import { followCertificates, secureContext, trustNotes } from './served-certificates.ts'
import { standingWork } from './standing-work.ts'
import { notesOf } from './startup/notes.ts'
import { restoredNote } from './startup/recover-restored.ts'
import { assumption, unusedSettings } from './status/property-setup.ts'
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
  lobby?: SimulatedLobby
  /** Prints a line on the console for a person to see now. */
  say?(line: string): void
  /** The PMS adapters; default those of this build. */
  adapters?: readonly Adapter[]
  /** The lock system drivers; default those of this build. */
  lockDrivers?: readonly LockDriver[]
  /** Returns the current names and addresses of this machine. */
  network?: typeof machineNames
  /** The period of the writer's heartbeats, in milliseconds of the machine's clock. */
  beatMs?: number
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
    lobby,
    say = () => {},
    adapters = ownAdapters,
    lockDrivers = ownLockDrivers,
    network = machineNames,
    beatMs = 5_000,
  }: StartOptions,
): Promise<Appliance> {
  const clock = judge(machine)
  const openedStore = await openStore({ ...config, beatMs }, entry, clock)
  try {
    clock.begin(timeEvidence(openedStore.store.reader))
    return await openHouse(config, openedStore, {
      clock,
      entry,
      timeSync,
      lobby: lobby ?? simulatedLobby({ ...demoLobby(config.data), clock: machine }),
      say,
      adapters,
      lockDrivers,
      network,
    })
  } catch (error) {
    await openedStore.close()
    throw error
  }
}

/** Opens the modules of a property over its open store. `close` of the appliance closes them in reverse order. */
async function openHouse(config: Config, openedStore: OpenStore, options: HouseOptions): Promise<Appliance> {
  // What is open by the time of an error is closed.
  await using opening = new AsyncDisposableStack()
  const box = await openBox(config, openedStore, options, opening)
  const modules = openModules(box, opening)
  const interfaces = interfacesOver(box, modules)
  const servers = await serve(box, interfaces, opening)
  const opened = opening.move()
  const close = () => closing(servers, box.clock, () => opened.disposeAsync())
  try {
    await Promise.race([openedStore.ready, openedStore.lost])
    await beginWork(box, modules, opened)
  } catch (error) {
    // The store is damaged. Open connections are closed, so that no client is served from it, and nothing is
    // left for the next attempt.
    closeConnections(servers)
    await close()
    throw error
  }
  const { house, pair, demo, restored, missing } = box
  const [server, local] = servers
  const pairingCode = pair?.open() ?? null
  const isFlagIdle = config.foundAnew && openedStore.folder.isFounded
  return {
    url: urlOf(server),
    localUrl: local ? urlOf(local) : null,
    notes: [
      ...(openedStore.restore ? [openedStore.restore] : []),
      ...missing,
      ...(restored ? [restoredNote(restored)] : []),
      ...(local ? [`On this machine without TLS: ${urlOf(local)}`] : []),
      ...trustNotes(box.certificates, urlOf(server)),
      ...unusedSettings(openedStore.store.reader, config),
      ...notesOf(house, {
        demo,
        pairingCode,
        isFlagIdle,
        assumed: messagesText('en', assumption(openedStore.store.reader)),
      }),
    ],
    get pairingCode() {
      return pair?.code() ?? null
    },
    sampleGuest: () => (demo ? house.sampleGuest() : null),
    lobby: options.lobby,
    pendingWork: () =>
      openedStore.waiting() + Number(modules.keptBackups.isUnderWay()) + box.staff.hash.pending(),
    isWriting: () => !openedStore.disk.isHanging(),
    interfaces,
    broken: openedStore.lost,
    close: () => close().then(openedStore.close),
  }
}

/** Listens, and resolves with the server and that for this machine only. Until the store is checked, requests are answered with `starting-up`. */
async function serve(box: Box, interfaces: Appliance['interfaces'], opening: AsyncDisposableStack) {
  const { config, openedStore, store, clock, demo, staff, failed, log, certificates } = box
  const { watch, letIn } = connections({ clock })
  const doorkeeper = doorkeeperOf({
    store,
    clock,
    demo,
    limits: config.rateLimits,
    sessions: staff.sessions,
    letIn,
    failed,
  })
  const app = application({
    interfaces,
    doorkeeper,
    allowedOrigins: config.allowedOrigins,
    failed: (error, request) => failed(error, request, 'answered 500'),
    storage: openedStore.disk,
    unknown: failedAuthentication({
      clock,
      writer: store.writer,
      reported: (failures) => log.warn(failures, 'authentication failed'),
      failed,
    }),
    within: onBehalfOf,
  })
  const secure = secureContext(config, certificates)
  const server = await listen(app.callback(), config, { watch, secure })
  opening.defer(followCertificates(server, config, certificates, { clock, log }))
  const local = await listenLocally(app.callback(), config, watch).catch((err) => {
    log.error({ err, localPort: config.localPort }, 'the port for this machine cannot be opened')
    return null
  })
  return local ? ([server, local] as const) : ([server] as const)
}

/** Starts what works without being asked. The store must have been checked. */
async function beginWork(
  { openedStore, store, clock, failed }: Box,
  { opened, events, services, pms }: Modules,
  opening: AsyncDisposableStack,
): Promise<void> {
  const work = standingWork(openedStore, { feed: events, clock, failed })
  opening.defer(work.close)
  const actor = { by: 'start', requestId: null }
  await store.writer.execute(noteStart, { version }, { actor }).catch(failed)
  work.forget()
  await opened.start()
  services.follow()
  pms.sync.start()
}

function demoLobby(data: string) {
  return { pocket: join(data, dataFiles.pocket), cards: 120, takenAfterMs: 1_500, pace: 0.2 }
}
