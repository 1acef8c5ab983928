import { DeviceFault } from '../../../devices/fault.ts'
import { peerPolicies, urlProblem } from '../../../devices/network/peer-address.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Adapter, AdapterSetup, CallbackRequest, Capabilities, OpenAdapter } from '../../contract.ts'
import type { News } from '../../sync-contract.ts'
import { mewsClient, Refusal } from './client.ts'
import {
  connectionSchema,
  credentialsSchema,
  type MewsConnection,
  type MewsCredentials,
} from './connection.ts'
import { readReservation } from './fetch-reservations.ts'
import { lookupsOf } from './lookups.ts'
import { pullOf } from './pull.ts'
import { pushOf } from './push.ts'

/** Mews, over its Connector API. Reservations come from Mews; check-in, check-out, rooms and dates go back. */
export const mews: Adapter = {
  name: 'mews',
  version: '1.0.0',
  description: 'Mews, over its Connector API.',
  transports: ['http'],
  assignsUnits: false,
  connection: connectionSchema,
  credentials: credentialsSchema,
  check({ connection: { platformAddress } }) {
    const wrong = urlProblem('platformAddress', String(platformAddress), peerPolicies.pms)
    if (wrong) throw new Problem('validation-failed', wrong, { pointer: '/connection/platformAddress' })
  },
  open,
}

function open({ configuration, credentials, house }: AdapterSetup): OpenAdapter {
  const connection = (configuration.connection ?? {}) as unknown as MewsConnection
  const { integrationId, ...tokens } = credentials as unknown as MewsCredentials
  const { now } = house.clock
  const client = mewsClient({ platformAddress: connection.platformAddress, ...tokens, now })
  const { serviceId, unitTypes = {}, monthsAhead = 12, openBalanceNote = null } = connection
  const lookups = lookupsOf({ client, serviceId, unitTypes, now })
  const timeZone = () => house.settings().timeZone
  const parts = { client, lookups, timeZone }
  const pull = pullOf({ ...parts, serviceId, monthsAhead, now })
  const push = pushOf({ ...parts, openBalanceNote })
  let follower: News | null = null

  return {
    capabilities: () => capabilities,
    extension: () => ({ is: 'not-implemented' }),
    sync: {
      pull: (cursor, call) => faultsAlone(pull(cursor, call)),
      read: (externalId, call) => faultsAlone(readReservation(externalId, parts, call)),
      push: (offers, call) => faultsAlone(push(offers, call)),
      // Each costs a dozen requests there.
      offersAtOnce: 1,
      accepts: ['dates', 'units', 'status'],
      follow(news) {
        follower = news
        return () => {
          if (follower === news) follower = null
        }
      },
    },
    callback(told) {
      expectFromMews(told, integrationId)
      follower?.nudge()
    },
    close: () => client.close(),
  }
}

/** Converts a refusal to a failure, for requests that only read. */
async function faultsAlone<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new DeviceFault('vendor-error', `Mews refuses: ${error.message}`, {
      vendorCode: String(error.status),
    })
  }
}

/** A webhook is not signed. A sender who names the integration can only cause a poll. */
function expectFromMews({ text }: CallbackRequest, integrationId: string | undefined): void {
  let named: unknown
  try {
    named = (JSON.parse(text) as { IntegrationId?: unknown } | null)?.IntegrationId
  } catch {}
  if (integrationId !== undefined && named === integrationId) return
  throw new Problem('unauthenticated', 'This does not name our integration.')
}

const capabilities: Capabilities = {
  flags: [
    'reservations.read',
    'reservations.write',
    'profiles.read',
    'webhooks',
    'sync.full',
    'sync.delta',
    'checkin',
    'checkout',
    'room-move',
  ],
  extensions: [],
  // Of one property in production; operations that give pages may be asked for ten times as often.
  rateLimit: { requests: 3_000, seconds: 900 },
  timeZone: null,
}
