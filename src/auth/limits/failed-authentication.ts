import type { Clock } from '../../host/clock.ts'
import { command, type Writer } from '../../resource/command.ts'
import { networkOf } from '../network.ts'

/** Requests that failed authentication, and their addresses. */
interface Failures {
  failures: number
  /** At most ten addresses; for IPv6 the /64 networks. */
  addresses: string[]
}

/** The command that records failed authentication in the journal. */
export const noteFailures = command(
  'gate/authentication-failed',
  (tx, { failures, addresses }: Failures): null => {
    tx.journal('system.authentication-failed', 'system', { failures, addresses })
    return null
  },
)

interface FailedAuthenticationOptions {
  clock: Clock
  writer: Writer
  /** Called with the failures, at most once a minute. */
  reported(failures: Failures): void
  /** Called with each error of the write. */
  failed(error: unknown): void
}

const minute = 60_000
const mostAddresses = 10
const actor = { by: 'gate', requestId: null }

/**
 * Returns a function to report failed authentication. The first failure is published at once; those that
 * follow are published together, once a minute.
 */
export function failedAuthentication({ clock, writer, reported, failed }: FailedAuthenticationOptions) {
  let failures = 0
  let isResting = false
  const addresses = new Set<string>()

  function report(): void {
    isResting = failures > 0
    if (!isResting) return
    const all = { failures, addresses: [...addresses] }
    failures = 0
    addresses.clear()
    reported(all)
    writer.execute(noteFailures, all, { actor }).catch(failed)
    clock.setTimeout(report, minute).unref()
  }

  return (address: string): void => {
    failures++
    if (addresses.size < mostAddresses) addresses.add(networkOf(address))
    if (!isResting) report()
  }
}
