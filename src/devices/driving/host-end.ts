import type { Duplex } from 'node:stream'
import type { Clock } from '../../host/clock.ts'
import { deadline, type Inbox, inbox } from '../inbox.ts'

/** The host's end of a wire: what has arrived on it, and whether it accepts what is written. */
export type HostEnd<Received> = ReturnType<typeof hostEnd<Received>>

/** The host's end of a wire: what the driver decodes waits in an inbox, and writing waits for the wire. */
export function hostEnd<Received>(wire: Duplex, clock: Clock) {
  /** Ends when the wire fails. The driver puts into it what it decodes, and ends it when the wire has ended. */
  const received = inbox<Received>(clock)
  let unwritten = 0
  let allWritten = () => {}

  return {
    received,
    write(bytes: Uint8Array): void {
      unwritten++
      wire.write(bytes, (error) => {
        unwritten--
        if (error) received.end()
        if (unwritten === 0) allWritten()
      })
    },
    /**
     * Whether the wire has accepted all bytes that were written, or does so within `ms`. Bytes that pile up before a
     * blocked wire would all be executed later.
     */
    async written(ms: number): Promise<boolean> {
      if (unwritten > 0) {
        await new Promise<void>((resolve) => {
          const timer = clock.setTimeout(resolve, ms)
          allWritten = () => {
            timer.cancel()
            resolve()
          }
        })
      }
      return unwritten === 0
    },
  }
}

/**
 * Waits until nothing has arrived for `quietMs`, for `mostMs` at most, and passes what arrives to `notice`. Resolves
 * with true when the line became quiet, with false when it did not or has ended.
 */
export async function becomesQuiet<Received>(
  received: Inbox<Received>,
  { quietMs, mostMs, clock }: { quietMs: number; mostMs: number; clock: Clock },
  notice: (item: Received) => void = () => {},
): Promise<boolean> {
  const by = deadline(clock, mostMs)
  for (;;) {
    const item = await received.next(quietMs)
    if (item === 'late') return true
    if (item === 'gone' || by.left() < 0) return false
    notice(item)
  }
}
