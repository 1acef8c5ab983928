import { flushCompileCache } from 'node:module'
import { type Config, ConfigRefused, defaults, readConfig, readListen } from '../config.ts'
import { systemClock } from '../host/clock.ts'
import { serviceManager } from '../host/notify.ts'
import { VaultRefused } from '../host/vault.ts'
import { type Appliance, start } from '../main.ts'
import { StoreRefused } from '../store/connection.ts'
import { StoreTaken } from '../store/lock.ts'
import { CommandFailed, type Exit } from './exit-codes.ts'
import { linesToTry, pairingLines } from './lines-to-try.ts'

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
  const systemd = serviceManager({ clock: systemClock, failed: ({ message }) => console.error(message) })
  const config = configOf(options)
  const appliance = await started(config, entry)
  const stop = stopAsked()
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

async function started(config: Config, entry: URL): Promise<Appliance> {
  try {
    return await start(config, { entry })
  } catch (error) {
    throw asFailure(error, config)
  }
}

/** What keeps the appliance from starting, in one sentence; anything else goes on as it is. */
function asFailure(error: unknown, config?: Config): unknown {
  if (error instanceof ConfigRefused || error instanceof VaultRefused)
    return new CommandFailed('config', error.message)
  if (error instanceof StoreRefused) return new CommandFailed('data', error.message)
  if (error instanceof StoreTaken) return new CommandFailed('unreachable', error.message)
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (!config || code === undefined) return error
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new CommandFailed(
      'data',
      `The database in ${config.data} is damaged (${(error as Error).message}).`,
    )
  }
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
    EROFS: ['permission', `${where} is on a disk that cannot be written.`],
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
