import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { access } from './access/access.ts'
import { configRoutes } from './access/config-routes.ts'
import { dispenserRoutes } from './access/dispenser-routes.ts'
import { keyRoutes } from './access/key-routes.ts'
import { accessResources } from './access/resources.ts'
import { plain, reservations, resources, shapeOf, stays } from './api.ts'
import { type Config, ConfigRefused } from './config.ts'
import { openWire, parseAddress } from './devices/wire.ts'
import { drivers, lockDrivers } from './drivers.ts'
import { foundHouse } from './found-house.ts'
import { admit, gate, isLoopback } from './gate/gate.ts'
import { idempotency } from './gate/idempotency.ts'
import { pairing } from './gate/pairing-code.ts'
import { token } from './gate/token.ts'
import { tokenRoutes } from './gate/token-routes.ts'
import { type Clock, systemClock } from './host/clock.ts'
import { createLog } from './host/log.ts'
import { openVault } from './host/vault.ts'
import { type Keeping, resourceRoutes } from './jsonapi/resource-routes.ts'
import { application, type Interface } from './jsonapi/server.ts'
import { speaker } from './jsonapi/speaker.ts'
import { problemRoutes } from './problem-routes.ts'
import { importRoutes } from './reservation/import-routes.ts'
import { settings } from './reservation/resources/settings.ts'
import { reservationRoutes } from './reservation/routes.ts'
import { type SimulatedLobby, simulated, simulatedLobby } from './simulated-lobby.ts'
import { statusRoutes } from './status.ts'
import { openReader } from './store/connection.ts'
import { openDoor } from './store/door.ts'
import { lockStore } from './store/lock.ts'
import { isCurrent } from './store/migrate.ts'
import { reader as openReading } from './store/reader.ts'

export const version = '0.1.0'
const versions = { reservation: '2.2.0-alpha.1', access: '2.2.1-rc.1', config: '1.0.11' }

export interface Appliance {
  url: string
  /** What is worth saying at the start, a line each. */
  notes: string[]
  /** The eight digits that make an administrator, at the first start of an empty house; else null. */
  pairingCode: string | null
  /** The confirmation number of a guest to try the sample property with; null elsewhere, or when all have left. */
  sampleGuest(): string | null
  lobby: SimulatedLobby
  /** Every operation it answers to. */
  interfaces: readonly Interface[]
  /** Rejects when the appliance cannot go on; the daemon then ends, and is started again. */
  broken: Promise<never>
  close(): Promise<void>
}

export interface StartOptions {
  /** The program itself: its thread is the writer. */
  entry: URL
  clock?: Clock
  lobby?: SimulatedLobby
}

/** Opens the rooms in order; `close` closes them in reverse. */
export async function start(
  config: Config,
  { entry, clock = systemClock, lobby }: StartOptions,
): Promise<Appliance> {
  expectSafe(config)
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  const path = join(config.data, 'nightporter.db')
  const lock = lockStore(path)
  const log = createLog({ level: config.logLevel, clock })
  const isFirst = !existsSync(path)
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => {})

  const door = openDoor({ path, entry, now: clock.now, lost: broken.reject })
  // What can be read as it is need not wait for the writer: the first answers leave while it still checks the file.
  if (!isCurrent(path)) await door.migrated
  const connection = openReader(path)
  const reader = openReading(connection, resources, door.version)
  const vault = openVault(join(config.data, 'secret.key'), { isNew: isFirst })
  const keeping: Keeping = { reader, door, resources, plain, speaker: shapes() }
  const house = await foundHouse(keeping, { sample: config.sample, seal: vault.seal, now: clock.now })

  const devices = lobby ?? simulatedLobby(demoLobby(config.data))
  const failed = (error: unknown) => log.error({ err: error }, 'unexpected')
  const room = access({
    keeping,
    failed,
    workshop: {
      drivers,
      lockDrivers,
      openWire: (path, options) => wireTo(devices, path, options),
      unseal: vault.unseal,
      now: clock.now,
      log: ({ bay, what, fault }) => log.info({ bay, what, fault: fault?.message }, 'device'),
    },
  })

  const isNew = reader.rows(token, firstOnly).length === 0
  const pair = isNew && !house.isSample ? pairing({ now: clock.now }) : null
  const demo = house.isSample && isLoopback(config.host)
  const guard = gate({ reader, now: clock.now, demo, tenant: tenantOf(keeping) })
  const once = idempotency({ reader, now: clock.now })
  const status = statusRoutes(keeping, {
    clock,
    version,
    startedAt: clock.now(),
    ready: door.ready,
    simulated: house.isSample,
    data: config.data,
  })
  const interfaces: Interface[] = [
    {
      version: versions.reservation,
      routes: [...reservationRoutes(keeping, { stays, reservations }), ...status, ...problemRoutes()],
    },
    {
      version: versions.access,
      routes: [
        ...accessResources
          .filter(({ base }) => base === '/api/v2')
          .flatMap((each) => resourceRoutes(keeping, each)),
        ...keyRoutes(keeping, room),
        ...dispenserRoutes(keeping, room),
      ],
    },
    {
      version: versions.config,
      routes: [
        ...accessResources
          .filter(({ base }) => base !== '/api/v2')
          .flatMap((each) => resourceRoutes(keeping, each)),
        ...importRoutes(keeping),
        ...configRoutes(keeping, { drivers, lockDrivers, addressProblem, seal: vault.seal }),
        ...resourceRoutes(keeping, token),
        ...tokenRoutes(keeping, demo ? 'test' : 'live', pair),
      ],
    },
  ]
  const app = application({
    interfaces,
    doorkeeper: { enter: guard.enter, admit, once: once.begin },
    failed: (error, request) => log.error({ err: error, ...request }, 'answered 500'),
  })
  const server = await listen(app.callback(), config)
  await Promise.race([door.ready, broken.promise])
  await room.start()
  const address = server.address() as AddressInfo
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  const pairingCode = pair?.open().code ?? null
  return {
    url: `${config.tls ? 'https' : 'http'}://${host}:${address.port}`,
    notes: notesOf(house, demo, pairingCode),
    pairingCode,
    sampleGuest: () => (demo ? house.sampleGuest() : null),
    lobby: devices,
    interfaces,
    broken: broken.promise,
    async close() {
      const drained = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      await room.close()
      const force = setTimeout(() => server.closeAllConnections(), 2_000)
      await drained
      clearTimeout(force)
      // The writer is the last to leave: then SQLite puts the log into the database, and one file holds it all.
      connection.close()
      await door.close()
      lock.release()
    },
  }
}

