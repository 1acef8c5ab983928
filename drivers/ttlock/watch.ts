import type { BayEvent } from '../../src/devices/bay/bay-event.ts'
import { bayStatus } from '../../src/devices/bay/bay-status.ts'
import { pauses } from '../../src/devices/pauses.ts'
import type { Clock } from '../../src/host/clock.ts'

interface WatchOptions {
  name: string
  /** Checks whether the cloud is reachable. It calls `exchanged` with the result before it settles. */
  look(signal: AbortSignal): Promise<unknown>
  clock: Clock
  log(event: BayEvent): void
}

/**
 * Observes whether the cloud is reachable. It checks at once, and again with pauses from 1 s to 60 s while the cloud is
 * not reachable. A reachable cloud is not checked until an exchange fails.
 */
export function watch({ name, look, clock, log }: WatchOptions) {
  const closing = new AbortController()
  const status = bayStatus({ name, clock, log, offlineCode: 'lock-system-unreachable' })
  const resting = pauses({ clock, firstMs: 1_000, maxMs: 60_000, isWanted: () => false })
  const isOnline = () => status.state === 'online'
  let loginFault: Error | null = null
  let probing: Promise<void> | null = null

  /** Call it with the result of each exchange: null for an answer of any kind. */
  function exchanged(why: Error | null): void {
    const { state, lastFault } = status
    const next = why ? 'offline' : 'online'
    if (closing.signal.aborted) return
    status.enter(next, why)
    const isNews = state !== next || why?.message !== lastFault?.message
    if (isNews) status.report(why ? (state === 'online' ? 'lost' : 'failed') : 'online', why)
    if (why) probing ??= lookUntilThere()
  }

  async function lookUntilThere(): Promise<void> {
    while (!closing.signal.aborted && !isOnline()) {
      // The check reports its own result to `exchanged`.
      await look(closing.signal).catch(() => undefined)
      if (!isOnline()) await resting.rest(closing.signal)
    }
    resting.restart()
    probing = null
  }

  status.enter('starting', null)
  probing = lookUntilThere()

  return {
    state: (): { line: 'offline' | 'starting' | 'online'; since: number; fault: Error | null } => ({
      line: status.state,
      since: status.since,
      fault: status.lastFault ?? loginFault,
    }),
    exchanged,
    /** Call it with the result of each login: null, or why it failed. The cloud may be reachable all the same. */
    loggedIn(why: unknown): void {
      const was = loginFault
      loginFault = why instanceof Error ? why : null
      if (loginFault && was?.message !== loginFault.message) status.report('failed', loginFault)
    },
    async close(): Promise<void> {
      if (!closing.signal.aborted) {
        closing.abort()
        status.enter('offline', new Error('is closed'))
        status.report('closed', null)
      }
      await probing
    },
  }
}
