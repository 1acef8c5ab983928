import type { Clock, Timer } from '../../host/clock.ts'
import type { BayEvent, RefusalReason } from '../bay/bay-event.ts'

/** The connections that a listener refused for one reason, up to an hour without one. */
export interface Refusals {
  why: RefusalReason
  /** The address of the last of them. */
  address: string
  count: number
  /** Unix milliseconds of the first and of the last of them. */
  since: number
  last: number
}

const forgottenAfterMs = 3_600_000

/**
 * Counts the connections that a listener refuses. The first refusal is an event (`refused`), and so is an hour without
 * any (`quiet`). Those in between are only counted, because a refused peer usually retries every second.
 */
export function visitors(
  name: string,
  clock: Clock,
  log: (event: BayEvent) => void,
  forgottenMs = forgottenAfterMs,
) {
  const known = new Map<RefusalReason, { refusals: Refusals; forget: Timer }>()

  function event(what: 'refused' | 'quiet', refusals: Refusals): void {
    const { why, address } = refusals
    const fault = new Error(
      what === 'refused' ? sentences[why](address) : 'no connection was refused for an hour',
    )
    log({ bay: name, what, at: clock.now(), fault, visitor: { why, address } })
  }

  function forget(why: RefusalReason): void {
    const all = known.get(why)
    known.delete(why)
    if (all) event('quiet', all.refusals)
  }

  return {
    refused(why: RefusalReason, address: string): void {
      const at = clock.now()
      const before = known.get(why)
      before?.forget.cancel()
      const { since = at, count = 0 } = before?.refusals ?? {}
      const refusals = { why, address, count: count + 1, since, last: at }
      known.set(why, { refusals, forget: clock.setTimeout(() => forget(why), forgottenMs).unref() })
      if (!before) event('refused', refusals)
    },
    /** The refusals of the last hour; empty when there were none. */
    now: (): Refusals[] => [...known.values()].map(({ refusals }) => refusals),
    close(): void {
      for (const each of known.values()) each.forget.cancel()
      known.clear()
    },
  }
}

/** What the front desk should know about refused connections, and what to do. */
export function refusalText({ why, address, count }: Refusals): string {
  const times = count === 1 ? '' : ` (${count} connections within the last hour)`
  return `${sentences[why](address)}${times}. ${remedies[why]}`
}

const sentences: Record<RefusalReason, (address: string) => string> = {
  stranger: (address) => `${address} was refused a connection: it is not among the peers`,
  second: (address) => `${address} was refused a connection: another peer is connected and answers`,
}

const remedies: Record<RefusalReason, string> = {
  stranger:
    'If it is the expected system, add it to `peers` of the connection. Otherwise find out which device it is.',
  second: 'Let only one system connect here, or remove the other from `peers`.',
}
