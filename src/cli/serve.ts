import type { RequestListener } from 'node:http'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { reasonHere } from '../box/reason-here.ts'
import { type Report, report } from '../box/report.ts'
import type { Appliance } from '../composition/appliance.ts'
import { type Config, ConfigRefused, defaults, readConfig, readListen } from '../config.ts'
import { systemClock } from '../host/clock.ts'
import { dataFiles } from '../host/files/data-files.ts'
import { inherited } from '../host/inherited.ts'
import { type ServiceManager, serviceManager } from '../host/notify.ts'
import { returnMemory } from '../host/return-memory.ts'
import { isSecured } from '../listen/listen.ts'
import { secureContextOfPage } from '../listen/served-certificates.ts'
import { start } from '../main.ts'
import { type Door, openDoor } from '../startup/door.ts'
import { passing, refusing, type Startup } from '../startup/not-ready.ts'
import { outOfOrder, restorePage } from '../startup/out-of-order.ts'
import { StoreTaken } from '../store/lock.ts'
import { noteFailedStart } from '../update/failed-start.ts'
import { CommandFailed, exits } from './exit-codes.ts'
import { linesToTry, pairingLines } from './simulate/lines-to-try.ts'
import { asFailure } from './start-failure.ts'
import { endAfter, stopSignal } from './stop-signal.ts'

/** The options of the command line. */
export interface ServeOptions {
  listen?: string
  data?: string
  empty?: boolean
  timeZone?: string
  country?: string
  foundAnew?: boolean
  tlsCert?: string
  tlsKey?: string
  logLevel?: string
}

/** Runs the appliance until SIGTERM or SIGINT, then closes it in order. A second signal ends it at once. */
export async function serve(options: ServeOptions, entry: URL): Promise<void> {
  // The data of the property is readable only by the appliance's user.
  process.umask(0o077)
  let appliance: Appliance | null = null
  const passed = inherited()
  const systemd = serviceManager({
    clock: systemClock,
    socket: passed.notify,
    failed: ({ message }) => console.error(message),
    // Reports the process as dead when the writer hangs, so that systemd restarts it. Nothing in the process can stop
    // the writer.
    alive: () => appliance?.isWriting() ?? true,
  })
  systemd.starting()
  let config = configOf(options, passed.sockets)
  const stop = stopSignal()
  void endAfter(stop, systemClock)
  let step: Startup = 'opening'
  const answer = refusing(() => passing(step))
  const door = await openedDoor(config, answer)
  const reporting = report({
    clock: systemClock,
    folder: process.env.RUNTIME_DIRECTORY,
    host: config.host,
    // Not that of the URL, which leaves out 443.
    port: (door.server.address() as AddressInfo).port,
    isSecured: isSecured(config),
    failed: ({ message }) => console.error(`The state of the box cannot be written: ${message}`),
  })
  const starting: Starting = {
    entry,
    systemd,
    door,
    reporting,
    step(next) {
      step = next
      reporting.is(next === 'opening' ? 'starting' : next)
    },
  }
  appliance = await startedUntil(stop, config, starting)
  if (!appliance) return leave(door)
  reportOn(() => appliance, reporting)
  void systemd.ready()
  // Saves the compile cache after a second, when the code for the first answers is compiled. The next start is then
  // faster.
  systemClock.setTimeout(flushCompileCache, 1_000).unref()
  systemClock.setTimeout(returnMemory, 3_000).unref()
  while (await isReplaced(stop, appliance)) {
    const before: Appliance = appliance
    // Meanwhile nothing can hang in a writer, and the service manager must not end a restore.
    appliance = null
    const { host, port, localPort, socket } = config
    config = { ...configOf(options, passed.sockets), host, port, localPort, socket }
    reporting.is('restoring')
    const closed = before.close()
    door.answer(restorePage(config.data))
    await closed
    appliance = await startedUntil(stop, config, starting)
    if (!appliance) return leave(door)
  }
  reporting.is('stopping')
  await systemd.stopping()
  await appliance.close()
  reporting.close()
  await door.close()
}

/** Lets the screen and the page of a box show what the running appliance reports. */
function reportOn(appliance: () => Appliance | null, reporting: Report): void {
  reporting.pairingCode(() => appliance()?.pairingCode ?? null)
  reporting.restore(() => appliance()?.restoreWork() ?? null)
  reporting.trouble(() => {
    const found = appliance()?.trouble() ?? null
    return found && reasonHere(found)
  })
}

/** Ends without an appliance: its data could not be used until the signal to stop. */
async function leave(door: Door): Promise<void> {
  await door.close()
  process.exitCode = exits.data[0]
}

/** Resolves with true when the property is to be replaced by a backup, and with false when the process is to end. */
async function isReplaced(stop: Promise<void>, { broken, replaced }: Appliance): Promise<boolean> {
  try {
    return await Promise.race([stop.then(() => false), broken, replaced.then(() => true)])
  } catch (error) {
    const detail = `The appliance has stopped, because it cannot continue: ${(error as Error).message}`
    throw new CommandFailed('fault', detail, { cause: error })
  }
}

