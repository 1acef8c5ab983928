import { DeviceFault } from '../../../devices/fault.ts'
import { peerPolicies, urlProblem } from '../../../devices/network/peer-address.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Adapter, AdapterSetup, CallbackRequest, Capabilities, OpenedAdapter } from '../../contract.ts'
import type { SyncNotifications } from '../../sync-contract.ts'
import { MewsRefusal, mewsClient } from './client.ts'
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

function open({ configuration, credentials, appliance }: AdapterSetup): OpenedAdapter {
  const { platformAddress = '', ...connection } = (configuration.connection ?? {}) as Partial<MewsConnection>
  const { integrationId, clientToken = '', accessToken = '' } = credentials as Partial<MewsCredentials>
  const { now } = appliance.clock
  const client = mewsClient({ platformAddress, clientToken, accessToken, now })
  const { serviceId = '', unitTypes = {}, monthsAhead = 12, openBalanceNote = null } = connection
  const lookups = lookupsOf({ client, serviceId, unitTypes, now })
  const timeZone = () => appliance.settings().timeZone
  const parts = { client, lookups, timeZone }
  const pull = pullOf({ ...parts, serviceId, monthsAhead, now })
  const push = pushOf({ ...parts, openBalanceNote })
  let follower: SyncNotifications | null = null

  return {
    capabilities: () => capabilities,
    extension: () => ({ is: 'not-implemented' }),
    sync: {
      pull: (cursor, call) => refusalAsFault(pull(cursor, call)),
      read: (externalId, call) => refusalAsFault(readReservation(externalId, parts, call)),
      push: (offers, call) => refusalAsFault(push(offers, call)),
      // One change costs up to a dozen requests at Mews.
      offersAtOnce: 1,
      accepts: ['dates', 'units', 'status'],
      follow(news) {
        follower = news
        return () => {
          if (follower === news) follower = null
        }
      },
    },
    callback(request) {
      expectFromMews(request, integrationId)
      follower?.poke()
    },
    close: () => client.close(),
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
  // The limit of one property in production; for operations that return pages it is ten times as high.
  rateLimit: { requests: 3_000, seconds: 900 },
  timeZone: null,
}
