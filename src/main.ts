import { join } from 'node:path'
import { deviceHealth } from './access/controllers/device-health.ts'
import { deviceWatch } from './access/controllers/device-watch.ts'
import { openAccess } from './access/open-access.ts'
import { keyDesk } from './access/providers/key-desk.ts'
import { keyServices } from './access/providers/key-services.ts'
import { adapters as ownAdapters } from './adapters.ts'
import { link } from './api.ts'
import type { Appliance } from './appliance.ts'
import { isLoopback } from './auth/asked-here.ts'
import { connections } from './auth/connections.ts'
import { failedAuthentication } from './auth/failed-authentication.ts'
import { pairing } from './auth/pairing-code.ts'
import { token } from './auth/token.ts'
import { backupsOf } from './backups-of.ts'
import { builtAt } from './built-at.ts'
import { clockWatch, timeEvidence } from './clock-watch.ts'
import type { Config } from './config.ts'
import { type SimulatedLobby, simulatedLobby } from './demo/simulated-lobby.ts'
import { deviceLog } from './device-log.ts'
import type { BayEvent } from './devices/bay-event.ts'
import type { LockDriver } from './devices/driver.ts'
import { onBehalfOf } from './devices/on-behalf.ts'
import { doorkeeperOf } from './doorkeeper.ts'
import { drivers, keyServiceDrivers, lockDrivers as ownLockDrivers } from './drivers.ts'
import { bus } from './events/bus.ts'
import { eventStreams } from './events/event-streams.ts'
import { feed } from './events/feed.ts'
import { noteStart } from './events/system-events.ts'
import { failureLog } from './failure-log.ts'
import { recorderOf } from './flight-log.ts'
import { foundHouse } from './found-house.ts'
import { type Clock, systemClock } from './host/clock.ts'
import { dataFiles } from './host/data-files.ts'
import { type JudgedClock, judgedClock } from './host/judged-clock.ts'
import { createLog } from './host/log.ts'
import { timeSync as askTimeSync } from './host/time-sync.ts'
import { interfacesOf, reservationVersion } from './interfaces.ts'
import { application } from './jsonapi/server.ts'
import { closing, expectSafe, listen, urlOf } from './listen.ts'
import { codeLine, notesOf } from './notes.ts'
import { type OpenStore, openStore } from './open-store.ts'
import type { Adapter } from './pms/contract.ts'
import { upstream } from './pms/pms.ts'
import { keptSettings } from './reservation/property/kept-settings.ts'
import { restoredNote, settledRestore } from './settle-restore.ts'
import { sourceOf } from './source-of.ts'
import { standingWork } from './standing-work.ts'
import { followFiles } from './tls-files.ts'
import { version } from './version.ts'
import { addressProblem, manyWires, wireTo } from './wires.ts'

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
    beatMs = 5_000,
  }: StartOptions,
): Promise<Appliance> {
  expectSafe(config)
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
    })
  } catch (error) {
    await openedStore.close()
    throw error
  }
}

type HouseOptions = Pick<
  Required<StartOptions>,
  'entry' | 'timeSync' | 'lobby' | 'say' | 'adapters' | 'lockDrivers'
> & {
  clock: JudgedClock
}

