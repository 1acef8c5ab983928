import type { BayEvent } from '../../src/devices/bay/bay-event.ts'
import type { Clock } from '../../src/host/clock.ts'

interface WatchOptions {
  name: string
  /** Checks whether the cloud is reachable. It calls `exchanged` with the result before it settles. */
  look(signal: AbortSignal): Promise<unknown>
  clock: Clock
  log(event: BayEvent): void
  /** The pauses between two checks. Default: from 1 s to 60 s, each up to a fifth shorter or longer. */
  backoff?: { firstMs: number; maxMs: number }
}

interface Watch {
  state(): { line: 'offline' | 'starting' | 'online'; since: number; fault: Error | null }
  /** Call it with the result of each exchange: null for an answer of any kind. */
  exchanged(fault: Error | null): void
  /** Call it with the result of each login: null, or why it failed. The cloud may be reachable all the same. */
  loggedIn(fault: unknown): void
  close(): Promise<void>
}

/**
 * Observes whether the cloud is reachable. It checks at once, and again with pauses while the cloud is not reachable. A
 * reachable cloud is not checked until an exchange fails.
 */
export function watch({ name, look, clock, log, backoff }: WatchOptions): Watch {
  const { now } = clock
  const { firstMs, maxMs } = backoff ?? { firstMs: 1_000, maxMs: 60_000 }
  const closing = new AbortController()
  let line: 'offline' | 'starting' | 'online' = 'starting'
  let since = now()
  let fault: Error | null = null
  let loginFault: Error | null = null
  let probing: Promise<void> | null = null

  function exchanged(why: Error | null) {
    const next = why ? 'offline' : 'online'
    if (closing.signal.aborted) return
    const was = line
    const isNews = was !== next || why?.message !== fault?.message
    if (was !== next) since = now()
    line = next
    fault = why
    if (isNews) report(why ? (was === 'online' ? 'lost' : 'failed') : 'online', why)
    if (why) probing ??= lookUntilThere()
  }

  async function lookUntilThere(): Promise<void> {
    for (let ms = firstMs; !closing.signal.aborted; ms = Math.min(maxMs, ms * 2)) {
      // The check reports its own result to `exchanged`.
      if (line !== 'online') await look(closing.signal).catch(() => undefined)
      if (line === 'online') break
      const wait = Math.round(ms * (0.8 + 0.4 * Math.random()))
      await clock.sleep(wait, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
    probing = null
  }

  const report = (what: BayEvent['what'], why: Error | null) =>
    reported(log, { bay: name, what, at: now(), fault: why })

  probing = lookUntilThere()

  return {
    state: () => ({ line, since, fault: fault ?? loginFault }),
    exchanged,
    loggedIn(why) {
      const was = loginFault
      loginFault = why instanceof Error ? why : null
      if (loginFault && was?.message !== loginFault.message) report('failed', loginFault)
    },
    async close() {
      if (!closing.signal.aborted) {
        closing.abort()
        if (line !== 'offline') since = now()
        line = 'offline'
        fault = new Error('is closed')
        report('closed', null)
      }
      await probing
    },
  }
}

/** An observer that throws must not stop the checks. */
function reported(log: WatchOptions['log'], event: BayEvent): void {
  try {
    log(event)
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : new Error(String(error)))
  }
}