const mostConnections = 1_000
const firstOnly = { filters: [], sort: [], page: { size: 1 } }

/** The whole document is drawn once for reader and writer alike. */
function shapes(): Keeping['speaker'] {
  const narrow = speaker(resources)
  return { shape: (resource, chosen) => (chosen ? narrow.shape(resource, chosen) : shapeOf(resource)) }
}

/** The tenant whose requests are answered; read again after anything was written. */
function tenantOf({ reader }: Keeping): () => string | null {
  let version = -1
  let tenantId: string | null = null
  return () => {
    if (reader.version() !== version) {
      const since = reader.version()
      const [row] = reader.rows(settings, firstOnly)
      tenantId = row?.tenantId ?? null
      version = since
    }
    return tenantId
  }
}

/** Beyond this machine nothing is spoken in clear. */
function expectSafe({ host, tls }: Config): void {
  if (isLoopback(host) || tls) return
  throw new ConfigRefused(
    `${host} is not this machine alone, so TLS is needed: give --tls-cert FILE and --tls-key FILE, or listen on 127.0.0.1.`,
  )
}

async function listen(
  handler: Parameters<typeof createHttpServer>[1],
  { host, port, tls }: Config,
): Promise<Server> {
  const server = tls
    ? createHttpsServer(
        { cert: readFileSync(tls.cert), key: readFileSync(tls.key), minVersion: 'TLSv1.2' },
        handler,
      )
    : createHttpServer(handler)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.maxConnections = mostConnections
    server.listen(port, host, resolve)
  })
  return server
}

function demoLobby(data: string) {
  return { pocket: join(data, 'pocket'), cards: 120, takenAfterMs: 1_500, pace: 0.2 }
}

async function wireTo(
  lobby: SimulatedLobby,
  path: string,
  options: { baudRate: number; signal: AbortSignal },
): Promise<Duplex> {
  if (path.startsWith(simulated)) return lobby.connect(path.slice(simulated.length))
  const parsed = parseAddress(path)
  if ('problem' in parsed) throw new Error(parsed.problem)
  return openWire(parsed.address, options)
}

function addressProblem(path: string): string | null {
  if (path.startsWith(simulated)) return null
  const parsed = parseAddress(path)
  return 'problem' in parsed ? `${parsed.problem}.` : null
}

function notesOf(house: { isSample: boolean }, demo: boolean, code: string | null): string[] {
  return [
    ...(demo
      ? [
          'The token "demo" is accepted from this machine, as an administrator, because this is the sample property.',
        ]
      : []),
    ...(code ? [`Pairing code ${code}, for 15 minutes.`] : []),
    ...(house.isSample ? ['Dispenser and encoder are simulated.'] : []),
  ]
}
