import { DeviceFault } from '../../../devices/fault.ts'
import { peerPolicies, urlProblem } from '../../../devices/network/peer-address.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Adapter, AdapterSetup, CallbackRequest, Capabilities, OpenedAdapter } from '../../contract.ts'
import type { SyncNotifications } from '../../sync-contract.ts'
import { MewsRefusal, mewsClient } from './client.ts'
import { connectionSchema, credentialsSchema, type MewsCredentials, mewsSettings } from './connection.ts'
import { deviceCommands } from './device-commands.ts'
import { readReservations } from './fetch-reservations.ts'
import { liveEvents } from './live-events.ts'
import { lookupsOf } from './lookups.ts'
import { messagesWithin, requestLimit } from './pace.ts'
import { pullOf } from './pull.ts'
import { pushOf } from './push.ts'
import { isInspected, tellRoomStates } from './rooms.ts'

/** Mews, over its Connector API. Reservations come from Mews, what was changed here goes back, and Mews orders keys. */
export const mews: Adapter = {
  name: 'mews',
  version: '1.0.0',
  description: 'Mews, over its Connector API.',
  transports: ['http'],
  assignsUnits: false,
  connection: connectionSchema,
  credentials: credentialsSchema,
  check({ connection: { platformAddress, webSocketAddress } }) {
    expectAllowed('platformAddress', String(platformAddress))
    if (webSocketAddress) expectAllowed('webSocketAddress', String(webSocketAddress).replace(/^ws/, 'http'))
  },
  open,
}

/** Throws validation-failed for an address to which nothing may connect. */
function expectAllowed(name: string, address: string): void {
  const wrong = urlProblem(name, address, peerPolicies.pms)
  if (wrong) throw new Problem('validation-failed', wrong, { pointer: `/connection/${name}` })
}

/** The deadline of a request that no caller waits for. */
const ownDeadlineMs = 10_000

function open({ configuration, credentials, appliance }: AdapterSetup): OpenedAdapter {
  const { clock, reader, orderKey, failed } = appliance
  const { now } = clock
  const timeoutMs = configuration.timeoutMs ?? ownDeadlineMs
  const settings = mewsSettings(configuration.connection ?? {})
  const { integrationId, clientToken = '', accessToken = '' } = credentials as Partial<MewsCredentials>
  const tokens = { clientToken, accessToken }
  const client = mewsClient({ ...settings, ...tokens, clock })
  const lookups = lookupsOf({ ...settings, client, now })
  const parts = { ...settings, client, lookups, timeZone: () => appliance.settings().timeZone }
  const pull = pullOf({ ...parts, now })
  const push = pushOf({
    ...parts,
    clock,
    timeoutMs,
    isInspected: (unitName) => isInspected(reader, unitName),
    houseTimes: appliance.settings,
  })
  const call = () => ({ signal: clock.timeout(ownDeadlineMs) })
  const commands = deviceCommands({ ...parts, orderKey, now, call, failed })
  let follower: SyncNotifications | null = null
  const events = { ...tokens, clock, commands, roomsChanged: lookups.forget, poke: () => follower?.poke() }
  const address = settings.webSocketAddress
  const stopListening = address === null ? null : liveEvents({ address, ...events })

  return {
    capabilities: () => capabilitiesOf(settings.encoders.length > 0),
    extension: () => ({ is: 'not-implemented' }),
    sync: {
      pull(cursor, call) {
        if (commands.isOwing()) void commands.catchUp()
        return refusalAsFault(pull(cursor, call))
      },
      async read(externalId, call) {
        const { found, refused } = await refusalAsFault(readReservations([externalId], parts, call))
        return { changes: found.map(({ change }) => change), refused }
      },
      push: (offers, call) => refusalAsFault(push(offers, call)),
      offersAtOnce: messagesWithin(timeoutMs),
      accepts: ['guests', 'dates', 'units', 'status', 'comments', 'payments'],
      publish: (events, call) => refusalAsFault(tellRoomStates(events, { client, lookups, reader }, call)),
      follow(news) {
        follower = news
        return () => {
          if (follower === news) follower = null
        }
      },
    },
    callback(request) {
      expectFromMews(request, integrationId)
      lookups.forget()
      follower?.poke()
    },
    close() {
      stopListening?.()
      client.close()
    },
  }
}

/** Converts a Refusal that the work has not turned into an answer to a vendor-error. */
async function refusalAsFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof MewsRefusal)) throw error
    throw new DeviceFault('vendor-error', `Mews refused: ${error.message}`, {
      vendorCode: String(error.status),
    })
  }
}

/** Throws unauthenticated unless a webhook names the integration. Webhooks are not signed: a forged one can only cause a poll. */
function expectFromMews({ text }: CallbackRequest, integrationId: string | undefined): void {
  let named: unknown
  try {
    named = (JSON.parse(text) as { IntegrationId?: unknown } | null)?.IntegrationId
  } catch {}
  if (integrationId !== undefined && named === integrationId) return
  throw new Problem('unauthenticated', 'The webhook is for another integration.')
}

function capabilitiesOf(ordersKeys: boolean): Capabilities {
  return {
    flags: [
      'reservations.read',
      'reservations.write',
      'profiles.read',
      'profiles.write',
      'housekeeping.read',
      'housekeeping.write',
      'payments.record',
      'webhooks',
      'sync.full',
      'sync.delta',
      'checkin',
      'checkout',
      'room-move',
      ...(ordersKeys ? (['keys.push'] as const) : []),
    ],
    extensions: [],
    rateLimit: requestLimit,
    timeZone: null,
  }
}
