import { kioskUse } from '../auth/kiosk-use.ts'
import { pairing } from '../auth/pairing-code.ts'
import { token } from '../auth/resources/token.ts'
import { sessionContext } from '../auth/sessions/session-context.ts'
import { isClaimed } from '../auth/sign-in/session-state.ts'
import type { MachineNames } from '../certificate/machine-names.ts'
import { clockWatch } from '../clock/clock-watch.ts'
import type { Config } from '../config.ts'
import type { SimulatedLobby } from '../demo/simulated-lobby.ts'
import type { LockDriver } from '../devices/driver.ts'
import { missingModules } from '../devices/native-modules.ts'
import { requesterOf } from '../devices/on-behalf.ts'
import type { JudgedClock } from '../host/judged-clock.ts'
import { keptLog } from '../host/kept-log.ts'
import { createLog } from '../host/log.ts'
import type { Place } from '../host/machine/machine-identity.ts'
import { isLoopback } from '../host/machine/reachable.ts'
import { takePairingRequest } from '../host/pairing-request.ts'
import type { timeSync as askTimeSync } from '../host/time-sync.ts'
import { servedCertificates } from '../listen/served-certificates.ts'
import { failureLog } from '../logging/failure-log.ts'
import { recorderOf } from '../logging/recorder-log.ts'
import type { Adapter } from '../pms/contract.ts'
import { areNoted, notePlace } from '../reservation/property/epoch.ts'
import { zoneOf } from '../reservation/resources/house.ts'
import type { Door } from '../startup/door.ts'
import { eraseInRestored } from '../startup/erase-again.ts'
import { firstStart } from '../startup/first-start.ts'
import { codeLine } from '../startup/notes.ts'
import { recoverRestoredStore, restoredNote } from '../startup/recover-restored.ts'
import { requestDurations } from '../status/metrics/request-durations.ts'
import type { Ground } from '../update/open-updates.ts'
import { eraseAgain } from './api.ts'
import type { OpenStore } from './open-store.ts'

/** What the modules get from the start of the program. */
export interface HouseOptions {
  clock: JudgedClock
  /** The program itself, which the backup thread runs. */
  entry: URL
  timeSync: typeof askTimeSync
  lobby: SimulatedLobby
  /** Returns where a data folder is; null where that is not known. */
  placeOf(data: string): Place | null
  /** Prints a line on the console for a person to see now. */
  say(line: string): void
  adapters: readonly Adapter[]
  lockDrivers: readonly LockDriver[]
  /** Returns the current names and addresses of this machine. */
  network(): MachineNames
  /** The open ports; null when the start opens them. */
  door: Door | null
  /** What lies below the program, for updates. */
  ground?: Partial<Ground> | undefined
}

/** What every module needs. */
export type Box = Awaited<ReturnType<typeof openBox>>

/** Opens what every module needs: log, property, time, pairing and recorder. */
export async function openBox(
  config: Config,
  openedStore: OpenStore,
  options: HouseOptions,
  opening: AsyncDisposableStack,
) {
  const { clock, timeSync, say, network } = options
  const { store, folder, background } = openedStore
  const { reader, writer } = store
  const keptLines = keptLog()
  const log = createLog({ level: config.logLevel, clock, copy: keptLines.add, about: requester })
  const failed = failureLog(log, openedStore.disk)
  openedStore.failed(failed)
  // It comes first: the next step says that the restored store is settled.
  await eraseInRestored(config.data, store, eraseAgain)
  const restored = await recoverRestoredStore(config.data, store)
  if (restored) log.warn({ restored: restoredNote(restored) }, 'a backup was restored')
  if (openedStore.restore) log.warn({ restore: openedStore.restore }, 'a restore was interrupted')
  const missing = missingModules()
  for (const module of missing) log.error({ module }, 'a module is missing')
  const house = await firstStart(openedStore, { ...config, now: clock.now })
  const places = Object.entries(options.placeOf(config.data) ?? {}).filter(([, text]) => text !== null)
  const digests = places.map(([kind, text]) => `${kind}/${folder.vault.mark(text, 'place')}`)
  const isFencedNow =
    !areNoted(reader, digests) && (await writer.execute(notePlace, { digests }, { actor: atStart }))
  if (isFencedNow) log.error('the data are a copy')
  const time = clockWatch({ clock, writer, timeSync, log, background, failed })
  opening.defer(time.close)
  await time.look()
  const isUnowned = reader.rows(token, firstOnly).length === 0 && !isClaimed(reader) && !house.isSample
  const isRequested = takePairingRequest(config.data)
  const show = (code: string) => say(`${codeLine(code)} The one before it has ended.`)
  const pair = isUnowned || isRequested ? pairing({ clock, show }) : null
  if (pair) opening.defer(pair.close)
  const recorder = await recorderOf(config, { clock, background, log })
  if (recorder) opening.defer(recorder.close)
  const demo = house.isSample && isLoopback(config.host)
  const { vault } = folder
  const certificates = await servedCertificates(config, { vault, clock, background, network, log, failed })
  const timeZone = () => zoneOf(reader)
  const staff = sessionContext({ store, clock, mark: vault.mark, timeZone, pairing: pair, demo, failed })
  return {
    ...options,
    kiosk: kioskUse(clock),
    config,
    openedStore,
    background,
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
    requests: requestDurations(),
  }
}

/** The id of the request on whose behalf a line of the log is written. */
function requester(): Record<string, unknown> {
  const requestId = requesterOf()
  return requestId === undefined ? {} : { request: requestId }
}

const atStart = { by: 'start', requestId: null }
const firstOnly = { filters: [], sort: [], page: { size: 1 } }
