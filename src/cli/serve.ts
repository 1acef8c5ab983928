import { flushCompileCache } from 'node:module'
import type { Appliance } from '../appliance.ts'
import { type Config, ConfigRefused, defaults, readConfig, readListen } from '../config.ts'
import { systemClock } from '../host/clock.ts'
import { type ServiceManager, serviceManager } from '../host/notify.ts'
import { VaultRefused } from '../host/vault.ts'
import { start } from '../main.ts'
import { outOfOrder } from '../out-of-order.ts'
import { StoreRefused } from '../store/connection.ts'
import { remedyOf, type Trouble, troubleIn } from '../store/disk/disk-trouble.ts'
import { StoreTaken } from '../store/lock.ts'
import { CommandFailed, type Exit, exits } from './exit-codes.ts'
import { linesToTry, pairingLines } from './simulate/lines-to-try.ts'

export interface ServeOptions {
  listen?: string
  data?: string
  empty?: boolean
  foundAnew?: boolean
  tlsCert?: string
  tlsKey?: string
  logLevel?: string
}

/** Runs the appliance until SIGTERM or SIGINT, then closes it in order; a second signal ends it at once. */
export async function serve(options: ServeOptions, entry: URL): Promise<void> {
  // What the house holds is for the appliance alone.
  process.umask(0o077)
  let appliance: Appliance | null = null
  const systemd = serviceManager({
    clock: systemClock,
    failed: ({ message }) => console.error(message),
    // A writer that hangs is started anew with the rest: nobody else can end it.
    alive: () => appliance?.isWriting() ?? true,
  })
  const config = configOf(options)
  const stop = stopAsked()
  appliance = await startedUntil(stop, config, { entry, systemd })
  if (!appliance) {
    process.exitCode = exits.data[0]
    return
  }
  console.log(introduction(appliance, config, entry).join('\n'))
  void systemd.ready()
  // What the first answers load is compiled by then, and is there for the next start.
  systemClock.setTimeout(flushCompileCache, 1_000).unref()
  try {
    await Promise.race([stop, appliance.broken])
  } catch (error) {
    throw new CommandFailed('fault', `The appliance cannot go on: ${(error as Error).message}`, {
      cause: error,
    })
  }
  await systemd.stopping()
  await appliance.close()
}

/** How long a disk that fails, or whoever else has the data, is left alone. */
const againMs = 15_000

interface Surroundings {
  entry: URL
  systemd: ServiceManager
}

/**
 * Starts the appliance. While its data may not be used it tells everybody why, and tries again when the data was changed:
 * ending would only have it started again for ever, with nobody told. Resolves with null when it is to stop meanwhile.
 */
async function startedUntil(
  stop: Promise<void>,
  config: Config,
  { entry, systemd }: Surroundings,
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
    if (isNews) console.error(`nightporter: ${found.message}\n${page.url} says so meanwhile.`)
    void systemd.ready()
    const isOver = await Promise.race([page.changed, stop.then(() => true)])
    await page.close()
    if (isOver) return null
  }
}

function configOf({ listen, data, empty, foundAnew, tlsCert, tlsKey, logLevel }: ServeOptions): Config {
  return configured(() => {
    if (Boolean(tlsCert) !== Boolean(tlsKey)) {
      throw new ConfigRefused('--tls-cert and --tls-key belong together: give both files.')
    }
    return readConfig({
      ...(listen && readListen(listen)),
      ...(data && { data }),
      ...(empty && { sample: false }),
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

/** The appliance; or why its data may not be used now. Once they were refused, somebody else who has them is putting them right. */
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

/** What the system says of the disk where it is not SQLite that asks. */
const ofSystem: Record<string, Trouble> = {
  ENOSPC: { is: 'full', code: 'ENOSPC' },
  EROFS: { is: 'read-only', code: 'EROFS' },
  EIO: { is: 'failing', code: 'EIO' },
}

/** What keeps the appliance from starting, in one sentence; anything else goes on as it is. */
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
      `${address} is taken: another nightporter may be running. Give another port with --listen.`,
    ],
    EADDRNOTAVAIL: ['config', `${config.host} is not an address of this machine.`],
    ENOTFOUND: ['config', `${config.host} is not an address of this machine.`],
    EACCES: ['permission', `${where} may not be used by this user.`],
    EPERM: ['permission', `${where} may not be used by this user.`],
    ENOENT: ['config', `${where} is not there.`],
    ENOTDIR: ['config', `${where} is not a folder.`],
    EEXIST: ['config', `${where} is not a folder.`],
  }
  const [exit, message] = known[code] ?? []
  return exit && message ? new CommandFailed(exit, message, { cause: error }) : error
}

/** Resolves with the first SIGTERM or SIGINT; the next one ends the process. */
function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of signals) process.off(signal, stop)
      resolve()
    }
    for (const signal of signals) process.on(signal, stop)
  })
}

const signals = ['SIGTERM', 'SIGINT'] as const

function introduction(appliance: Appliance, { data, tls }: Config, entry: URL): string[] {
  const { url, notes, pairingCode } = appliance
  const running = { url, data, isDefault: data === defaults.data, entry, certificate: tls?.cert ?? null }
  const guest = appliance.sampleGuest()
  return [
    `nightporter listens on ${url}`,
    ...notes,
    ...(pairingCode ? pairingLines(running, pairingCode) : []),
    ...(guest ? linesToTry(running, guest) : []),
  ]
}
