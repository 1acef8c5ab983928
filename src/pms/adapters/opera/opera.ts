import { DeviceFault } from '../../../devices/fault.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { Filter } from '../../../resource/query.ts'
import type { Adapter, AdapterSetup, Capabilities, OpenedAdapter } from '../../contract.ts'
import type { SyncNotifications } from '../../sync-contract.ts'
import { staysHere } from '../stays-here.ts'
import { OperaRefusal, operaClient } from './client.ts'
import {
  checkConnection,
  connectionSchema,
  credentialsSchema,
  type OperaSettings,
  operaSettings,
} from './connection.ts'
import { hintsOf } from './hints.ts'
import { keyOrders } from './key-orders.ts'
import { liveHere } from './live-here.ts'
import { pullOf } from './pull.ts'
import { readCursor } from './pull-cursor.ts'
import { pushOf } from './push.ts'
import { roomWatch, tellRoomStates } from './rooms.ts'
import { operaStream } from './stream.ts'

/** OPERA Cloud, over the REST interfaces of OHIP. */
export const opera: Adapter = {
  name: 'opera',
  version: '1.0.0',
  description: 'OPERA Cloud, over the Oracle Hospitality Integration Platform (OHIP).',
  transports: ['http'],
  assignsUnits: false,
  connection: connectionSchema,
  credentials: credentialsSchema,
  check: ({ connection }) => checkConnection(connection),
  open,
}

function open({ configuration, credentials, appliance }: AdapterSetup): OpenedAdapter {
  const { clock, reader, orderKey, failed } = appliance
  const settings = operaSettings(configuration.connection, credentials)
  const { hotelId, housekeeping, encoders, chainCode, pricesIncludeTax } = settings
  const timeZone = () => appliance.settings().timeZone
  const client = operaClient({ settings, clock, timeoutMs: configuration.timeoutMs ?? 10_000 })
  const hints = hintsOf()
  const rooms = housekeeping ? roomWatch(client, clock.now) : null
  const mapping = { hotelId, pricesIncludeTax, timeZone, now: clock.now }
  const pull = pullOf({
    client,
    rooms,
    hints,
    liveHere: liveHere(reader, configuration.id),
    settings,
    mapping,
  })
  const push = pushOf({
    client,
    settings,
    mapping,
    isInspected: (unitName) => housekeeping && isInspected(reader, unitName),
  })
  let follower: SyncNotifications | null = null
  const poke = () => follower?.poke()
  let stopListening: (() => void) | null = null
  let isClosed = false

  /** Listens from the offset of the first cursor on. */
  function listen(cursor: string | null): void {
    if (chainCode === null || stopListening || isClosed) return
    hints.reached(readCursor(cursor)?.stream ?? null)
    stopListening = operaStream({ client, settings, chainCode, clock, hints, poke })
  }

  const orders = keyOrders({
    clock,
    settings,
    stays: staysHere(reader, configuration.id),
    orderKey,
    moveTo: (stayId, unitName) => appliance.moveGuest(configuration.id, stayId, unitName),
    timeZone,
    fetchSoon(externalId) {
      hints.add(externalId)
      poke()
    },
    failed,
  })

  return {
    capabilities: () => capabilitiesOf(settings),
    extension: () => ({ is: 'not-implemented' }),
    sync: {
      pull(cursor, call) {
        listen(cursor)
        return refusalAsFault(pull(cursor, call))
      },
      push: (offers, call) => refusalAsFault(push(offers, call)),
      // One message costs up to a dozen requests.
      offersAtOnce: 1,
      accepts: ['dates', 'guests', 'units', 'status', 'payments'],
      follow(news) {
        follower = news
        return () => {
          if (follower === news) follower = null
        }
      },
      ...(housekeeping && {
        publish: (events, call) => refusalAsFault(tellRoomStates(events, { client, reader }, call)),
      }),
    },
    ...(encoders.length > 0 && { callback: orders }),
    close() {
      isClosed = true
      stopListening?.()
      client.close()
    },
  }
}

/** Whether the unit of this name is inspected here. */
function isInspected(reader: Reader, name: string): boolean {
  const filters: Filter[] = [{ path: 'name', operator: 'eq', value: name.normalize('NFC') }]
  return reader.rows(unit, { filters, sort: [], page: { size: 1 } })[0]?.status === 'Inspected'
}

/** Converts a refusal that the work has not turned into an answer to a vendor-error. */
async function refusalAsFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof OperaRefusal)) throw error
    throw new DeviceFault('vendor-error', `OPERA refused: ${error.message}`, {
      vendorCode: error.code ?? String(error.status),
    })
  }
}

function capabilitiesOf({ encoders, chainCode, housekeeping }: OperaSettings): Capabilities {
  return {
    flags: [
      'reservations.read',
      'reservations.write',
      'profiles.read',
      'profiles.write',
      ...(housekeeping ? (['housekeeping.read', 'housekeeping.write'] as const) : []),
      'payments.record',
      'checkin',
      'checkout',
      'room-move',
      'sync.full',
      'sync.delta',
      ...(chainCode !== null ? (['streaming'] as const) : []),
      ...(encoders.length > 0 ? (['keys.push'] as const) : []),
    ],
    extensions: [],
    // The limit of a gateway that all clients share; above it answers are delayed.
    rateLimit: { requests: 50, seconds: 1 },
    timeZone: null,
  }
}
