import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import type { Appliance } from '../appliance.ts'
import { type Config, ConfigRefused, defaults, readConfig, readListen } from '../config.ts'
import { systemClock } from '../host/clock.ts'
import { dataFiles } from '../host/data-files.ts'
import { type ServiceManager, serviceManager } from '../host/notify.ts'
import { returnMemory } from '../host/return-memory.ts'
import { VaultRefused } from '../host/vault.ts'
import { isSecured } from '../listen.ts'
import { start } from '../main.ts'
import { outOfOrder } from '../out-of-order.ts'
import { StoreRefused } from '../store/connection.ts'
import { remedyOf, type Trouble, troubleIn } from '../store/disk/disk-trouble.ts'
import { StoreTaken } from '../store/lock.ts'
import { CommandFailed, type Exit, exits } from './exit-codes.ts'
import { linesToTry, pairingLines } from './simulate/lines-to-try.ts'
import { stopSignal } from './stop-signal.ts'

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
  const systemd = serviceManager({
    clock: systemClock,
    failed: ({ message }) => console.error(message),
    // Reports the process as dead when the writer hangs, so that systemd restarts it. Nothing in the process can stop
    // the writer.
    alive: () => appliance?.isWriting() ?? true,
  })
  const config = configOf(options)
  const stop = stopSignal()
  appliance = await startedUntil(stop, config, { entry, systemd })
  if (!appliance) {
    process.exitCode = exits.data[0]
    return
  }
  console.log(introduction(appliance, config, entry).join('\n'))
  void systemd.ready()
  // Saves the compile cache after a second, when the code for the first answers is compiled. The next start is then
  // faster.
  systemClock.setTimeout(flushCompileCache, 1_000).unref()
  systemClock.setTimeout(returnMemory, 3_000).unref()
  try {
    await Promise.race([stop, appliance.broken])
  } catch (error) {
    throw new CommandFailed(
      'fault',
      `The appliance has stopped, because it cannot continue: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  }
  await systemd.stopping()
  await appliance.close()
}

/** The time between two attempts when the disk fails or another process has the data. */
const againMs = 15_000

/**
 * Starts the appliance. While the data cannot be used, a page shows the reason, and the start is retried when the data
 * changed. After a disk error, or while another process has the data, it is also retried every 15 s. The process does
 * not exit, because systemd would restart it forever and nobody would see the reason. Resolves with null when `stop`
 * resolves first.
 */
async function startedUntil(
  stop: Promise<void>,
  config: Config,
  { entry, systemd }: { entry: URL; systemd: ServiceManager },
): Promise<Appliance | null> {
  for (let told: CommandFailed | null = null; ; ) {
    const found = await started(config, entry, told)
    if (!(found instanceof CommandFailed)) return found
    const isNews = found.exit !== 'unreachable' && told?.message !== found.message
    if (isNews) told = found
    const againAfterMs = found.exit === 'data' ? null : againMs
    const look = { clock: systemClock, why: (told ?? found).message, againAfterMs }
    const page = await outOfOrder(config, look).catch((error) => {
      throw asFailure(error, config)
    })
    if (isNews) console.error(`nightporter: ${found.message}\nMeanwhile, ${page.url} shows this message.`)
    void systemd.ready()
    const isOver = await Promise.race([page.changed, stop.then(() => true)])
    await page.close()
    if (isOver) return null
  }
}

function configOf(options: ServeOptions): Config {
  const { listen, data, empty, timeZone, country, foundAnew, tlsCert, tlsKey, logLevel } = options
  return configured(() => {
    if (Boolean(tlsCert) !== Boolean(tlsKey)) {
      throw new ConfigRefused('--tls-cert and --tls-key are used together. Give both files.')
    }
    return readConfig({
      ...(listen && readListen(listen)),
      ...(data && { data }),
      ...(empty && { sample: false }),
      ...(timeZone && { timeZone }),
      ...(country && { country }),
      ...(foundAnew && { foundAnew }),
      ...(tlsCert && tlsKey && { tls: { cert: tlsCert, key: tlsKey } }),
      ...(logLevel && { logLevel: logLevel as Config['logLevel'] }),
    })
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
 * Returns the appliance, or the reason why its data cannot be used now. After a first refusal (`told`), a lock by
 * another process is also such a reason, because somebody may be restoring the data. Throws any other failure.
 */
async function started(
  config: Config,
  entry: URL,
  told: CommandFailed | null,
): Promise<Appliance | CommandFailed> {
  try {
    return await start(config, { entry, say: (line) => console.log(line) })
  } catch (error) {
    const failure = asFailure(error, config)
    if (!(failure instanceof CommandFailed)) throw failure
    const isOfData = failure.exit === 'data' || failure.exit === 'device'
    if (isOfData || (told && error instanceof StoreTaken)) return failure
    throw failure
  }
}

/** Disk errors from calls of the operating system outside SQLite. */
const ofSystem: Record<string, Trouble> = {
  ENOSPC: { is: 'full', code: 'ENOSPC' },
  EROFS: { is: 'read-only', code: 'EROFS' },
  EIO: { is: 'failing', code: 'EIO' },
}

/**
 * Converts an error that prevents the start to a CommandFailed with one sentence. Returns any other error unchanged.
 */
function asFailure(error: unknown, config?: Config): unknown {
  if (error instanceof ConfigRefused) return new CommandFailed('config', error.message)
  if (error instanceof StoreRefused || error instanceof VaultRefused)
    return new CommandFailed('data', error.message)
  if (error instanceof StoreTaken) return new CommandFailed('unreachable', error.message)
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (!config || code === undefined) return error
  const trouble = troubleIn(error) ?? ofSystem[code]
  if (trouble)
    return new CommandFailed('device', `${config.data} cannot be used (${code}). ${remedyOf(trouble)}`)
  const address = `${config.host}:${config.port}`
  const where = syscall === 'listen' ? address : (path ?? config.data)
  const known: Record<string, [Exit, string]> = {
    EADDRINUSE: [
      'unreachable',
      `${address} is in use; another nightporter may be running. Give another port with --listen.`,
    ],
    EADDRNOTAVAIL: ['config', `${config.host} is not an address of this machine.`],
    ENOTFOUND: ['config', `${config.host} is not an address of this machine.`],
    EACCES: ['permission', `This user has no permission for ${where}.`],
    EPERM: ['permission', `This user has no permission for ${where}.`],
    ENOENT: ['config', `${where} does not exist.`],
    ENOTDIR: ['config', `${where} is not a folder.`],
    EEXIST: ['config', `${where} is not a folder.`],
  }
  const [exit, message] = known[code] ?? []
  return exit && message ? new CommandFailed(exit, message, { cause: error }) : error
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
