import { DeviceFault } from '../../../devices/fault.ts'
import type { Swap } from './swap.ts'

interface SwapRequestOptions {
  /** The name of the configuration, for messages. */
  name: string
  swaps: Swap
  /** The reason why the link is down; null while it is up. */
  whyDown(): string | null
}

/** The callers that wait for a database swap. */
export function swapRequests({ name, swaps, whyDown }: SwapRequestOptions) {
  let waiting = 0

  /** Resolves when a swap is complete. Rejects with adapter-timeout when it fails, and when the signal is aborted before. */
  async function request(signal: AbortSignal): Promise<void> {
    waiting++
    try {
      const reason = whyDown()
      if (reason !== null) throw new Error(`the PMS is not connected: ${reason}`)
      await unlessAborted(swaps.done(), signal)
    } catch (error) {
      throw new DeviceFault('adapter-timeout', `${name}: ${(error as Error).message}`, { cause: error })
    } finally {
      waiting--
      if (waiting === 0) swaps.forget()
    }
  }

  return { request, areWaiting: () => waiting > 0 }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const given = Promise.withResolvers<never>()
  const stop = () => given.reject(new Error('its database swap takes longer than a request may wait'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, given.promise]).finally(() => signal.removeEventListener('abort', stop))
}
