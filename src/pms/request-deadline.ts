import { DeviceFault } from '../devices/fault.ts'
import type { Clock } from '../host/clock.ts'

/** A request to an adapter. */
export interface AdapterRequest {
  /** The request in words, for messages about it. */
  what: string
  /** True when the request may change something at the other end: its failure then leaves the outcome unknown. */
  changes: boolean
}

interface Deadline {
  /** The name of the configuration, for messages. */
  name: string
  clock: Clock
  deadlineMs: number
  /** Aborted when the adapter is closed. */
  closing: AbortSignal
}

/**
 * Resolves with the result of the work. Rejects with adapter-timeout at the deadline, and with adapter-crashed when the
 * adapter is closed before; the signal of the work is aborted then.
 */
export async function withDeadline<T>(
  { what, changes }: AdapterRequest,
  { name, clock, deadlineMs, closing }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abandoned = new AbortController()
  const failure = Promise.withResolvers<never>()
  const abandon = (code: 'adapter-timeout' | 'adapter-crashed', detail: string) => {
    failure.reject(new DeviceFault(code, detail, { outcomeUnknown: changes }))
    abandoned.abort()
  }
  const late = () =>
    abandon('adapter-timeout', `${name} gave no answer to ${what} within ${deadlineMs / 1000} s.`)
  const closed = () => abandon('adapter-crashed', `${name} was closed before it had answered to ${what}.`)
  const timer = clock.setTimeout(late, deadlineMs)
  closing.addEventListener('abort', closed)
  try {
    return await Promise.race([work(abandoned.signal), failure.promise])
  } finally {
    timer.cancel()
    closing.removeEventListener('abort', closed)
  }
}
