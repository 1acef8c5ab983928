import type { Clock } from '../host/clock.ts'
import { change, type Door } from '../resource/change.ts'
import { networkOf } from './network.ts'

/** Requests that were refused because of who asked, and from where. */
interface Failures {
  failures: number
  /** Addresses, ten at most; of IPv6 the networks. */
  addresses: string[]
}

/** Writes down that authentication has failed. */
export const noteFailures = change(
  'gate/authentication-failed',
  (tx, { failures, addresses }: Failures): null => {
    tx.journal('system.authentication-failed', 'system', { failures, addresses })
    return null
  },
)

interface FailedAuthenticationOptions {
  clock: Clock
  door: Door
  /** Told of failures, once a minute at most. */
  told(failures: Failures): void
  /** Told of what is no passing refusal of the store. */
  failed(error: unknown): void
}

const minute = 60_000
const mostAddresses = 10
const actor = { by: 'gate', requestId: null }

/** Tells of failed authentication: of the first at once, of those that follow together, once a minute. */
export function failedAuthentication({ clock, door, told, failed }: FailedAuthenticationOptions) {
  let failures = 0
  let isResting = false
  const addresses = new Set<string>()

  function tell(): void {
    isResting = failures > 0
    if (!isResting) return
    const all = { failures, addresses: [...addresses] }
    failures = 0
    addresses.clear()
    told(all)
    door.write(noteFailures, all, { actor }).catch(failed)
    clock.setTimeout(tell, minute).unref()
  }

  return (address: string): void => {
    failures++
    if (addresses.size < mostAddresses) addresses.add(networkOf(address))
    if (!isResting) tell()
  }
}