/** The time between two attempts when the disk fails or another process has the data. */
const againMs = 15_000
/** The time between two attempts with data that are refused: a disk may read them as they are again. */
const refusedAgainMs = 600_000

interface Starting {
  entry: URL
  systemd: ServiceManager
  door: Door
  /** Tells the screen and the page of a box. */
  reporting: Report
  /** Called with each step of the start, for `/readyz` and for the screen and the page of a box. */
  step(step: Startup): void
}

/**
 * Starts the appliance and introduces it on the console. While the data cannot be used, a page shows the reason, and the start is retried when the data
 * changed, and every ten minutes. After a disk error, or while another process has the data, it is retried every 15 s. The
 * process does not exit, because systemd would restart it forever and no person would see the reason. Resolves with null when `stop`
 * resolves first.
 */
async function startedUntil(
  stop: Promise<void>,
  config: Config,
  starting: Starting,
): Promise<Appliance | null> {
  for (let refusal: CommandFailed | null = null; ; ) {
    const found = await started(config, refusal, starting)
    if (!(found instanceof CommandFailed)) {
      console.log(introduction(found, config, starting.entry).join('\n'))
      starting.reporting.is('running')
      return found
    }
    const isNews = found.exit !== 'unreachable' && refusal?.message !== found.message
    if (isNews) {
      refusal = found
      noteFailedStart(config.data, found.message)
    }
    const againAfterMs = found.exit === 'data' ? refusedAgainMs : againMs
    const { message, exit } = refusal ?? found
    const why = reasonHere(message)
    const code = exit === 'device' ? 'storage-failing' : 'storage-damaged'
    const page = outOfOrder(starting.door, config, systemClock, { code, why, againAfterMs })
    starting.reporting.is('out-of-order', why)
    if (isNews) console.error(`nightporter: ${found.message}\nMeanwhile, ${page.url} shows this message.`)
    void starting.systemd.ready()
    const isOver = await Promise.race([page.changed, stop.then(() => true)])
    page.close()
    if (isOver) return null
  }
}

/** Opens the ports. Throws CommandFailed when they cannot be used. */
async function openedDoor(config: Config, answer: RequestListener): Promise<Door> {
  try {
    const secure = await secureContextOfPage(config, systemClock)
    return await openDoor(config, { clock: systemClock, secure, answer })
  } catch (error) {
    throw asFailure(error, config)
  }
}

/** The settings. A socket of systemd stands for the address, and other machines reach it. */
function configOf(options: ServeOptions, sockets: readonly number[]): Config {
  const { listen, data, empty, timeZone, country, foundAnew, tlsCert, tlsKey, logLevel } = options
  return configured(() => {
    if (Boolean(tlsCert) !== Boolean(tlsKey)) {
      throw new ConfigRefused('--tls-cert and --tls-key are used together. Give both files.')
    }
    if (sockets.length > 1)
      throw new ConfigRefused(
        'systemd passed more than one socket. nightporter.socket has one ListenStream=.',
      )
    const [socket = null] = sockets
    const read = readConfig({
      ...(listen && readListen(listen)),
      ...(data && { data }),
      ...(empty && { sample: false }),
      ...(timeZone && { timeZone }),
      ...(country && { country }),
      ...(foundAnew && { foundAnew }),
      ...(tlsCert && tlsKey && { tls: { cert: tlsCert, key: tlsKey } }),
      ...(logLevel && { logLevel: logLevel as Config['logLevel'] }),
    })
    return socket === null ? read : { ...read, socket, host: '::' }
  })
}

function configured<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asFailure(error)
  }
}

/**
 * Returns the appliance, or the reason why its data cannot be used now. After a first refusal (`refusal`), a lock by
 * another process is also such a reason, because a person may be restoring the data. Throws any other failure.
 */
async function started(
  config: Config,
  refusal: CommandFailed | null,
  { entry, door, step }: Starting,
): Promise<Appliance | CommandFailed> {
  try {
    return await start(config, { entry, say: (line) => console.log(line), door, step })
  } catch (error) {
    const failure = asFailure(error, config)
    if (!(failure instanceof CommandFailed)) throw failure
    const isOfData = failure.exit === 'data' || failure.exit === 'device'
    if (isOfData || (refusal && error instanceof StoreTaken)) return failure
    throw failure
  }
}

function introduction(appliance: Appliance, config: Config, entry: URL): string[] {
  const { data } = config
  const { url, notes, pairingCode } = appliance
  const running = { url, data, isDefault: data === defaults.data, entry, certificate: trustedFile(config) }
  const guest = appliance.sampleGuest()
  return [
    `nightporter listens on ${url}`,
    ...notes,
    ...(pairingCode ? pairingLines(running, pairingCode) : []),
    ...(guest ? linesToTry(running, guest) : []),
  ]
}

/** Returns the file that a client on this machine has to trust; null without TLS. */
function trustedFile(config: Config): string | null {
  if (config.tls) return config.tls.cert
  return isSecured(config) ? join(config.data, dataFiles.authority) : null
}
