import { DeviceFault } from '../../../devices/fault.ts'
import type { Clock } from '../../../host/clock.ts'
import type { Swap } from './swap.ts'

interface SwapRequestOptions {
  /** The name of the configuration, for messages. */
  name: string
  clock: Clock
  swaps: Swap
  /** How long a caller waits for a swap. */
  waitMs: number
  /** The reason why the link is down; null while it is up. */
  whyDown(): string | null
}

/** The callers that wait for a database swap. */
export function swapRequests({ name, clock, swaps, waitMs, whyDown }: SwapRequestOptions) {
  let waiting = 0

  /** Resolves when a swap is complete. Rejects with adapter-timeout when it fails, and when the signal is aborted before. */
  async function request(signal: AbortSignal): Promise<void> {
    waiting++
    try {
      const reason = whyDown()
      if (reason !== null) throw new Error(`the PMS is not connected: ${reason}`)
      await inTime(swaps.done(), signal)
    } catch (error) {
      throw new DeviceFault('adapter-timeout', `${name}: ${(error as Error).message}`, { cause: error })
    } finally {
      waiting--
      if (waiting === 0) swaps.forget()
    }
  }

  /** A swap that takes longer goes on, and the next caller has the result. */
  async function inTime(work: Promise<void>, signal: AbortSignal): Promise<void> {
    const late = Promise.withResolvers<never>()
    const stop = () => late.reject(new Error(swaps.state === 'coming' ? unfinished : notBegun))
    const timer = clock.setTimeout(stop, waitMs)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await Promise.race([work, late.promise])
    } finally {
      timer.cancel()
      signal.removeEventListener('abort', stop)
    }
  }

  return { request, areWaiting: () => waiting > 0 }
}

const notBegun = 'it was asked for a database swap, and has begun none so far'
const unfinished = 'it has begun a database swap, and has not ended it so far'