async function openHouse(
  config: Config,
  openedStore: OpenStore,
  { clock, entry, timeSync, lobby, say, adapters, lockDrivers }: HouseOptions,
): Promise<Appliance> {
  const { now } = clock
  const { store } = openedStore
  const { reader, writer } = store
  const log = createLog({ level: config.logLevel, clock })
  const logDevice = deviceLog(log, clock)
  const failed = failureLog(log, openedStore.disk)
  openedStore.failed(failed)
  const restored = await settledRestore(store)
  if (restored) log.warn({ restored: restoredNote(restored) }, 'a backup was restored')
  if (openedStore.restore) log.warn({ restore: openedStore.restore }, 'a restore was interrupted')
  const { vault } = openedStore.folder
  const house = await foundHouse(openedStore, { sample: config.sample, now })
  const time = clockWatch({ clock, writer, timeSync, log, failed })
  await time.look()
  const demo = house.isSample && isLoopback(config.host)
  const isUnowned = reader.rows(token, firstOnly).length === 0 && !house.isSample
  const pair = isUnowned
    ? pairing({ clock, show: (code) => say(`${codeLine(code)} The one before it has ended.`) })
    : null

  const recorder = await recorderOf(config, { clock, log })
  const happened = (event: BayEvent) => {
    logDevice(event)
    recorder?.happened(event)
  }
  const opened = openAccess({
    store,
    failed,
    workshop: {
      drivers,
      lockDrivers,
      openWire: (path, options) => wireTo(lobby, path, { ...options, clock }),
      ...vault,
      clock,
      log: happened,
      ...(recorder && { recorder }),
    },
  })
  const { access } = opened
  const events = feed({
    clock,
    reader,
    resources: store.resources,
    origin: () => ({ source: sourceOf(store), houseId: keptSettings(reader)?.id ?? 'none' }),
    written: openedStore.written,
    failed,
  })
  const streams = eventStreams({ feed: events, clock })
  const watch = deviceWatch(access)
  const desk = keyDesk(access)
  const services = keyServices(access, desk, keyServiceDrivers)
  const pms = upstream({
    store,
    adapters,
    bus: bus({ source: () => sourceOf(store), now, failed }),
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
  const { keptBackups, nights } = backupsOf({ config, version, clock, store, entry, log })
  const interfaces = interfacesOf(store, {
    access,
    keyServices: services,
    upstream: pms,
    clock,
    status: {
      clock,
      timeSync: time.timeSync,
      version: reservationVersion,
      releaseId: version,
      startedAt: now(),
      store: openedStore,
      simulated: house.isSample,
      data: config.data,
      devices: deviceHealth(access, services),
      pms: pms.states,
      backups: keptBackups.state,
      unitsToCheck: () => reader.count('SELECT count(*) FROM unit_to_check'),
    },
    backups: keptBackups,
    config: { drivers, lockDrivers, addressProblem, manyWires, seal: vault.seal },
    pms: { adapters, seal: vault.seal },
    events: { feed: events, streams, source: () => sourceOf(store), clock, ...vault },
    tokens: { environment: demo ? 'test' : 'live', pairing: pair },
    rateLimits: config.rateLimits,
    recorder,
  })
  const { watch: watchConnections, letIn } = connections({ clock })
  const doorkeeper = doorkeeperOf({ store, clock, demo, limits: config.rateLimits, letIn, failed })
  const app = application({
    interfaces,
    doorkeeper,
    allowedOrigins: config.allowedOrigins,
    failed: (error, request) => failed(error, request, 'answered 500'),
    storage: openedStore.disk,
    unknown: failedAuthentication({
      clock,
      writer,
      told: (failures) => log.warn(failures, 'authentication failed'),
      failed,
    }),
    within: onBehalfOf,
  })
  const server = await listen(app.callback(), config, { watch: watchConnections })
  const refused = (err: unknown) =>
    log.error({ err }, 'the renewed certificate cannot be used: the one before stays')
  const unfollow = config.tls ? followFiles(server, config.tls, { clock, refused }) : () => {}
  // This work starts only after the store was checked, and `close` may be called before.
  let work: ReturnType<typeof standingWork> | null = null
  const close = () => closing(server, clock, closeRooms).then(openedStore.close)
  async function closeRooms(): Promise<void> {
    nights.close()
    await keptBackups.close()
    pair?.close()
    unfollow()
    time.close()
    await work?.close()
    watch.close()
    streams.close()
    events.close()
    await pms.close()
    await services.close()
    await opened.close()
    await recorder?.close()
  }
  try {
    await Promise.race([openedStore.ready, openedStore.lost])
  } catch (error) {
    // The store is damaged. Open connections are closed, so that no client is served from it, and nothing is
    // left for the next attempt.
    server.closeAllConnections()
    await closing(server, clock, closeRooms)
    throw error
  }
  work = standingWork(openedStore, { feed: events, clock, failed })
  await writer.execute(noteStart, { version }, { actor: { by: 'start', requestId: null } }).catch(failed)
  work.forget()
  await opened.start()
  services.follow()
  pms.sync.start()
  const firstCode = pair?.open() ?? null
  return {
    url: urlOf(server, config),
    notes: [
      ...(openedStore.restore ? [openedStore.restore] : []),
      ...(restored ? [restoredNote(restored)] : []),
      ...notesOf(house, {
        demo,
        pairingCode: firstCode,
        isFlagIdle: config.foundAnew && openedStore.folder.isFounded,
      }),
    ],
    get pairingCode() {
      return pair?.code() ?? null
    },
    sampleGuest: () => (demo ? house.sampleGuest() : null),
    lobby,
    pendingWork: () => openedStore.waiting() + Number(keptBackups.isUnderWay()),
    isWriting: () => !openedStore.disk.isHanging(),
    interfaces,
    broken: openedStore.lost,
    close,
  }
}

const firstOnly = { filters: [], sort: [], page: { size: 1 } }

function demoLobby(data: string) {
  return { pocket: join(data, dataFiles.pocket), cards: 120, takenAfterMs: 1_500, pace: 0.2 }
}
